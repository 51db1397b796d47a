"""Files of the cache and of results: written whole, by one process at a time."""

import os
from pathlib import Path

import filelock


def alone(path, seconds):
    """Return a lock, for `with`, that keeps other processes from writing `path`.

    Raises filelock.Timeout where another process holds it for longer than `seconds`.
    The lock of a process that was killed is free.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    return filelock.FileLock(f"{path}.lock", timeout=max(0, seconds), mode=0o666)


def replace(path, content):
    """Give the file `path` the bytes `content` at once: no reader meets half of them.

    What a killed process left behind is written over; where several processes write
    the file, call it under `alone`.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = Path(f"{path}.unfinished")
    try:
        unfinished.write_bytes(content)
        os.replace(unfinished, path)
    except OSError:
        unfinished.unlink(missing_ok=True)
        raise
