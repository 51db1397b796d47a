"""The page of what holds on other models, from tables that `make findings` has written.

    ```{other-models}
    ```

A table lies in data/results, one a model; without any the page says how one is made.
"""

import csv
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


def paths_in(root):
    """Return the files of data/results that hold such tables, by their names."""
    return sorted((root / "data/results").glob(NAME.format("*")))


def tables_in(root):
    """Return {model: (what is told of it, its rows by page and finding)}.

    Raises ValueError in one line for a file that is no such table.
    """
    tables = {}
    for path in paths_in(root):
        lines = path.read_text(encoding="utf-8").splitlines()
        about = [line[1:].strip() for line in lines if line.startswith("#")]
        reader = csv.DictReader(lines[len(about) :])
        if reader.fieldnames != COLUMNS:
            raise ValueError(f"{path}: its columns are not {', '.join(COLUMNS)}")
        rows = {(row["page"], row["finding"]): row for row in reader}
        tables[path.stem.removeprefix(NAME.partition("{")[0])] = "; ".join(about), rows
    return tables


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
        items = [
            nodes.list_item("", nodes.paragraph("", f"{name}: {about}."))
            for name, (about, _) in tables.items()
        ]
        heads, held = [*tables], [rows for _, rows in tables.values()]
        parts = [
            nodes.bullet_list("", *items),
            table_of(["page", *heads], by_page(words, held)),
        ]
        if failed := failing(words, held):
            parts += [
                nodes.rubric("", "Sentences that do not hold everywhere"),
                table_of(["page", "words", *heads], failed),
            ]
        return parts


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
    rows = [table[key] for key in keys if key in table]
    if not rows:
        return NOT_RUN
    held = sum(row["holds"] == YES for row in rows)
    return f"{held} of {len(rows)}" + (f" ({rows[0]['seconds']} s)" if timed else "")


def failing(words, tables):
    """Return rows of page, words, and for each model yes or what was found instead."""
    rows = []
    for key, text in words.items():
        of = [table.get(key, {"holds": NOT_RUN, "found": ""}) for table in tables]
        if any(row["holds"] == NO for row in of):
            rows.append([key[0], text, *map(_cell, of)])
    return rows


def _cell(row):
    return f"{row['holds']}: {row['found']}" if row["found"] else row["holds"]


def setup(app):
    """Connect the page to Sphinx; called by the extension of the book."""
    app.add_directive("other-models", OtherModels)
