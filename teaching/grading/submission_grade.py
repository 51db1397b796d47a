"""The grader's side of the judges: one job a submission, and what became of it."""

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field

from teaching.grading import sandbox
from teaching.grading.intake import Unusable, take

STATUSES = ("passed", "not yet", "not attempted yet")
ROW = 8192  # bytes
ROWS = 1000
GRACE = 30  # seconds for a judge to end after its time


class JudgeFault(Exception):
    """The judge cannot start; the text says why."""


@dataclass
class Grade:
    """What became of one submission."""

    statuses: dict = field(default_factory=dict)
    reasons: dict = field(default_factory=dict)  # of exercises that have not passed
    remarks: list = field(default_factory=list)

    @property
    def passed(self):
        return sum(status == "passed" for status in self.statuses.values())

    @property
    def remark(self):
        own = [f"{e}: {said}" for e, said in sorted(self.reasons.items()) if said]
        return "; ".join([*self.remarks, *own])


class Judge:
    """The process that loads the model and forks; started anew where it has died."""

    def __init__(self):
        self._lock, self.closed = threading.RLock(), False
        sandbox.course_folders()  # for whole names: the judge runs elsewhere
        self._start()
        # after it, which may have fetched the model
        self.folders = [str(path) for path in sandbox.course_folders()]

    def _start(self):
        self.channel, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            number = str(theirs.fileno())
            self.process = subprocess.Popen(
                [sys.executable, "-m", "teaching.grading.judge_process", number],
                pass_fds=[theirs.fileno()],
                cwd=sandbox.ROOT,
                env=os.environ | sandbox.SAME,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        said = self.channel.recv(2**16)
        if said != b"ready":
            self.close()
            raise JudgeFault(said.decode(errors="replace") or "it ended")

    def begin(self, order):
        """Hand over a job; return the socket on which its rows come."""
        ours, theirs = socket.socketpair()
        with theirs, self._lock:
            if self.closed:
                raise JudgeFault("stopped")
            if self.process.poll() is not None:
                self._start()
            socket.send_fds(self.channel, [order], [theirs.fileno()])
        return ours

    def close(self):
        """End the judge and all that it has started."""
        self.closed = True
        with self._lock, contextlib.suppress(ProcessLookupError):
            self.channel.close()
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


def grade_submission(path, folder, place, judge, known, seconds, memory):
    """Grade one submission; never raises for what it holds.

    path: of the notebook, in `folder`. place: an empty folder for its copy.
    """
    result = Grade()
    try:
        name, remarks = take(path, folder, place)
        result.remarks += remarks
        order = {"copy": str(place), "name": name, "seconds": seconds}
        order |= {"memory": memory, "folders": judge.folders}
        began = time.monotonic()
        with judge.begin(json.dumps(order).encode()) as rows:
            rows.settimeout(seconds + GRACE)
            whole = _read_rows(rows, result, known)
    except (Unusable, JudgeFault) as error:
        result.remarks.append(str(error))
        return result
    except Exception as error:  # a full disk, a row that is none
        result.remarks.append(f"could not be graded: {error}")
        return result
    finally:
        shutil.rmtree(place, ignore_errors=True)
    if not whole:
        _explain(result, time.monotonic() - began >= seconds)
    elif not result.statuses and not result.remarks:
        result.remarks.append("holds no check of an exercise")
    return result


def _explain(result, late):
    """Give what has no result a reason."""
    said = "it ran out of time" if late else "the judging of it ended"
    result.remarks.append(said)
    for exercise, status in result.statuses.items():
        if status is None:
            result.statuses[exercise] = "not yet"
            result.reasons[exercise] = said


def _read_rows(rows, result, known):
    """Note what a judge says; return whether it came to an end."""
    with rows.makefile("rb") as stream:
        for _ in range(ROWS):
            line = stream.readline(ROW)
            if not line.endswith(b"\n"):
                return False
            row = json.loads(line)
            if "fault" in row:
                result.remarks.append(row["fault"])
            if "fault" in row or "done" in row:
                return True
            _note(result, row, known)
    return False


def _note(result, row, known):
    for exercise in known.intersection(row.get("found", ())):
        result.statuses[exercise] = None
    exercise, status = row.get("exercise"), row.get("status")
    if status in STATUSES and result.statuses.get(exercise, "passed") != "passed":
        result.statuses[exercise] = status
        result.reasons[exercise] = row["message"] if status == "not yet" else ""
