"""The course's own sentences for word senses, beside the official ones."""

import json

import pytest

from helpers import datasets
from helpers.datasets import coarse_wsd_senses, coarse_wsd_words
from tests.helpers.datasets.coarse_wsd import (
    DATA,
    FILES,
    OFFICIAL_ROWS,
    SAMPLE,
    load_all,
)


@pytest.fixture(scope="module")
def sample():
    """(word, split) to DataFrame, for all of the sample; loading checks positions."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COARSE_WSD_HOME", "sample")
        return load_all()


def test_words_are_the_official_ones():
    assert coarse_wsd_words() == sorted(OFFICIAL_ROWS)
    lines = (DATA / "coarse-wsd-20.sha256").read_text().splitlines()
    known = {line.split("  ")[1] for line in lines}
    assert known == {f"{word}/{name}" for word in OFFICIAL_ROWS for name in FILES}
    assert {p.name for p in SAMPLE.iterdir() if p.is_dir()} == set(OFFICIAL_ROWS)


def test_sample_has_enough_of_every_sense(sample, monkeypatch):
    monkeypatch.setenv("COARSE_WSD_HOME", "sample")
    n_senses = 0
    for word in OFFICIAL_ROWS:
        senses = coarse_wsd_senses(word)
        n_senses += len(senses)
        for split, least in [("train", 10), ("test", 5)]:
            counts = sample[word, split].label.value_counts()
            assert set(counts.index) == set(senses), word
            assert counts.min() >= least, (word, split)
    assert n_senses == 53


def test_sample_points_at_its_words_and_looks_official(sample):
    for (word, split), frame in sample.items():
        text = (SAMPLE / word / f"{split}.data.txt").read_bytes().decode()
        assert text.endswith("\n") and "\r" not in text
        for line, row in zip(text.splitlines(), frame.itertuples(), strict=True):
            assert row.sentence[row.word_pos] == word
            assert line == f"{row.word_pos}\t{' '.join(row.sentence)}"
            assert line == line.lower() and "*" not in line


def test_sample_has_the_official_senses(official):
    for word in OFFICIAL_ROWS:
        name = f"{word}/classes_map.txt"
        ours, theirs = (SAMPLE / name).read_text(), (official / name).read_text()
        assert json.loads(ours) == json.loads(theirs), word


def test_sample_shares_nothing_with_the_official_set(sample, official_set):
    everything = {" ".join(s) for f in official_set.values() for s in f.sentence}
    for word in OFFICIAL_ROWS:
        theirs = set().union(*(runs(official_set[word, s]) for s in datasets.SPLITS))
        for split in datasets.SPLITS:
            ours = sample[word, split]
            assert not everything & set(ours.sentence.map(" ".join)), word
            assert not theirs & runs(ours), word


def runs(frame, length=8):
    """All sequences of 8 words within a sentence."""
    return {
        " ".join(s[i : i + length])
        for s in frame.sentence
        for i in range(len(s) - length + 1)
    }
