"""The tables of the real collection and of ours: folds, rivals, every answer."""

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


def test_a_network_of_random_weights_has_the_size_and_not_the_weights(tiny):
    one, same, other = (spam.untrained(tiny, seed) for seed in (0, 0, 1))
    weights = [
        dict(bert.model.named_parameters())["embeddings.word_embeddings.weight"]
        for bert in (tiny, one, same, other)
    ]
    assert weights[0].shape == weights[1].shape
    assert (weights[1] == weights[2]).all() and one.tokenizer is tiny.tokenizer
    assert not (weights[1] == weights[0]).all() and not (weights[1] == weights[3]).all()


@pytest.mark.slow
def test_table_has_a_row_for_each_method_and_seed(tiny, messages):
    seen, few = [], messages.head(60)
    rates = dict.fromkeys(spam.NETWORKS, 1e-3)
    table, answers = spam.evaluate(spam.Filters(tiny, rates, 1), few, seen.append)
    whole, some = [*spam.METHODS], [*spam.REPEATED]
    assert table.method.tolist() == some * 4 + whole * 4
    assert table.seed.tolist() == [
        seed for names in (some, whole) for seed in (0, 1, 2, "all") for _ in names
    ]
    rows, pooled = table[table.seed != "all"], table[table.seed == "all"]
    assert (rows.train + rows.test == few.text.nunique()).all()
    assert (pooled.test == few.text.nunique()).all()
    shares = table[["accuracy", "precision", "recall", "f1"]]
    assert shares.stack().between(0, 1).all() and shares.notna().all(axis=None)
    assert rows.ece.between(0, 1).all() and len(seen) == len(rows)
    f1 = pooled.set_index(["split", "method"]).f1
    for rival, ending in ((spam.WORDS, ""), (spam.STRONG, "_2")):
        given = pooled[pooled[f"difference{ending}"].notna()]
        for row in given.to_dict("records"):
            wanted = f1[row["split"], row["method"]] - f1[row["split"], rival]
            assert row[f"difference{ending}"] == pytest.approx(wanted)
    assert answers.columns.tolist() == ["row", "family", "label", "seed", *whole]
    assert len(answers) == few.text.nunique()
    assert answers[whole].stack().between(0, 1000).all()
