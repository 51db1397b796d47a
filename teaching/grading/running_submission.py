"""The judge's end of a sandbox: orders go in, answers come out as plain values."""

import base64
import contextlib
import re
import subprocess
import sys
import types
from pathlib import Path

import cloudpickle

from helpers.exercises import NotYet
from helpers.exercises.running import forbidden
from teaching.grading import sandbox
from teaching.grading.answers_as_json import (
    LARGEST,
    Refused,
    decode,
    encode,
    receive,
    send,
)


class Ended(Exception):
    """The submission's process ended, or was ended."""


class RunningSubmission:
    """A submission's process in its sandbox; for `with`, which ends it.

    ended: whether it has. said: why, where it has. late: whether that was for its time.
    """

    def __init__(self, copy, memory, folders, why=lambda: ""):
        """why: tells, once, for what the process was ended from outside, or ""."""
        self.why = why
        run = [sys.executable, "-m", "teaching.grading.inside_sandbox", sandbox.COPY]
        self.process = sandbox.start(
            run,
            copy,
            memory,
            map(Path, folders),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self.ended, self.late, self.said = False, False, ""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()  # all that runs in the sandbox dies with it
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            with contextlib.suppress(OSError):
                stream.close()

    def end_late(self, said):
        """End the process, whose time is over."""
        self.process.kill()
        self.ended, self.late, self.said = True, True, said

    def run(self, cells, exercise):
        """Run cells; return what they hand to check(exercise, ...).

        Raises as the last cell did where it handed in nothing, NotImplementedError
        where that is a stub's or nothing failed, and Ended.
        """
        reply = self._ask({"cells": cells, "exercise": exercise})
        if "answer" in reply:
            return self._decoded(reply["answer"])
        failure, earlier = reply.get("failure"), reply.get("earlier")
        if not failure or "NotImplementedError" in map(_kind, (failure, earlier)):
            raise NotImplementedError
        said = f" (an earlier cell stopped: {_line(earlier)})" if earlier else ""
        raise _error(failure, said)

    def _decoded(self, answer):
        try:
            return decode(answer, self._function)
        except Refused as error:
            raise Ended(str(error)) from None

    def _function(self, number):
        def function(*arguments):
            callbacks = {
                place: argument
                for place, argument in enumerate(arguments)
                if isinstance(argument, types.FunctionType)
            }
            sent = [None if i in callbacks else a for i, a in enumerate(arguments)]
            data = base64.b64encode(_pickled(sent)).decode()
            order = {"call": number, "arguments": data, "callbacks": list(callbacks)}
            order["without"] = list(forbidden())
            reply = self._ask(order, callbacks)
            if "answer" not in reply:
                raise _error(reply.get("failure"))
            return self._decoded(reply["answer"])

        return function

    def _ask(self, order, callbacks=types.MappingProxyType({})):
        """Send an order; return the reply, a dict, once its calls back are answered."""
        if self.ended:
            raise Ended("its process has ended")
        try:
            send(self.process.stdin, order)
            while True:
                reply = receive(self.process.stdout, LARGEST)
                if not isinstance(reply, dict):
                    raise Refused("the answer cannot be read")
                if "callback" not in reply:
                    return reply
                send(self.process.stdin, self._call_back(callbacks, reply))
        except (EOFError, OSError, Refused) as error:
            self.ended = True
            said = str(error) if isinstance(error, Refused) else "its process ended"
            self.said = self.why() or said
            raise Ended(self.said) from None

    def _call_back(self, callbacks, reply):
        if reply["callback"] not in callbacks.keys():
            raise Refused("the answer cannot be read")
        arguments = decode(reply["items"], None)
        try:
            return {"answer": encode(callbacks[reply["callback"]](*arguments), [])}
        except Exception as error:
            return {"failure": _line({"error": type(error).__name__, "said": error})}


def _pickled(arguments):
    """Pickle; with the classes of modules that the sandbox does not show."""
    for module in list(sys.modules.values()):
        if (getattr(module, "__file__", None) or "").startswith(sandbox.HIDDEN):
            cloudpickle.register_pickle_by_value(module)
    return cloudpickle.dumps(arguments)


def _kind(failure):
    return failure.get("error") if isinstance(failure, dict) else None


def _line(failure):
    if not isinstance(failure, dict):
        return "an error"
    text = f"{failure.get('error')}: {failure.get('said')}"
    return " ".join(text[:1000].split())[:200]


def _error(failure, more=""):
    """An exception named as the student's; NotImplementedError keeps its meaning."""
    name = re.sub(r"\W", "", str(_kind(failure)))[:60] or "Error"
    said = failure.get("said", "") if isinstance(failure, dict) else ""
    if name == "NotImplementedError":  # a stub's has no words
        return NotImplementedError(*filter(None, [str(said)[:300]]))
    if name == "NotYet":  # of a call that the check forbids
        return NotYet(str(failure.get("said"))[:300])
    own = {"__module__": "__main__"}  # as the notebook shows it
    return type(name, (Exception,), own)(f"{str(said)[:300]}{more}")
