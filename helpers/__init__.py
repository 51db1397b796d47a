"""The plumbing of the course; what is being taught stays in the chapters.

Importing the package costs nothing: PyTorch, pandas and transformers load with the
module that needs them.
"""

import re
from pathlib import Path

from helpers._support.hosted import install_missing
from helpers._support.this_run import choose_run

__all__ = [
    "CLAIM",
    "DATA",
    "NOT_SO",
    "choose_run",
    "escaped",
    "filled",
    "found_instead",
    "glue",
    "glued_text",
    "install_missing",
]
DATA = Path(__file__).resolve().parents[1] / "data"
CLAIM = "claim: "  # how the name begins under which a claim says whether it held
NOT_SO = "not so in this run"
MARKUP = re.compile(r"[\\`*_\[\]<>&#$|~!]")  # what Markdown reads as more than text
_glued = {}


def glue(name, value, display=False):
    """Keep `value` under `name` for the text of the built book (myst_nb's glue).

    In a notebook, `glued_text` reads it. display: whether the cell shows it as well.

    >>> glue("accuracy", 0.75)
    >>> glued_text("{accuracy:.0%} of the answers are right").data
    '75% of the answers are right'
    """
    _glued[name] = value
    try:
        from IPython import get_ipython

        if getattr(get_ipython(), "kernel", None) is None:
            return
        from myst_nb import glue as myst_glue
    except ImportError:
        return
    myst_glue(name, value, display=display)


def glued_text(text):
    """Fill glued values into a text with {name} or {name:format} fields.

    Returns IPython's Markdown, which the notebook shows, with the numbers of the
    reader's own run. A string is escaped, so that its `*` or `_` shows as it is.
    Raises LookupError for a name under which nothing is glued.

    >>> glue("mask", "[MASK]")
    >>> print(glued_text("BERT fills {mask}").data)
    BERT fills \\[MASK\\]
    """
    from IPython.display import Markdown

    try:
        return Markdown(filled(text, _glued))
    except KeyError as error:
        raise LookupError(f"{error} has no value yet; run the cells above") from None


def filled(text, values):
    """Return a text with its fields filled, as `glued_text` does; KeyError for one.

    The words between {claim:a b} and {claim:/a b} are marked where a claim of these
    names does not hold, and what was found instead stands below the text.

    >>> filled("{n:.1f} of {mask}", {"n": 2, "mask": "[MASK]"})
    '2.0 of \\\\[MASK\\\\]'
    """
    fields = {
        name: escaped(value) if isinstance(value, str) else value
        for name, value in values.items()
    }
    marks = Marks(values)
    shown = text.format_map(fields | {"claim": marks})
    return "\n\n".join([shown.rstrip("\n"), *marks.below]) if marks.below else shown


def escaped(text):
    """Return Markdown that shows a text as it is; the door for text of others.

    >>> print(escaped("<b>5 * 3</b>"))
    \\<b\\>5 \\* 3\\</b\\>
    """
    return MARKUP.sub(r"\\\g<0>", str(text))


def found_instead(record):
    """Say what was found where a claim does not hold, and why it may be so.

    record: of the claim, a dict of found and why, both plain text.

    >>> found_instead({"found": "It has 6.", "why": "the model is tiny"})
    'It has 6. (The page was written for another run: here the model is tiny.)'
    """
    why = record["why"]
    said = f"(The page was written for another run: here {why}.)" if why else ""
    return f"{record['found']} {said}".strip()


class Marks:
    """The fields {claim:a b} and {claim:/a b} around words that claims hold."""

    def __init__(self, values):
        self.values, self.below = values, []  # what stands below the text

    def __format__(self, names):
        records = [self.values[CLAIM + name] for name in names.strip("/").split()]
        failed = [record for record in records if not record["holds"]]
        if not failed:
            return ""
        if not names.startswith("/"):
            return "<mark>"
        for said in filter(None, map(found_instead, failed)):
            line = f"> **In this run:** {escaped(' '.join(said.split()))}"
            self.below += [line] if line not in self.below else []
        return f"</mark> *({NOT_SO})*"
