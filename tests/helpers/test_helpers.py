"""The package itself: light to import, and glue for the book alone."""

import subprocess
import sys
import types
from pathlib import Path

import pytest

import helpers
from helpers import datasets

DATA = Path(datasets.__file__).parents[1] / "data"


def test_importing_helpers_loads_no_library():
    heavy = {"torch", "pandas", "transformers"}
    code = f"import sys, helpers; print({heavy} & {{*sys.modules}})"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=DATA.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "set()"


@pytest.mark.parametrize(
    ("in_kernel", "of_the_book"), [(True, True), (False, True), (True, False)]
)
def test_glue_keeps_a_value_only_in_a_kernel_of_the_book(
    monkeypatch, in_kernel, of_the_book
):
    kept = []
    fake = types.SimpleNamespace(glue=lambda name, value, display: kept.append(name))
    shell = types.SimpleNamespace(kernel=object() if in_kernel else None)
    monkeypatch.setitem(sys.modules, "myst_nb", fake if of_the_book else None)
    monkeypatch.setattr("IPython.get_ipython", lambda: shell)
    helpers.glue("n_words", 20)
    assert kept == (["n_words"] if in_kernel and of_the_book else [])
