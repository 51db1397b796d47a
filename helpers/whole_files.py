"""Files of the cache and of results: written whole, by one process at a time."""

import glob
import os
import shutil
import uuid
from contextlib import contextmanager
from pathlib import Path

import filelock

UNFINISHED = ".unfinished"


@contextmanager
def alone(path, seconds=None):
    """Keep other processes from writing `path`, or into it, while the block runs.

    Waits for them as long as it takes, and says so, or for `seconds` at most; then
    filelock.Timeout is raised. The lock of a process that was killed is free, and what
    it left unfinished is deleted.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = filelock.FileLock(f"{path}.lock", mode=0o666)
    try:
        lock.acquire(timeout=1 if seconds is None else max(0, seconds))
    except filelock.Timeout:
        if seconds is not None:
            raise
        print(f"waiting for another process that writes {path}", flush=True)
        lock.acquire(timeout=-1)
    try:
        remove_unfinished(path.parent, f".{glob.escape(path.name)}.????????")
        remove_unfinished(path)
        yield
    finally:
        lock.release()


@contextmanager
def whole(path):
    """Give an unfinished path beside `path` that takes its place at the block's end.

    So no reader meets half a file, or half a folder, and where the block raises an
    error nothing of it stays. Each call has an unfinished path of its own.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{uuid.uuid4().hex[:8]}{UNFINISHED}")
    try:
        yield unfinished
        if unfinished.is_dir() and path.exists():
            shutil.rmtree(path)
        os.replace(unfinished, path)
    finally:
        _remove(unfinished)


def remove_unfinished(folder, name="*"):
    """Delete what killed processes left in a folder that no other one writes now."""
    for left in folder.glob(f"{name}{UNFINISHED}"):
        _remove(left)


def _remove(path):
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def replace(path, content):
    """Give the file `path` the bytes `content` at once: no reader meets half of them.

    Where several processes write the file, call it under `alone`.
    """
    with whole(path) as unfinished:
        unfinished.write_bytes(content)
