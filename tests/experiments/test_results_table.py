"""What `make results` runs: the official files, and a whole table or none."""

import os

import pandas as pd
import pytest

from experiments import results_table, word_senses
from helpers import DATA
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


def test_word_senses_are_written_whole_or_not_at_all(
    tiny, monkeypatch, tmp_path, capsys
):
    monkeypatch.setenv("COARSE_WSD_HOME", str(DATA / "coarse-wsd-20-mini"))
    monkeypatch.setattr(word_senses, "load_bert", lambda: tiny)
    monkeypatch.setattr(word_senses, "coarse_wsd_words", lambda: ["crane", "mole"])
    path = tmp_path / "deep" / "results" / "word-senses.csv"
    word_senses.main(["--out", str(path.parent)])
    assert os.listdir(path.parent) == [path.name]
    about = [line for line in path.read_text().splitlines() if line.startswith("#")]
    assert tiny.name in about[0] and "float32" in about[0]
    assert about[-1].endswith("python -m experiments.word_senses --out data/results")
    table = pd.read_csv(path, comment="#")
    assert table.groupby("word").size().to_dict() == {"crane": 6, "mole": 6}
    assert "accuracy_all" in capsys.readouterr().out
    before = path.read_text()
    monkeypatch.setattr(
        word_senses, "coarse_wsd_words", lambda: ["crane", "no-such-word"]
    )
    with pytest.raises(SystemExit):
        word_senses.main(["--out", str(path.parent)])
    assert path.read_text() == before and os.listdir(path.parent) == [path.name]
