"""Progress bars: silent where TQDM_DISABLE says so, whichever bar tqdm takes."""

import io

import pytest
import tqdm.auto
import tqdm.notebook

from helpers._support.progress_bar import progress_bar


@pytest.mark.parametrize("kind", [tqdm.std.tqdm, tqdm.notebook.tqdm])
@pytest.mark.parametrize(
    ("variable", "disable", "silent"),
    [(None, False, False), ("0", False, False), ("1", False, True), (None, True, True)],
)
def test_environment_silences_bars(monkeypatch, kind, variable, disable, silent):
    monkeypatch.setattr(tqdm.auto, "tqdm", kind)
    monkeypatch.delenv("TQDM_DISABLE", raising=False)
    if variable is not None:
        monkeypatch.setenv("TQDM_DISABLE", variable)
    options = {"display": False} if kind is tqdm.notebook.tqdm else {}
    bar = progress_bar(range(3), disable=disable, file=io.StringIO(), **options)
    assert bar.disable == silent
    assert list(bar) == [0, 1, 2]
