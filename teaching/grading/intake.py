"""Taking a submission in: a regular file, read once and copied to an empty place."""

import os
import stat
from pathlib import Path

from teaching.grading.owners import named_by_platform

NOTEBOOK = 32 * 2**20  # bytes
BESIDE = 64 * 2**20  # bytes of all files beside a notebook
FILES = 200
DEPTH = 30  # folders in folders that are looked into
ENDING = ".ipynb"
NOT_HANDED_IN = (".ipynb_checkpoints", "__MACOSX")  # what programs leave beside work


class Unusable(Exception):
    """What was handed in is not graded; the text says why."""


def submissions(folder):
    """Return whatever is named as a notebook in a folder and in folders in it.

    Pipes, links and folders of that name too, and folders that cannot be looked into:
    each gets a row. Checkpoints and what macOS adds to an archive do not.
    """
    found = []
    for entry in _entries(folder):
        linked = entry.is_symlink() and os.path.isdir(entry)
        if linked or entry.name.lower().endswith(ENDING) or _is_shut(entry, folder):
            found.append(Path(entry.path))
    return sorted(found)


def without_notebook(folder, paths):
    """Return a file of each hand-in that holds none of `paths`, such as an archive."""
    there, found = {_whose(path.relative_to(folder)) for path in paths}, {}
    for entry in _entries(folder):
        own = Path(entry.path).relative_to(folder)
        shown = entry.is_file(follow_symlinks=False) and not entry.name.startswith(".")
        if shown and _whose(own) not in there:
            found.setdefault(_whose(own), own)
    return sorted(found.values())


def _whose(path):
    return named_by_platform(path) or path.parts[0]


def _entries(folder):
    """Yield what lies in a folder and, to DEPTH, in folders in it."""
    waiting = [(str(folder), DEPTH)]
    while waiting:
        place, left = waiting.pop()
        try:
            entries = sorted(os.scandir(place), key=lambda entry: entry.name)
        except OSError:  # none, or one that this user may not read
            continue
        for entry in entries:
            if entry.name not in NOT_HANDED_IN and not entry.name.startswith("._"):
                yield entry
                if left and entry.is_dir(follow_symlinks=False):
                    waiting.append((entry.path, left - 1))


def _is_shut(entry, folder):
    """Whether it is a folder too deep, too long a path or not to be read by us."""
    depth = len(Path(entry.path).relative_to(folder).parts)
    shut = depth > DEPTH or not os.access(entry.path, os.R_OK | os.X_OK)
    return shut and entry.is_dir(follow_symlinks=False)


def take(path, folder, place):
    """Copy a notebook, and what lies with it in a folder of its own, to `place`.

    Returns (name of the copy, remarks); raises Unusable.
    """
    place.mkdir(parents=True)
    data = read(path, NOTEBOOK)
    remarks = []
    if path.parent != Path(folder) and len(submissions(path.parent)) == 1:
        remarks = _take_beside(path, place)
    copy = place / f"notebook{ENDING}"
    copy.unlink(missing_ok=True)
    copy.write_bytes(data)
    return copy.name, remarks


def _take_beside(path, place):
    """Copy the files beside a notebook; what is too much or no file stays out."""
    left, count, remarks = BESIDE, 0, []
    for entry in _entries(path.parent):
        source = Path(entry.path)
        if source == path or os.path.isdir(entry):
            continue
        count += 1
        try:
            if count > FILES:
                raise Unusable(f"there are more than {FILES} files")
            data = read(source, left)
        except Unusable as error:
            remarks.append(f"a file beside it was left out: {error}")
            if count > FILES:
                break
            continue
        left -= len(data)
        target = place / source.relative_to(path.parent)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    return remarks[-3:]


def read(path, largest):
    """Return the bytes of a regular file; raises Unusable for anything else."""
    try:
        number = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        why = "it is a link" if path.is_symlink() else error.strerror
        raise Unusable(f"cannot be read: {why}") from None
    mode = os.fstat(number).st_mode
    if not stat.S_ISREG(mode):
        os.close(number)
        kind = "a folder" if stat.S_ISDIR(mode) else "no regular file"
        raise Unusable(f"cannot be read: it is {kind}")
    try:
        with open(number, "rb") as file:
            data = file.read(largest + 1)
    except OSError as error:
        raise Unusable(f"cannot be read: {error.strerror}") from None
    if len(data) > largest:
        raise Unusable(f"is larger than {largest / 2**20:.0f} MB")
    return data
