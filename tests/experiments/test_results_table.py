"""What `make results` runs: the official files, and a whole table or none."""

import os

import pytest

from experiments import results_table
from helpers.datasets import COARSE_WSD


def refused(out, capsys, compute=None):
    """Ends with 2 and one line, which is returned."""
    with pytest.raises(SystemExit) as caught:
        results_table.write_results(
            "experiments.x", COARSE_WSD, "x.csv", compute, ["--out", str(out)]
        )
    said = capsys.readouterr().err
    assert caught.value.code == 2 and said.count("\n") == 1
    return said


@pytest.mark.parametrize("home", ["sample", None])
def test_the_sample_is_refused(home, monkeypatch, tmp_path, capsys):
    monkeypatch.delenv("COARSE_WSD_HOME", raising=False)
    if home:
        monkeypatch.setenv("COARSE_WSD_HOME", home)
    said = refused(tmp_path / "results", capsys)
    assert "COARSE_WSD_HOME must name the folder" in said
    assert os.listdir(tmp_path) == []


def test_what_stands_in_the_way_is_named_and_kept(monkeypatch, tmp_path, capsys):
    def absent():
        raise FileNotFoundError("absent is not a folder")

    monkeypatch.setenv("COARSE_WSD_HOME", str(tmp_path))
    assert "absent is not" in refused(tmp_path / "results", capsys, absent)
    assert os.listdir(tmp_path) == []
    (tmp_path / "file").write_text("kept")
    assert "--out must name a folder" in refused(tmp_path / "file", capsys)
    assert (tmp_path / "file").read_text() == "kept"
