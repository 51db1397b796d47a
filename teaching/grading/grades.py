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


@dataclass
class Grade:
    """Of each exercise its status and reply; what is to be said of the whole."""

    replies: dict = field(default_factory=dict)  # exercise -> (status, reply)
    remark: str = ""
    ran_on: str = ""
    other_run: str = ""  # what it was made on and could not be judged on

    @property
    def passed(self):
        return sum(status == "passed" for status, _ in self.replies.values())


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
        beside = submission.beside
        command = [sys.executable, str(sandbox.RUN), sandbox.NOTEBOOK]
        command += [sandbox.BESIDE] if beside else []
        with sandbox.start(
            command,
            copy,
            memory,
            beside,
            sandbox.course_folders(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as process:
            try:
                text, remark = _followed(process, seconds, memory)
            finally:
                process.kill()  # all that runs in the sandbox dies with it
    return _read_rows(text, remark)


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


def _read_rows(text, remark):
    """Make a Grade of lines of JSON, of which a student may have written any."""
    grade, done, known = Grade(remark=remark), False, set(exercises())
    for line in text.splitlines():
        try:
            row = json.loads(line)
            done = done or row.get("done") is True
            exercise, status, reply = (
                str(row.get(key)) for key in ("exercise", "status", "reply")
            )
            grade.ran_on = str(row.get("ran_on") or grade.ran_on)[:300]
            grade.other_run = str(row.get("other_run") or grade.other_run)[:300]
            grade.remark = grade.remark or str(row.get("problem") or "")[:300]
        except (ValueError, AttributeError, RecursionError):
            continue
        if exercise in known and grade.replies.get(exercise, ("",))[0] != "passed":
            grade.replies[exercise] = (status, reply[:2000])
    if not grade.remark and not done:
        grade.remark = "it ended before its last cell"
    elif not grade.remark and not grade.replies:
        grade.remark = "no check of an exercise ran"
    return grade
