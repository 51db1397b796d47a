"""The judge: loads the model once and forks a fresh process for each submission.

So no check ever sees what another one left behind, and the order of submissions and
the number of workers change no grade. The first process judges nothing: it forks,
and watches what the sandboxes take.
"""

import gc
import json
import os
import resource
import select
import signal
import socket
import sys
from functools import partial
from pathlib import Path

from teaching.grading import process_limits

PERIOD = 0.1  # seconds between two looks at the sandboxes
OWN_MEMORY = 3 * 2**30  # bytes that a check may take beyond the model
MESSAGE = 200  # letters


def serve(channel):
    """Take jobs from the grader until it ends; then end everything."""
    _load()
    channel.send(b"ready")
    limits = {}  # of each process that was forked
    while True:
        ready, _, _ = select.select([channel], [], [], PERIOD if limits else None)
        _bury(limits)
        if ready:
            order, ends, _, _ = socket.recv_fds(channel, 2**16, 1)
            if not order:
                os.killpg(0, signal.SIGKILL)
            job = json.loads(order)
            if not (child := os.fork()):
                _be_judge(job, channel, ends[0])
            os.close(ends[0])
            limits[child] = job["memory"]
        for child, reason in process_limits.offenders(limits):
            os.kill(child, reason)


def _load():
    import torch

    torch.set_num_threads(1)
    torch.set_num_interop_threads(1)
    import nbformat  # noqa: F401
    import pandas  # noqa: F401

    import teaching.grading.one_notebook  # noqa: F401
    from helpers.exercises import running
    from helpers.models import load_bert

    running.SECONDS = None  # a job has its own limit

    load_bert()
    gc.collect()
    gc.freeze()  # else the first collection of each child copies all pages


def _bury(limits):
    for child in list(limits):
        if os.waitpid(child, os.WNOHANG)[0]:
            del limits[child]


def _be_judge(job, channel, end):
    """Judge one submission in a process of its own, which ends here."""
    code = 1
    try:
        channel.close()
        signal.setitimer(signal.ITIMER_REAL, job["seconds"])  # then the system ends it
        Path("/proc/self/oom_score_adj").write_text("500")
        used = process_limits.addresses(os.getpid())
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(resource.RLIMIT_AS, (used + OWN_MEMORY, hard))
        with socket.socket(fileno=end) as rows:
            _judge(job, rows)
        code = 0
    finally:
        os._exit(code)


def _judge(job, rows):
    from teaching.grading.one_notebook import grade_notebook
    from teaching.grading.running_submission import RunningSubmission
    from teaching.grading.submitted_notebook import known_exercises

    def note(reason):
        RunningSubmission.why = reason

    for number, reason in process_limits.REASONS.items():
        signal.signal(number, lambda *_, reason=reason: note(reason))

    def tell(row):
        if "message" in row:
            row["message"] = " ".join(row["message"][:2000].split())[:MESSAGE]
        rows.sendall(json.dumps(row).encode() + b"\n")

    start = partial(RunningSubmission, job["copy"], job["memory"], job["folders"])
    data = Path(job["copy"], job["name"]).read_bytes()
    try:
        grade_notebook(data, set(known_exercises()), start, tell)
        tell({"done": True})
    except ValueError as error:
        tell({"fault": str(error)[:MESSAGE]})


def main(number):
    with socket.socket(fileno=number) as channel:
        try:
            serve(channel)
        except (ValueError, OSError, ImportError) as error:  # of the model
            channel.send(str(error).encode()[:1000])


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
