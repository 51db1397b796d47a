"""The notebooks of a folder, and the files in it that are none."""

import os
import re
import stat
from pathlib import Path
from typing import NamedTuple

LARGEST = 32 * 2**20  # bytes of a notebook
DEPTH = 20  # folders in folders that are looked into
# A notebook, also where a browser or a platform has put more after its name.
NOTEBOOK = re.compile(r"\.ipynb(\.txt|\.json)?( ?\(\d+\))?(\.ipynb)?$", re.I)
RENAMED, WITHIN = (".json", ".txt", ""), re.compile(rb'"nbformat"\s*:')
LEFT_BEHIND = {".ipynb_checkpoints", "__MACOSX", ".DS_Store", "desktop.ini"}


class Unusable(Exception):
    """What was handed in is not graded; the text says why."""


class Submission(NamedTuple):
    """A file that was handed in as a notebook: its path, and its name in the table."""

    path: Path
    name: str

    @property
    def beside(self):
        """The folder whose files the notebook may read: its own, where it is alone."""
        folder = self.path.parent
        alone = sum(map(is_notebook, folder.iterdir())) == 1
        return folder if alone and "/" in self.name else None


def submissions_in(folder):
    """Return (Submissions, {name: why it is not graded}) of a folder, in their order.

    What programs leave behind, such as checkpoints, is neither.
    """
    found, others = [], {}
    for path, problem in _files_in(Path(folder), DEPTH):
        name = shown(path.relative_to(folder))
        if not problem and is_notebook(path):
            found.append(Submission(path, name))
        else:
            others[name] = problem or "no notebook (.ipynb)"
    return found, others


def is_notebook(path):
    """Whether a file is one by its name, or by what is in it, as JSON or as text."""
    if NOTEBOOK.search(path.name):
        return True
    try:
        text = path.suffix.lower() in RENAMED and path.is_file() and read(path)
    except Unusable:
        return False
    return bool(text and WITHIN.search(text))


def _files_in(folder, depth):
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        yield folder, error.strerror
        return
    for entry in entries:
        if entry.name in LEFT_BEHIND or entry.name.startswith("._"):
            continue
        if entry.is_symlink():
            yield Path(entry.path), "a link"
        elif not entry.is_dir():
            yield Path(entry.path), ""
        elif depth:
            yield from _files_in(Path(entry.path), depth - 1)
        else:
            yield Path(entry.path), "too deep in other folders"


def read(path):
    """Return the bytes of a submitted file; raises Unusable for none that is plain."""
    try:
        number = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        raise Unusable(error.strerror) from None
    with open(number, "rb") as file:
        if not stat.S_ISREG(os.fstat(number).st_mode):
            raise Unusable("no regular file")
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise Unusable(f"larger than {LARGEST // 2**20} MB")
    return data


def shown(path):
    """Return a path as text, also where its bytes are none."""
    text = os.fsencode(path).decode(errors="backslashreplace")
    return "".join(x if x.isprintable() else f"\\x{ord(x):02x}" for x in text)
