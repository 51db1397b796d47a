"""The plumbing of the course; what is being taught stays in the chapters.

Importing the package costs nothing: PyTorch, pandas and transformers load with the
module that needs them.
"""

import re
from pathlib import Path

from helpers._support.hosted import install_missing

__all__ = ["DATA", "filled", "glue", "glued_text", "install_missing"]
DATA = Path(__file__).resolve().parents[1] / "data"
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

    >>> filled("{n:.1f} of {mask}", {"n": 2, "mask": "[MASK]"})
    '2.0 of \\\\[MASK\\\\]'
    """
    return text.format_map(
        {
            name: MARKUP.sub(r"\\\g<0>", value) if isinstance(value, str) else value
            for name, value in values.items()
        }
    )
