"""What the processes below a judge take together, read from /proc.

The limits of the system count one process at a time, and neither the memory that
several share nor, where root grades, how many there are.
"""

import contextlib
import os
import signal
from pathlib import Path

from teaching.grading.sandbox import DISK

PROCESSES = 64
THREADS = 512
FILES = 50_000


def hold(judge, memory, tell):
    """End what is below a judge where it takes too much; first tell it why, in bytes.

    judge: its process's id. memory: bytes that the processes below it may take.
    """
    below = _below(judge, _children())
    if reason := _excess(below, memory):
        with contextlib.suppress(OSError):  # it has ended
            tell(reason.encode())
        for process in below:
            with contextlib.suppress(OSError):
                os.kill(process, signal.SIGKILL)


def _excess(processes, memory):
    states = [_state(process) for process in processes]
    if len(states) > PROCESSES or sum(s.get("Threads", 0) for s in states) > THREADS:
        return "it started too many processes"
    used = sum(s.get("RssAnon", 0) + s.get("RssShmem", 0) for s in states) * 1024
    if used > memory:
        return "it took too much memory"
    if processes and _files(processes[-1]) > FILES:
        return "it made too many files"
    return None


def _children():
    """Ids of the children of each process that there is."""
    found = {}
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            stat = Path("/proc", process, "stat").read_text(errors="replace")
        except OSError:
            continue
        parent = int(stat.rpartition(")")[2].split()[1])
        found.setdefault(parent, []).append(int(process))
    return found


def _below(process, children):
    found, waiting = [], list(children.get(process, []))
    while waiting:
        found.append(waiting.pop())
        waiting += children.get(found[-1], [])
    return found


def _state(process):
    """Numbers of /proc/<id>/status; nothing of a process that has ended."""
    try:
        lines = Path(f"/proc/{process}/status").read_text(errors="replace").splitlines()
    except OSError:
        return {}
    pairs = (line.split(":", 1) for line in lines if ":" in line)
    words = {name: value.split()[:1] for name, value in pairs}
    return {n: int(w[0]) for n, w in words.items() if w and w[0].isdigit()}


def _files(process):
    """Count the files in the places that are a sandbox's own."""
    count = 0
    for place in ("tmp", "submission", "dev/shm"):
        try:
            state = os.statvfs(f"/proc/{process}/root/{place}")
        except OSError:  # it has ended, or is not yet there
            continue
        if state.f_blocks * state.f_frsize <= DISK:  # not the machine's
            count += state.f_files - state.f_ffree
    return count
