"""What a notebook shows before its first run, and keeps of the run of its page.

It lies in the notebook itself, so that an export needs no book and a changed sentence
changes no other file: in its metadata the glued values, the minutes and the digest of
the code that made the values; in its first cell the picture on which the page opens.
Values are those of the last run of that code: as long as it is the same they stay,
whatever another machine would compute.
"""

from dataclasses import asdict, dataclass, field, replace

import nbformat

from build_tools.book import reading_time
from build_tools.book.dependencies import chapter_digest, name_of
from build_tools.book.execution import run_of
from build_tools.book.glued_values import OPENING, opened_on, opening_of, values_of

FOLDER = "notebooks"
PLACE = "inside_bert"  # in the metadata of a notebook


@dataclass(frozen=True)
class Kept:
    """digest: of code. values: {name: value}, HTML at OPENING. minutes: {part: int}."""

    digest: str = ""
    values: dict = field(default_factory=dict)
    minutes: dict = field(default_factory=dict)

    def metadata(self):
        """Return what stands in the metadata of the notebook."""
        kept = {name: value for name, value in asdict(self).items() if value}
        if "values" in kept:
            kept["values"] = {k: v for k, v in self.values.items() if k != OPENING}
        return {PLACE: kept} if kept else {}


def in_notebook(page, root):
    """Return the Kept of a page's notebook, an empty one where there is none."""
    path = root / FOLDER / f"{name_of(page)}.ipynb"
    if not path.is_file():
        return Kept()
    notebook = nbformat.read(path, nbformat.NO_CONVERT)
    kept = Kept(**notebook.metadata.get(PLACE, {}))
    return replace(kept, values=dict(kept.values) | opened_on(notebook))


def of_run(page, root, minutes):
    """Return the Kept of a page's run as it is now.

    Raises ValueError where it has not run.
    """
    run = run_of(page, root)
    digest = chapter_digest(page, root, machine=False)
    return Kept(digest, values_of(run) | opening_of(run), minutes)


def renewed(page, root):
    """Return the Kept of a page after a build: new values only of code that is new.

    Raises ValueError where that code has not run.
    """
    kept = in_notebook(page, root)
    minutes = reading_time.minutes_of_built(page, root) or kept.minutes
    if kept.digest == chapter_digest(page, root, machine=False):
        return replace(kept, minutes=minutes)
    return of_run(page, root, minutes)
