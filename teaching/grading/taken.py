"""What a submission's processes take together.

The limits of the system count one process at a time, and neither the memory that
several share nor, where root grades, how many there are.
"""

import os
from pathlib import Path

import psutil

from teaching.grading.sandbox import DISK

PROCESSES, THREADS, FILES = 64, 512, 50_000
PLACES = ("tmp", "submission", "dev/shm")  # that are a sandbox's own


def excess(process, memory):
    """Return why what runs below a process is to be ended, or "".

    process: its id. memory: bytes that they may take together.
    """
    try:
        below = [p.pid for p in psutil.Process(process).children(recursive=True)]
    except psutil.Error:  # it has ended
        return ""
    states = [_state(pid) for pid in below]
    if len(below) > PROCESSES or sum(s.get("Threads", 0) for s in states) > THREADS:
        return "it started too many processes"
    used = sum(s.get("RssAnon", 0) + s.get("RssShmem", 0) for s in states) * 1024
    if used > memory:
        return "it took too much memory"
    return "it made too many files" if below and _files(below[-1]) > FILES else ""


def _state(pid):
    """Return the numbers of /proc/<id>/status; none of a process that has ended."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text(errors="replace").splitlines()
    except OSError:
        return {}
    pairs = (line.split(":", 1) for line in lines if ":" in line)
    words = {name: value.split()[:1] for name, value in pairs}
    return {n: int(w[0]) for n, w in words.items() if w and w[0].isdigit()}


def _files(pid):
    """Count the files in the places that are a sandbox's own."""
    count = 0
    for place in PLACES:
        try:
            state = os.statvfs(f"/proc/{pid}/root/{place}")
        except OSError:  # it has ended, or is not yet there
            continue
        if state.f_blocks * state.f_frsize <= DISK:  # not the machine's
            count += state.f_files - state.f_ffree
    return count
