"""A grade: what the checks of one notebook said while it ran."""

import json
import selectors
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from helpers.exercises.checks import exercises
from teaching.grading import sandbox, taken
from teaching.grading.submissions import Unusable, read

LARGEST = 2**22  # bytes of what checks may say
STEP = 0.5  # seconds between two looks at what it takes
OF_A_CHECK = ("exercise", "status", "reply")
TOLD = {"ran_on", "problem", "note", "other_run"}  # of the whole, in its rows
NOTES = 3  # of what failed in it that are shown


@dataclass
class Grade:
    """Of each exercise its status and reply; what is to be said of the whole."""

    replies: dict = field(default_factory=dict)  # exercise -> (status, reply)
    remark: str = ""
    ran_on: str = ""

    @property
    def passed(self):
        """The exercises that are."""
        return {e for e, (status, _) in self.replies.items() if status == "passed"}


def grade_of(submission, seconds, memory):
    """Run a Submission in its sandbox; return its Grade, of what ran where it ended.

    seconds: for all of it. memory: bytes. An exercise that was passed once is passed.
    """
    try:
        data = read(submission.path)
    except Unusable as problem:
        return Grade(remark=str(problem))
    with tempfile.TemporaryDirectory(prefix="grading-") as folder:
        copy = Path(folder, "notebook.ipynb")
        copy.write_bytes(data)
        command = [sys.executable, str(sandbox.RUN), sandbox.NOTEBOOK]
        command += [sandbox.BESIDE] if submission.beside else []
        seen = (copy, memory, submission.beside, sandbox.course_folders())
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        with sandbox.start(command, *seen, **pipes) as process:
            try:
                text, ended = _followed(process, seconds, memory)
            finally:
                process.kill()  # all that runs in the sandbox dies with it
    return read_rows(text, ended)


def _followed(process, seconds, memory):
    """Return what a process wrote, and why it was ended or ""."""
    text, end = b"", time.monotonic() + seconds
    watch = taken.Watch(process.pid, memory)
    with selectors.DefaultSelector() as ready:
        ready.register(process.stdout, selectors.EVENT_READ)
        while time.monotonic() < end:
            if ready.select(STEP):
                part = process.stdout.read1(2**16)
                text += part
                if not part:
                    return text, ""
            if len(text) > LARGEST:
                return text, "its checks said too much"
            if reason := watch.excess():
                return text, reason
    return text, "it ran out of time"


def read_rows(text, ended):
    """Make a Grade of lines of JSON, of which a student may have written any."""
    grade, told, known = Grade(), {}, set(exercises())
    for line in text.splitlines():
        try:
            row = json.loads(line)
            exercise, status, reply = (str(row.get(key)) for key in OF_A_CHECK)
            for key in TOLD & row.keys():
                told.setdefault(key, []).append(str(row[key])[:300])
        except (ValueError, AttributeError, RecursionError):
            continue
        if exercise in known and exercise not in grade.passed:
            grade.replies[exercise] = (status, reply[:2000])
    grade.ran_on = told.get("ran_on", [""])[-1]
    problems = [ended, *told.get("problem", [])]
    if not any(problems):
        problems = [] if "ran_on" in told else ["it ended before its last cell"]
        problems += [] if problems or grade.replies else ["no check of an exercise ran"]
    if len(grade.passed) < max(1, len(grade.replies)):  # what may be the cause
        problems += [*dict.fromkeys(told.get("note", []))][:NOTES]
    grade.remark = "; ".join(filter(None, [*problems, *told.get("other_run", [])]))
    return grade
