"""What `make results` writes is of the official files."""

import pytest

from experiments.results_table import run_on_official
from helpers.datasets import COARSE_WSD, load_coarse_wsd


@pytest.mark.parametrize("home", ["sample", None])
def test_the_sample_is_refused(home, monkeypatch):
    monkeypatch.delenv("COARSE_WSD_HOME", raising=False)
    if home:
        monkeypatch.setenv("COARSE_WSD_HOME", home)
    with pytest.raises(SystemExit, match="COARSE_WSD_HOME must name the folder"):
        run_on_official(COARSE_WSD, lambda: pytest.fail("it ran"))


def test_a_folder_without_the_files_ends_in_one_line(monkeypatch, tmp_path):
    monkeypatch.setenv("COARSE_WSD_HOME", str(tmp_path))
    with pytest.raises(SystemExit, match="error: .*classes_map.txt is missing"):
        run_on_official(COARSE_WSD, lambda: load_coarse_wsd("crane"))
