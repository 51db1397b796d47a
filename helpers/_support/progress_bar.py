"""Progress bars for scripts and notebooks."""

import os


def progress_bar(*args, disable=False, **options):
    """Return tqdm's bar; TQDM_DISABLE=1 silences it, in a notebook too.

    tqdm reads the variable for terminals only, and only if it is set before tqdm is
    imported. The other arguments are tqdm's.

    >>> list(progress_bar([2, 3], delay=60))  # a bar after a minute
    [2, 3]
    """
    from tqdm.auto import tqdm

    silenced = os.environ.get("TQDM_DISABLE", "0") not in ("", "0")
    return tqdm(*args, disable=disable or silenced, **options)
