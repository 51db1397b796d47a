"""The table of the real collection: its three folds, and a row for each answer."""

import pandas as pd
import pytest

from experiments import spam_filters as spam
from helpers.datasets import load_sms_spam


@pytest.fixture
def messages(monkeypatch):
    monkeypatch.setenv("SMS_SPAM_HOME", "sample")
    return load_sms_spam()


@pytest.mark.parametrize("split", spam.SPLITS)
def test_split_drops_repeats_and_keeps_the_share_of_spam(messages, split):
    advertisement = "claim your prize of 100 pounds now call 0900 12 {} at once"
    family = pd.DataFrame({"text": [advertisement.format(i) for i in range(30)]})
    family["label"], family["kind"] = 1, "spam"
    rows = pd.concat([messages, family], ignore_index=True)
    parts = [spam.split_messages(rows, seed, split) for seed in (0, 1, 2)]
    for train, test in parts:
        assert not set(train.text) & set(test.text)
        assert len(train) + len(test) == rows.text.nunique()
        assert abs(train.label.mean() - test.label.mean()) < 0.02
    tests = pd.concat([test for _, test in parts])
    assert tests.text.is_unique and len(tests) == rows.text.nunique()
    held = [test.text.isin(family.text).sum() for _, test in parts]
    assert (sorted(held) == [0, 0, 30]) == (split == "families together")
    assert parts[1][1].equals(spam.split_messages(rows, 1, split)[1])


def test_table_has_a_row_for_each_method_and_seed(tiny, messages):
    seen = []
    few = messages.head(60)
    table = spam.evaluate(tiny, messages=few, epochs=1, say=seen.append)
    cheap = [*spam.METHODS[:3]]
    whole = [*spam.METHODS]
    assert table.method.tolist() == cheap * 4 + whole * 4
    assert table.seed.tolist() == [
        seed for names in (cheap, whole) for seed in (0, 1, 2, "all") for _ in names
    ]
    rows, pooled = table[table.seed != "all"], table[table.seed == "all"]
    assert (rows.train + rows.test == few.text.nunique()).all()
    assert (pooled.test == few.text.nunique()).all()
    shares = table[["accuracy", "precision", "recall", "f1"]]
    assert shares.stack().between(0, 1).all() and shares.notna().all(axis=None)
    assert rows.ece.between(0, 1).all() and len(seen) == len(rows)
    f1 = pooled.set_index(["split", "method"]).f1
    for split, method, difference in pooled[
        ["split", "method", "difference"]
    ].itertuples(index=False):
        expected = f1[split, method] - f1[split, "TF-IDF"]
        assert difference == pytest.approx(expected)


def test_the_command_says_how_its_table_was_made(tiny, messages, monkeypatch, tmp_path):
    monkeypatch.setenv("SMS_SPAM_HOME", str(tmp_path))
    monkeypatch.setattr(spam, "load_sms_spam", lambda: messages.head(60))
    monkeypatch.setattr(spam, "load_bert", lambda: tiny)
    spam.main(["--out", str(tmp_path / "out")])
    path = tmp_path / "out/sms-spam.csv"
    assert "made by: python -m experiments.spam_filters" in path.read_text()
    table = pd.read_csv(path, comment="#")
    assert set(table.method) == set(spam.METHODS)
