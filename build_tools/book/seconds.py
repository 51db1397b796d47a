"""How long the cells of each page run: `python -m build_tools.book.seconds [PAGE ...]`.

Pages are executed one at a time, with all cores, on a machine that does nothing else.
The seconds, of each cell too, are kept in the executed page, where
`build_tools.book.page_sizes` reads them; what the book shows does not change.
"""

import os
import sys
import tempfile
from pathlib import Path

import nbformat

from build_tools.book.dependencies import name_of
from build_tools.book.execution import ALONE, executable_pages, place_of_run, run_one
from build_tools.console import say
from helpers.whole_files import whole

TIMEOUT = 1800  # seconds a cell
SLOWEST = 3  # cells that are named


def measure(page, root):
    """Execute a page alone and keep its seconds; returns the timed notebook.

    Raises ValueError that says which cell failed.
    """
    with tempfile.TemporaryDirectory() as folder:
        timed = Path(folder) / "timed.ipynb"
        if failure := run_one(page, timed, TIMEOUT):
            raise ValueError(failure)
        notebook = nbformat.read(timed, nbformat.NO_CONVERT)
    place = place_of_run(page, root)
    kept = nbformat.read(place, nbformat.NO_CONVERT) if place.is_file() else notebook
    kept.metadata[ALONE] = notebook.metadata["execution_seconds"]
    for cell, timed_cell in zip(kept.cells, notebook.cells, strict=True):
        if "seconds" in timed_cell.metadata:
            cell.metadata["seconds"] = timed_cell.metadata["seconds"]
    place.parent.mkdir(parents=True, exist_ok=True)
    with whole(place) as unfinished:
        nbformat.write(kept, unfinished)
    return kept


def in_words(name, notebook):
    """Return a line for a page: its seconds, and how its slowest cells begin."""
    cells = [cell for cell in notebook.cells if "seconds" in cell.metadata]
    cells.sort(key=lambda cell: -cell.metadata["seconds"])
    slowest = "; ".join(
        f"{cell.metadata['seconds']:.0f} s {first_line(cell.source)}"
        for cell in cells[:SLOWEST]
    )
    return f"{name:24}{notebook.metadata[ALONE]:6.0f} s   {slowest}"


def first_line(code):
    return next((line.strip()[:40] for line in code.splitlines() if line.strip()), "")


def main(arguments=None):
    names = sys.argv[1:] if arguments is None else arguments
    root = Path.cwd()
    os.environ["OMP_NUM_THREADS"] = str(os.cpu_count())
    pages = {name_of(page): page for page in executable_pages(root)}
    if unknown := [name for name in names if name not in pages]:
        return f"error: there is no page {unknown[0]!r}; there are {', '.join(pages)}"
    total = 0
    for name in names or pages:
        try:
            notebook = measure(pages[name], root)
        except ValueError as error:
            return f"error: {error}"
        total += notebook.metadata[ALONE]
        say(in_words(name, notebook))
    say(f"{'together':24}{total:6.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
