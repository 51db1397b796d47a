"""A judge: a fresh process for one submission, forked from one with the model.

So no check ever sees what another one left behind, and the order of submissions and
the number of workers change no grade.
"""

import json
import multiprocessing
import os
import resource
import signal
import threading
from functools import partial
from pathlib import Path

OWN_MEMORY = 3 * 2**30  # bytes that a check may take beyond the model
MESSAGE = 200  # letters
FAULTS = ValueError, OSError, ImportError  # of the model


def load():
    """Load what a judge needs; where `judge_preload` has, this takes no time."""
    import torch

    torch.set_num_threads(1)
    import nbformat  # noqa: F401
    import pandas  # noqa: F401

    import teaching.grading.one_notebook  # noqa: F401
    from helpers.exercises import running
    from helpers.models import load_bert

    running.SECONDS = None  # an exercise has its own limit
    load_bert()


def say_ready(grader):
    """Say what keeps judges from working; nothing where they can."""
    try:
        load()
        grader.send_bytes(b"")
    except FAULTS as error:
        grader.send_bytes(str(error).encode()[:1000])


def be_judge(grader, job):
    """Judge one submission and tell the grader, in rows of JSON."""
    os.setsid()  # to be ended with all that it starts
    threading.Thread(target=_end_with_the_grader, daemon=True).start()
    Path("/proc/self/oom_score_adj").write_text("500")
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + OWN_MEMORY, hard))
    load()
    _judge(grader, job)


def _end_with_the_grader():
    multiprocessing.parent_process().join()
    os.killpg(0, signal.SIGKILL)


def _judge(grader, job):
    from helpers.exercises.checks import exercises
    from teaching.grading.one_notebook import grade_notebook
    from teaching.grading.running_submission import RunningSubmission

    def tell(row):
        if "message" in row:
            row["message"] = " ".join(row["message"][:2000].split())[:MESSAGE]
        grader.send_bytes(json.dumps(row).encode())

    def why():
        return grader.recv_bytes().decode() if grader.poll() else ""

    limits = job["memory"], job["folders"]
    start = partial(RunningSubmission, job["copy"], *limits, why)
    data = Path(job["copy"], job["name"]).read_bytes()
    try:
        grade_notebook(data, set(exercises()), start, tell, job["seconds"])
        tell({"done": True})
    except ValueError as error:
        tell({"fault": str(error)[:MESSAGE]})
