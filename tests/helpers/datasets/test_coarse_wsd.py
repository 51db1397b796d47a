"""CoarseWSD-20: how its files are read, and what is refused."""

import hashlib

import pytest

from helpers.datasets import load_coarse_wsd
from tests.bad_input import one_line
from tests.helpers.datasets.coarse_wsd import DATA, OFFICIAL_ROWS, write_word

pytestmark = pytest.mark.usefixtures("fresh_process")


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


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"word": "crain"}, ["'crain'", "did you mean", "crane"]),
        ({"word": "zebra"}, ["'zebra'", *OFFICIAL_ROWS]),
        ({"split": "dev"}, ["'dev'", '"train"', '"test"']),
    ],
)
def test_wrong_argument_is_named(monkeypatch, tmp_path, arguments, words):
    write_word(tmp_path)
    monkeypatch.setenv("COARSE_WSD_HOME", str(tmp_path))
    message = one_line(
        ValueError, lambda: load_coarse_wsd(**{"word": "crane"} | arguments)
    )
    assert [word for word in words if word not in message] == []


@pytest.mark.parametrize("lost", ["classes_map", "train_gold"])
def test_missing_file_is_named(monkeypatch, tmp_path, lost):
    write_word(tmp_path, **{lost: None})
    monkeypatch.setenv("COARSE_WSD_HOME", str(tmp_path))
    message = one_line(FileNotFoundError, lambda: load_coarse_wsd("crane"))
    assert f"{lost.replace('_', '.', lost != 'classes_map')}.txt is missing" in message


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"train_data": "2\tcrane one two\n"}, ["train.data.txt, line 1", "index 2"]),
        ({"train_data": "-1\ta crane\n"}, ["train.data.txt, line 1", "TAB"]),
        ({"train_data": "0\tcrane\n\n0\tcrane"}, ["train.data.txt, line 2", "TAB"]),
        ({"train_gold": "²\n0\n1\n"}, ["train.gold.txt, line 1", "'²'"]),
        ({"train_gold": "0\n1\n2\n"}, ["train.gold.txt, line 3", "'2'"]),
        ({"train_gold": "0\n1\n"}, ["3 lines", "train.gold.txt 2"]),
        ({"classes_map": "[1]"}, ["classes_map.txt", "JSON"]),
    ],
)
def test_malformed_line_is_named(monkeypatch, tmp_path, changed, words):
    write_word(tmp_path, **changed)
    monkeypatch.setenv("COARSE_WSD_HOME", str(tmp_path))
    message = one_line(ValueError, lambda: load_coarse_wsd("crane"))
    assert [word for word in words if word not in message] == []


def test_official_set_is_read_whole(official, official_set):
    rows = {word: [] for word in OFFICIAL_ROWS}
    for (word, _), frame in official_set.items():
        rows[word].append(len(frame))
        targets = [s[i] for s, i in zip(frame.sentence, frame.word_pos, strict=True)]
        assert set(targets) == {word}
    assert {word: tuple(n) for word, n in rows.items()} == OFFICIAL_ROWS
    for line in (DATA / "coarse-wsd-20.sha256").read_text().splitlines():
        sha256, name = line.split("  ")
        found = hashlib.sha256((official / name).read_bytes()).hexdigest()
        assert found == sha256, name
