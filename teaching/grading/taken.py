"""What a submission's processes take together.

The limits of the system count one process at a time, and neither the memory that
several share nor, where root grades, how many there are. The sandbox's own /proc lists
its processes alone.
"""

import os
from pathlib import Path

import psutil

from teaching.grading.sandbox import DISK

PROCESSES, THREADS, FILES = 64, 512, 50_000
PLACES = ("tmp", "submission", "dev/shm")  # that are a sandbox's own


class Watch:
    """Looks at what runs in a sandbox.

    process: the id of what started it. memory: bytes that all may take together.
    """

    def __init__(self, process, memory):
        self._process, self._memory = process, memory
        self._root = None  # the sandbox's, once its first process is there

    def excess(self):
        """Return why it is to be ended, or ""."""
        if self._root is None and (first := _children(self._process)):
            self._root = Path(f"/proc/{first[0].pid}/root")
        running = self._running()
        states = [_numbers(place / "status") for place in running[: PROCESSES + 1]]
        threads = sum(state.get("Threads", 0) for state in states)
        if len(running) > PROCESSES or threads > THREADS:
            return "it started too many processes"
        # Shares take longer to read, and are less than what each process tells.
        for held in (_held, _share):
            if sum(map(held, running)) <= self._memory:
                break
        else:
            return "it took too much memory"
        return "it made too many files" if _files(self._root) > FILES else ""

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


def _children(process):
    try:
        return psutil.Process(process).children()
    except psutil.Error:
        return []


def _held(place, file="status", kind="Rss"):
    """Return the bytes that a process holds, whoever else holds them."""
    numbers = _numbers(place / file)
    return 1024 * sum(numbers.get(f"{kind}{of}", 0) for of in ("Anon", "Shmem"))


def _share(place):
    """Return the same, of a page of n processes an n-th, where the kernel tells."""
    return _held(place, "smaps_rollup", "Pss_") or _held(place)


def _numbers(path):
    """Return the numbers of a file of /proc; none of a process that has ended."""
    try:
        lines = path.read_text(errors="replace").splitlines()
    except OSError:
        return {}
    pairs = (line.split() for line in lines)
    return {w[0][:-1]: int(w[1]) for w in pairs if len(w) > 1 and w[1].isdigit()}


def _files(root):
    """Count the files in the places that are a sandbox's own, not the machine's."""
    states = [_state_of(root / place) for place in PLACES] if root else []
    own = [s for s in states if s and s.f_blocks * s.f_frsize <= DISK]
    return sum(state.f_files - state.f_ffree for state in own)


def _state_of(place):
    try:
        return os.statvfs(place)
    except OSError:  # it has ended, or is not yet there
        return None
