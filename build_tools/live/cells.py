"""What stands in a notebook for each kind of widget: a cell to type in.

`cells.toml` has a template for each kind. Its fields are the widget's options; {a, b}
of Python is doubled. The names begin with `box_`, so that a run of the cell changes
nothing that the page goes on with.
"""

import tomllib
from pathlib import Path

CELLS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
ONLY_THE_BOOK = {"book", "search", "steps"}


def cell_of(kind, options):
    """Return the source of the cell for a widget; None where only the book can answer.

    options: as its directive has them. Raises KeyError for a kind that is not known.
    """
    if kind in ONLY_THE_BOOK:
        return None
    texts = {name: repr(value) for name, value in options.items()}
    if kind != "senses":
        known = {"pattern": repr("previous word"), "second": "None"} | texts
        return CELLS[kind].format_map(known)
    any_word = "choose" in options
    texts["imports"] = "load_parts, " if any_word else ""
    texts["rows"] = CELLS["rows"]["word" if any_word else "page"]
    return CELLS[kind].format_map(texts)
