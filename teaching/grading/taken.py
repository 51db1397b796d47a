"""What a submission's processes take together.

The limits of the system count one process at a time, and neither the memory that
several share nor, where root grades, how many there are. The sandbox's own /proc lists
its processes alone, and at once, however many there are.
"""

import os
from pathlib import Path

import psutil

from teaching.grading.sandbox import DISK

PROCESSES, THREADS, FILES = 64, 512, 50_000
PLACES = ("tmp", "submission", "dev/shm")  # that are a sandbox's own
MANY, MUCH = "it started too many processes", "it took too much memory"


class Watch:
    """Looks at what runs in a sandbox.

    process: the id of what started it. memory: bytes that all may take together.
    """

    def __init__(self, process, memory):
        self._process, self._memory = process, memory
        self._root = None  # the sandbox's, once its first process is there

    def excess(self):
        """Return why it is to be ended, or ""."""
        self._root = self._root or _root_below(self._process)
        running = self._running()
        if len(running) > PROCESSES:
            return MANY
        states = [_numbers(place / "status") for place in running]
        if sum(state.get("Threads", 0) for state in states) > THREADS:
            return MANY
        if sum(_held(state, "Rss") for state in states) > self._memory:
            if reason := self._excess_of_shares(running):
                return reason
        return "it made too many files" if _files(self._root) > FILES else ""

    def _excess_of_shares(self, running):
        """A copy shares each page that no one writes: such pages count once.

        Shares are slow to read of processes that copy themselves meanwhile.
        """
        used = 0
        for place in running:
            used += _share(place)
            if len(self._running()) > PROCESSES:
                return MANY
        return MUCH if used > self._memory else ""

    def _running(self):
        """Return the folders in /proc of what runs in the sandbox."""
        if self._root is None:
            return []
        own = self._root / "proc"
        try:
            if own.stat().st_dev == os.stat("/proc").st_dev:  # the machine's, not yet
                return []
            return [own / name for name in os.listdir(own) if name.isdigit()]
        except OSError:  # it is not yet there, or has ended
            return []


def _root_below(process):
    try:
        first, *_ = psutil.Process(process).children()
    except (psutil.Error, ValueError):
        return None
    return Path(f"/proc/{first.pid}/root")


def _share(place):
    """Return the bytes that a process holds, of a page of n processes an n-th."""
    numbers = _numbers(place / "smaps_rollup")
    if "Pss_Anon" in numbers:
        return _held(numbers, "Pss_")
    return _held(_numbers(place / "status"), "Rss")  # a kernel that does not tell


def _held(numbers, prefix):
    return 1024 * sum(numbers.get(prefix + kind, 0) for kind in ("Anon", "Shmem"))


def _numbers(path):
    """Return the numbers of a file of /proc; none of a process that has ended."""
    try:
        lines = path.read_text(errors="replace").splitlines()
    except OSError:
        return {}
    pairs = (line.split(":", 1) for line in lines if ":" in line)
    words = {name: value.split()[:1] for name, value in pairs}
    return {n: int(w[0]) for n, w in words.items() if w and w[0].isdigit()}


def _files(root):
    """Count the files in the places that are a sandbox's own."""
    count = 0
    for place in PLACES if root else ():
        try:
            state = os.statvfs(root / place)
        except OSError:  # it has ended, or is not yet there
            continue
        if state.f_blocks * state.f_frsize <= DISK:  # not the machine's
            count += state.f_files - state.f_ffree
    return count
