"""One submission: a judge of its own is started for it, and what it says is its grade.

The grader reads rows of JSON from the judge and watches what its sandbox takes.
"""

import json
import multiprocessing
import os
import shutil
import signal
import threading
import time
from dataclasses import dataclass, field

from teaching.grading import judge_process, process_limits, sandbox
from teaching.grading.intake import Unusable, take

STATUSES = ("passed", "not yet", "not attempted yet")
ROW = 8192  # bytes
ROWS = 1000
PERIOD = 0.1  # seconds between two looks at what a sandbox takes
GRACE = 30  # seconds for a judge to end after its time
NO_CHECK = (
    "holds no check of an exercise: its id must stand in the call, as in "
    'check("word-senses.1", answer)'
)
CONTEXT = multiprocessing.get_context("forkserver")


class JudgeFault(Exception):
    """No judge can start; the text says why."""


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


class Judges:
    """The judges that are at work; each is forked from a server with the model."""

    def __init__(self):
        self._lock, self._at_work, self._closed = threading.Lock(), set(), False
        sandbox.course_folders()  # for whole names
        os.environ.update(sandbox.SAME)
        CONTEXT.set_forkserver_preload(["teaching.grading.judge_preload"])
        try:
            process, rows = self.begin(judge_process.say_ready)
            said = rows.recv_bytes().decode(errors="replace")
        except EOFError:
            said = "the first judge ended"
        except OSError as error:  # such as a TMPDIR too long for a socket
            said = f"no judge starts: {error} (TMPDIR is {os.environ.get('TMPDIR')})"
        if said:
            raise JudgeFault(said)
        self.end(process)
        # after it, which may have fetched the model
        self.folders = [str(path) for path in sandbox.course_folders()]

    def begin(self, target, *arguments):
        """Let a new process call `target`; return it and our end of its pipe."""
        ours, theirs = CONTEXT.Pipe()
        own = CONTEXT.Process(target=target, args=(theirs, *arguments), daemon=True)
        with theirs, self._lock:
            if self._closed:
                raise JudgeFault("stopped")
            own.start()
            self._at_work.add(own)
        return own, ours

    def end(self, process):
        """End a judge and all that it has started."""
        with self._lock:
            self._at_work.discard(process)
            if process.is_alive():
                try:
                    os.killpg(process.pid, signal.SIGKILL)
                except ProcessLookupError:  # it has no group of its own yet
                    process.kill()

    def close(self):
        """End all; none begins any more."""
        with self._lock:  # so that one that begins just now is among them
            self._closed, left = True, list(self._at_work)
        for process in left:
            self.end(process)


def grade_submission(path, folder, place, judges, known, seconds, memory):
    """Grade one submission; never raises for what it holds.

    path: of the notebook, in `folder`. place: an empty folder for its copy.
    """
    result = Grade()
    try:
        name, remarks = take(path, folder, place)
        result.remarks += remarks
        job = {"copy": str(place), "name": name, "seconds": seconds}
        job |= {"memory": memory, "folders": judges.folders}
        began = time.monotonic()
        process, rows = judges.begin(judge_process.be_judge, job)
        try:
            with rows:
                end = began + seconds + GRACE
                whole = _read_rows(rows, result, known, process.pid, memory, end)
        finally:
            judges.end(process)
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
        result.remarks.append(NO_CHECK)
    return result


def _explain(result, late):
    """Give what has no result a reason."""
    said = "it ran out of time" if late else "the judging of it ended"
    result.remarks.append(said)
    for exercise, status in result.statuses.items():
        if status is None:
            result.statuses[exercise] = "not yet"
            result.reasons[exercise] = said


def _read_rows(rows, result, known, judge, memory, end):
    """Note what a judge says; return whether it came to an end."""
    for _ in range(ROWS):
        while not rows.poll(PERIOD):
            if time.monotonic() > end:
                return False
            process_limits.hold(judge, memory, rows.send_bytes)
        try:
            row = json.loads(rows.recv_bytes(ROW))
        except (EOFError, ConnectionError):
            return False
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
