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
    parts = spam.split_messages(rows, split)
    for train, test in parts:
        assert not set(train.text) & set(test.text)
        assert len(train) + len(test) == rows.text.nunique()
        assert abs(train.label.mean() - test.label.mean()) < 0.02
    tests = pd.concat([test for _, test in parts])
    assert tests.text.is_unique and len(tests) == rows.text.nunique()
    held = [test.text.isin(family.text).sum() for _, test in parts]
    assert (sorted(held) == [0, 0, 30]) == (split == "families together")
    assert parts[1][1].equals(spam.split_messages(rows, split)[1][1])


def test_a_network_of_random_weights_has_the_size_and_not_the_weights(tiny):
    one, same, other = (spam.untrained(tiny, seed) for seed in (0, 0, 1))
    weights = [
        dict(bert.model.named_parameters())["embeddings.word_embeddings.weight"]
        for bert in (tiny, one, same, other)
    ]
    assert weights[0].shape == weights[1].shape
    assert (weights[1] == weights[2]).all() and one.tokenizer is tiny.tokenizer
    assert not (weights[1] == weights[0]).all() and not (weights[1] == weights[3]).all()
