"""The library transformers: which versions serve, and how it is kept quiet."""

from contextlib import contextmanager
from importlib.metadata import version

OLDEST_TRANSFORMERS = "5.0.0"


def require_transformers():
    """Raise ImportError where transformers is older than the oldest supported."""
    from packaging.version import Version

    installed = version("transformers")
    if Version(installed) < Version(OLDEST_TRANSFORMERS):
        raise ImportError(
            f"transformers {installed} is too old for this course; run: pip install "
            f'"transformers>={OLDEST_TRANSFORMERS}", then restart the kernel'
        )


@contextmanager
def quiet_transformers():
    """Keep loading reports and progress bars out of the pages."""
    from transformers.utils import logging

    verbosity, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(verbosity)
        if bars:
            logging.enable_progress_bar()
