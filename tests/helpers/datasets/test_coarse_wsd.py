"""CoarseWSD-20: which folder is read, and how its files are."""

import os

import pytest

from helpers._support import downloads
from helpers.datasets import coarse_wsd_senses, load_coarse_wsd
from tests.bad_input import one_line
from tests.helpers.datasets.coarse_wsd import (
    OFFICIAL_ROWS,
    SAMPLE,
    load_all,
    write_word,
)
from tests.official import official_folder

pytestmark = pytest.mark.usefixtures("fresh_process")

HOME = os.environ.get("COARSE_WSD_HOME", "sample")


@pytest.fixture(scope="session")
def official():
    return official_folder("CoarseWSD-20", "COARSE_WSD_HOME", HOME)


def shown(capsys):
    return capsys.readouterr().out.splitlines()


def test_home_chooses_the_sample_without_a_word(monkeypatch, capsys):
    monkeypatch.setenv("COARSE_WSD_HOME", "sample")
    frame = load_coarse_wsd("crane")
    assert frame.attrs["source"] == "sample"
    assert list(frame.columns) == ["sentence", "word_pos", "label", "sense"]
    assert len(frame) == len((SAMPLE / "crane/train.gold.txt").read_text().split())
    assert shown(capsys) == []


def test_home_names_a_folder(monkeypatch, tmp_path, capsys):
    write_word(tmp_path / "mine")
    monkeypatch.setenv("COARSE_WSD_HOME", str(tmp_path / "mine"))
    frame = load_coarse_wsd("crane", "test")
    assert frame.attrs["source"] == str(tmp_path / "mine")
    assert frame.sentence.tolist() == [["a", "crane", "."]]
    assert shown(capsys) == []


def test_traps_of_the_official_files(monkeypatch, tmp_path):
    write_word(tmp_path)
    monkeypatch.setenv("COARSE_WSD_HOME", str(tmp_path))
    frame = load_coarse_wsd("crane")
    assert frame.sentence.tolist() == [
        ['"', "the", "crane", "fell", "."],
        ["one", "day", "a", "crane", "flew", "by"],
        ["crane", '"', "''s", "''", "."],
    ]
    assert frame.word_pos.tolist() == [2, 3, 0]
    assert frame.label.tolist() == [0, 1, 1]
    assert frame.sense.tolist() == ["crane_(machine)", "crane_(bird)", "crane_(bird)"]
    assert len(load_coarse_wsd("crane", "test")) == 1


def test_n_samples_are_drawn_by_seed(monkeypatch):
    monkeypatch.setenv("COARSE_WSD_HOME", "sample")
    full, drawn = load_coarse_wsd("seal"), load_coarse_wsd("seal", n_samples=20, seed=1)
    assert drawn.index.tolist() == list(range(20))
    assert drawn.attrs["source"] == "sample"
    sentences = drawn.sentence.map(" ".join)
    assert sentences.is_unique and set(sentences) <= set(full.sentence.map(" ".join))
    assert drawn.equals(load_coarse_wsd("seal", n_samples=20, seed=1))
    assert not drawn.equals(load_coarse_wsd("seal", n_samples=20, seed=2))
    assert not drawn.equals(full.head(20))
    assert len(load_coarse_wsd("seal", n_samples=len(full))) == len(full)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"word": "crain"}, ["'crain'", "did you mean", "crane"]),
        ({"word": "CRANE"}, ["'CRANE'", "did you mean crane"]),
        ({"word": "zebra"}, ["'zebra'", *OFFICIAL_ROWS]),
        ({"word": None}, ["None", "apple"]),
        ({"split": "dev"}, ["'dev'", '"train"', '"test"']),
        ({"n_samples": 4}, ["4", "3 rows", "crane/train"]),
        ({"n_samples": 0}, ["n_samples=0", "positive"]),
        ({"n_samples": -2}, ["n_samples=-2", "positive"]),
        ({"n_samples": 2.0}, ["n_samples=2.0", "whole number"]),
        ({"n_samples": True}, ["n_samples=True", "whole number"]),
        ({"n_samples": "all"}, ["'all'", "whole number"]),
    ],
)
def test_wrong_argument_is_named(monkeypatch, tmp_path, arguments, words):
    write_word(tmp_path)
    monkeypatch.setenv("COARSE_WSD_HOME", str(tmp_path))
    message = one_line(
        ValueError, lambda: load_coarse_wsd(**{"word": "crane"} | arguments)
    )
    assert [word for word in words if word not in message] == []


@pytest.mark.parametrize("call", [load_coarse_wsd, coarse_wsd_senses])
@pytest.mark.parametrize("kind", ["absent", "empty", "a file", "other words"])
def test_wrong_home_is_named(monkeypatch, tmp_path, capsys, kind, call):
    home = tmp_path / "home"
    if kind == "empty":
        home.mkdir()
    elif kind == "a file":
        home.touch()
    elif kind == "other words":
        write_word(home, "mole")
    monkeypatch.setenv("COARSE_WSD_HOME", str(home))
    message = one_line(FileNotFoundError, lambda: call("crane"))
    assert str(home) in message and "COARSE_WSD_HOME must" in message
    assert ("is not a folder" in message) == (kind in ("absent", "a file"))
    assert shown(capsys) == []


@pytest.mark.parametrize("lost", ["classes_map", "train_data", "train_gold"])
def test_missing_file_is_named(monkeypatch, tmp_path, lost):
    write_word(tmp_path, **{lost: None})
    monkeypatch.setenv("COARSE_WSD_HOME", str(tmp_path))
    message = one_line(FileNotFoundError, lambda: load_coarse_wsd("crane"))
    assert f"{lost.replace('_', '.', lost != 'classes_map')}.txt is missing" in message


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"train_data": "2\tcrane one two\n"}, ["train.data.txt, line 1", "index 2"]),
        ({"train_data": "0\tcrane\n7\ta crane\n"}, ["train.data.txt, line 2", "7"]),
        ({"train_data": "-1\ta crane\n"}, ["train.data.txt, line 1", "TAB"]),
        ({"train_data": "0\tcrane\n\n0\tcrane"}, ["train.data.txt, line 2", "TAB"]),
        ({"train_data": "0 crane\n"}, ["train.data.txt, line 1", "TAB"]),
        ({"train_data": "x\tcrane\n"}, ["train.data.txt, line 1", "index"]),
        ({"train_data": f"{10**4000}\tcrane\n"}, ["train.data.txt, line 1"]),
        ({"train_gold": "²\n0\n1\n"}, ["train.gold.txt, line 1", "'²'"]),
        ({"train_gold": "0\n1\n2\n"}, ["train.gold.txt, line 3", "'2'"]),
        ({"train_gold": "0\n\n1\n"}, ["train.gold.txt, line 2", "''"]),
        ({"train_gold": "0\n1\n"}, ["3 lines", "train.gold.txt 2"]),
        ({"train_data": ""}, ["train.data.txt is empty"]),
        ({"classes_map": "0: crane"}, ["classes_map.txt", "JSON"]),
        ({"classes_map": "[1]"}, ["classes_map.txt", "JSON"]),
    ],
)
def test_malformed_line_is_named(monkeypatch, tmp_path, changed, words):
    write_word(tmp_path, **changed)
    monkeypatch.setenv("COARSE_WSD_HOME", str(tmp_path))
    message = one_line(ValueError, lambda: load_coarse_wsd("crane"))
    assert [word for word in words if word not in message] == []


def test_file_that_is_not_utf8_is_named(monkeypatch, tmp_path):
    write_word(tmp_path)
    (tmp_path / "crane/train.data.txt").write_bytes(b"0\tcrane \xff\n")
    monkeypatch.setenv("COARSE_WSD_HOME", str(tmp_path))
    message = one_line(ValueError, lambda: load_coarse_wsd("crane"))
    assert "train.data.txt is not UTF-8" in message


@pytest.mark.parametrize("home", ["", "sample"])
def test_absent_data_folder_is_named(monkeypatch, tmp_path, home):
    monkeypatch.setattr(downloads, "DATA", tmp_path / "nowhere")
    monkeypatch.setenv("COARSE_WSD_HOME", home)
    message = one_line(FileNotFoundError, lambda: load_coarse_wsd("crane"))
    assert "nowhere" in message and "pip install -e ." in message


@pytest.fixture(scope="module")
def official_set(official):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COARSE_WSD_HOME", str(official))
        return load_all()


def test_official_set_is_read_whole(official_set):
    rows = {word: [] for word in OFFICIAL_ROWS}
    for (word, _), frame in official_set.items():
        rows[word].append(len(frame))
        targets = [s[i] for s, i in zip(frame.sentence, frame.word_pos, strict=True)]
        assert set(targets) == {word}
    assert {word: tuple(n) for word, n in rows.items()} == OFFICIAL_ROWS
