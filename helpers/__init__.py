"""The plumbing of the course; what is being taught stays in the chapters.

Importing the package costs nothing: PyTorch, pandas and transformers load with the
module that needs them.
"""

from pathlib import Path

DATA = Path(__file__).resolve().parents[1] / "data"


def glue(name, value, display=False):
    """Keep `value` under `name` for the text of the built book (myst_nb's glue).

    Does nothing where myst_nb is not installed or no notebook kernel runs.
    """
    try:
        from IPython import get_ipython

        if getattr(get_ipython(), "kernel", None) is None:
            return
        from myst_nb import glue as myst_glue
    except ImportError:
        return
    myst_glue(name, value, display=display)
