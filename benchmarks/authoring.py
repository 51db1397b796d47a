"""How long an author waits: builds after small edits, on a copy of the built book.

    python -m benchmarks.authoring

Run `make book` before. Times are those of the machine at the moment; the processors'
seconds, kernels included, depend less on what else runs.
"""

import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from build_tools.book.execution import DEFAULTS
from helpers.exercises.chapters import chapter_named

ROOT = Path(__file__).resolve().parents[1]
PAGE = chapter_named("word-senses").page.relative_to(ROOT)
HELPER = "helpers/senses.py"
COLOURS = re.compile(r"\x1b\[[\d;]*m")
EDITS = {
    "nothing": lambda book: None,
    "a sentence": lambda book: put(book / PAGE, "\n## Summary\n", "One more.\n"),
    "a cell": lambda book: put(book / PAGE, "{code-cell} ipython3\n", "print(1)\n"),
    "a helper": lambda book: (book / HELPER).open("a").write("\n# One more.\n"),
    "the glossary": lambda book: put(
        book / "chapters/glossary.md", ":sorted:\n", "an example\n  What is new.\n\n"
    ),
}


def put(path, place, text):
    """Put a text into a file: before a heading, after what opens a block."""
    before, found, after = path.read_text(encoding="utf-8").partition(place)
    if not found:
        raise ValueError(f"{path} has no {place!r}: name another place for the edit")
    new = f"\n{text}{found}" if place.startswith("\n") else found + text
    path.write_text(before + new + after, encoding="utf-8")


def copy_of_book(folder):
    """Copy the project's own files and what was built from them; keep their times."""
    listed = subprocess.check_output(["git", "ls-files"], cwd=ROOT, text=True)
    for name in listed.splitlines():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, folder / name)
    shutil.copytree(ROOT / "_build", folder / "_build", symlinks=True)


def build(book):
    """Build; returns seconds, processors' seconds, pages read, chapters executed."""
    used, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    command = [Path(sys.executable).with_name("jupyter-book"), "build", ".", "-W"]
    chosen = {**DEFAULTS, **os.environ, "PYTHONPATH": str(book)}
    done = subprocess.run(command, cwd=book, env=chosen, capture_output=True, text=True)
    seconds = time.perf_counter() - start
    if done.returncode:
        sys.exit(f"error: the book was not built:\n{done.stderr[-2000:]}")
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    output = COLOURS.sub("", done.stdout)
    runs = re.findall(r"executed (\S+) in (\d+) s", output)
    read = re.search(r"(\d+) added, (\d+) changed", output)
    return {
        "seconds": round(seconds, 1),
        "processor": round(sum(now[:2]) - sum(used[:2]), 1),  # user's and system's
        "read": int(read[2]) if read else 0,
        "executed": " ".join(f"{name} ({took} s)" for name, took in runs) or "none",
    }


def main():
    if not (ROOT / "_build/.book").is_file():
        sys.exit("error: the book is not built: run make book")
    with tempfile.TemporaryDirectory() as folder:
        book = Path(folder) / "book"
        copy_of_book(book)
        build(book)  # another folder: everything is read once
        for name, edit in EDITS.items():
            edit(book)
            found = ", ".join(f"{key} {value}" for key, value in build(book).items())
            print(f"{name}: {found}", flush=True)


if __name__ == "__main__":
    main()
