"""The page of what holds on other models, from tables that `make findings` has written.

    ```{other-models}
    ```

A table lies in data/results, one a model; without any the page says how one is made.
"""

import csv
from dataclasses import dataclass
from pathlib import Path

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from build_tools.book.dependencies import name_of
from build_tools.book.execution import executable_pages
from build_tools.book.findings import findings_of, table_of

PAGE = "chapters/other-models"
NAME = "findings-{}.csv"
COLUMNS = ["page", "finding", "holds", "found", "seconds"]
YES, NO, NOT_RUN = "yes", "no", "not run"
NONE = (
    "No table is kept yet: nobody has run the pages on another model and put what came "
    "out into this book. The command above makes one."
)


@dataclass(frozen=True)
class Table:
    """What holds on a model: its name, lines about it, rows {(page, finding): row}."""

    name: str
    about: list
    rows: dict

    @classmethod
    def read(cls, path):
        """Return the table in a file; ValueError in one line for what is none."""
        lines = path.read_text(encoding="utf-8").splitlines()
        about = [line[1:].strip() for line in lines if line.startswith("#")]
        reader = csv.DictReader(line for line in lines if not line.startswith("#"))
        if reader.fieldnames != COLUMNS:
            raise ValueError(f"{path}: its columns are not {', '.join(COLUMNS)}")
        rows = {(row["page"], row["finding"]): row for row in reader}
        return cls(path.stem.removeprefix(NAME.partition("{")[0]), about, rows)


def paths_in(root):
    """Return the files of data/results that hold such tables, by their names."""
    return sorted((root / "data/results").glob(NAME.format("*")))


def tables_in(root):
    """Return their Tables."""
    return [Table.read(path) for path in paths_in(root)]


class OtherModels(SphinxDirective):
    """What the tables say, page by page, and each sentence that failed somewhere."""

    def run(self):
        root = Path(self.env.srcdir)
        try:
            tables = tables_in(root)
        except ValueError as fault:
            raise self.error(str(fault)) from None
        if not tables:
            return [nodes.paragraph("", NONE)]
        words = {
            (name_of(page), found.name): found.words or found.name
            for page in executable_pages(root)
            for found in findings_of(page)
        }
        items = [nodes.list_item("", nodes.paragraph("", _title(t))) for t in tables]
        heads = [table.name for table in tables]
        parts = [
            nodes.bullet_list("", *items),
            table_of(["page", *heads], by_page(words, tables)),
        ]
        if failed := failing(words, tables):
            parts += [
                nodes.rubric("", "Sentences that do not hold everywhere"),
                table_of(["page", "words", *heads], failed),
            ]
        return parts


def _title(table):
    return f"{table.name}: {'; '.join(table.about)}."


def by_page(words, tables):
    """Return rows: a page, and for each model how many of its findings hold.

    words: {(page, finding): text} of the book as it is now. What a table says of a
    finding that the book has no more is left out.
    """
    rows = []
    for page in dict.fromkeys(page for page, _ in words):
        keys = [key for key in words if key[0] == page]
        rows.append([page, *(_count(keys, table) for table in tables)])
    return [*rows, ["all", *(_count(words, table, False) for table in tables)]]


def _count(keys, table, timed=True):
    rows = [table.rows[key] for key in keys if key in table.rows]
    if not rows:
        return NOT_RUN
    held = sum(row["holds"] == YES for row in rows)
    return f"{held} of {len(rows)}" + (f" ({rows[0]['seconds']} s)" if timed else "")


def failing(words, tables):
    """Return rows of page, words, and for each model yes or what was found instead."""
    rows = []
    for key, text in words.items():
        of = [table.rows.get(key, {"holds": NOT_RUN, "found": ""}) for table in tables]
        if any(row["holds"] == NO for row in of):
            rows.append([key[0], text, *map(_cell, of)])
    return rows


def _cell(row):
    return f"{row['holds']}: {row['found']}" if row["found"] else row["holds"]


def setup(app):
    """Connect the page to Sphinx; called by the extension of the book."""
    app.add_directive("other-models", OtherModels)
