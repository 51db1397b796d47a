"""What `make results` writes is of the official files."""

import pytest

from experiments.results_table import ask_for_official
from helpers.datasets import COARSE_WSD


@pytest.mark.parametrize("home", ["sample", None])
def test_the_sample_is_refused(home, monkeypatch):
    monkeypatch.delenv("COARSE_WSD_HOME", raising=False)
    if home:
        monkeypatch.setenv("COARSE_WSD_HOME", home)
    with pytest.raises(SystemExit, match="COARSE_WSD_HOME must name the folder"):
        ask_for_official(COARSE_WSD)


def test_a_folder_of_the_official_files_is_taken(monkeypatch, tmp_path):
    monkeypatch.setenv("COARSE_WSD_HOME", str(tmp_path))
    ask_for_official(COARSE_WSD)
