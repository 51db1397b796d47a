"""The official data sets, where the environment names their folders."""

import warnings
from pathlib import Path

import pytest


def official_folder(name, variable, home):
    """Return the folder of an official set, or skip, loudly.

    home: what the environment variable was set to before any test changed it.
    """
    if home == "sample" or not Path(home).is_dir():
        warnings.warn(
            f"{name} is not here, so tests against it were skipped: set {variable} to "
            "its folder",
            stacklevel=2,
        )
        pytest.skip(f"{variable} names no folder")
    return Path(home)
