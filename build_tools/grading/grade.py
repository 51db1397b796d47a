"""Grade submitted notebooks against the checks, each in a process of its own."""

import base64
import contextlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import cloudpickle
import nbformat

from build_tools.grading import sandbox
from build_tools.grading.exchange import decode, receive, send
from build_tools.needed_cells import needed_cells, read_names

CHECK = re.compile(r"""check\(\s*["'](\d\d\.\d)["']""")
ROOT = Path(__file__).resolve().parents[2]


@dataclass
class Grade:
    """What became of one submission."""

    submission: str
    statuses: dict = field(default_factory=dict)
    remarks: list = field(default_factory=list)

    @property
    def passed(self):
        return sum(status == "passed" for status in self.statuses.values())


class Ended(Exception):
    """The submission's process ended, or ran out of time."""


class Student:
    """A submission's process in its sandbox, with one time limit for everything."""

    def __init__(self, kind, folder, hidden, seconds):
        command = [sys.executable, "-m", "build_tools.grading.submission"]
        environment = {
            name: value
            for name, value in os.environ.items()
            if name in ("PATH", "LANG", "BERT_COURSE_MODEL", "COARSE_WSD_HOME")
            or name in ("SMS_SPAM_HOME", "LD_LIBRARY_PATH")
        } | {
            "HOME": str(folder),
            "TMPDIR": str(folder),
            "PYTHONPATH": str(ROOT),
            "PYTHONDONTWRITEBYTECODE": "1",
            "OMP_NUM_THREADS": "1",
            "TQDM_DISABLE": "1",
            "INSIDE_BERT_PROGRESS": "off",
        }
        self.process = subprocess.Popen(
            sandbox.wrap(kind, command, folder, hidden),
            cwd=folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            preexec_fn=sandbox.limits,
            start_new_session=True,
        )
        self.late = self.ended = False
        self.timer = threading.Timer(seconds, self._stop)
        self.timer.start()

    def _stop(self):
        self.late = True
        self.close()

    def close(self):
        self.timer.cancel()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, 9)
        self.process.wait()

    def ask(self, order):
        """Send an order; return the decoded value or raise what it failed with."""
        try:
            send(self.process.stdin, order)
            reply = receive(self.process.stdout)
            if "error" in reply:
                raise _error(str(reply["error"]), str(reply["said"]))
            return decode(reply["value"], self._function)
        except (EOFError, BrokenPipeError, ValueError, KeyError, TypeError) as error:
            if getattr(error, "of_the_student", False):
                raise
            self.ended = True
            said = "it ran out of time" if self.late else f"its process ended: {error}"
            raise Ended(said) from None

    def _function(self, number):
        def function(*arguments):
            data = base64.b64encode(cloudpickle.dumps(arguments)).decode()
            return self.ask({"call": number, "arguments": data})

        return function


def _error(name, said):
    """An exception named as the student's; NotImplementedError keeps its meaning."""
    known = NotImplementedError if name == "NotImplementedError" else Exception
    kind = type(re.sub(r"\W", "", name) or "Error", (known,), {"of_the_student": True})
    return kind(said)


def grade(path, hidden, kind, seconds):
    """Grade one submitted notebook; never raises for what it holds.

    hidden: folders that it must not see. kind: of the sandbox. seconds: for all of
    its exercises together.
    """
    result = Grade(path.name)
    try:
        cells = code_cells(path)
    except Exception as error:
        result.remarks.append(f"cannot be read as a notebook: {_line(error)}")
        return result
    ends = time.monotonic() + seconds
    with tempfile.TemporaryDirectory(prefix="submission-", dir=hidden[0]) as folder:
        shutil.copytree(path.parent, folder, dirs_exist_ok=True, symlinks=True)
        start = partial(_start, kind, Path(folder), hidden, ends)
        student = start()
        for place, exercise in checks_in(cells):
            if student.ended and not student.late:
                student.close()
                student = start()  # an earlier exercise has ended its process
            status, said = grade_exercise(student, cells[: place + 1], exercise)
            result.statuses[exercise] = status
            if status == "not yet":
                result.remarks.append(f"{exercise}: {said}")
        student.close()
    return result


def _start(kind, folder, hidden, ends):
    return Student(kind, folder, hidden, max(0.1, ends - time.monotonic()))


def grade_exercise(student, cells, exercise):
    """Return (status, message) of the exercise that the last of the cells checks."""
    from helpers.exercises import check

    sources = [cells[i] for i in needed_cells(cells, len(cells) - 1)]
    order = {"cells": [*sources, cells[-1]], "exercise": exercise}
    try:
        outcome = check(exercise, student.ask(order))
    except NotImplementedError:
        return "not attempted yet", ""
    except Exception as error:
        return "not yet", f"{type(error).__name__}: {_line(error)}"
    if student.late:
        return "not yet", "it ran out of time"
    return outcome.status, _line(outcome.message)


def _line(error):
    return " ".join(str(error).split())[:200]


def code_cells(path):
    """Return the sources of a notebook's code cells; "" for one that is no Python."""
    notebook = nbformat.read(path, as_version=4)
    sources = [str(c.source) for c in notebook.cells if c.cell_type == "code"]
    return [source if _is_python(source) else "" for source in sources]


def _is_python(source):
    try:
        read_names(source)
    except (SyntaxError, ValueError):
        return False
    return True


def checks_in(cells):
    """Return (place, exercise) of each exercise's last check."""
    found = {}
    for place, source in enumerate(cells):
        for exercise in CHECK.findall(source):
            found[exercise] = place
    return sorted(((place, exercise) for exercise, place in found.items()))
