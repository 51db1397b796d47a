"""The course's own messages, beside the official ones."""

import re

import numpy as np
import pytest
from sklearn.model_selection import train_test_split

from helpers import DATA
from helpers.datasets import load_sms_spam
from helpers.spam import tfidf_classifier

SAMPLE = DATA / "sms-spam-mini"


@pytest.fixture
def sample(monkeypatch):
    monkeypatch.setenv("SMS_SPAM_HOME", "sample")
    return load_sms_spam()


def test_sample_is_large_and_has_repeats_of_both_kinds(sample):
    distinct = sample.drop_duplicates("text")
    assert len(distinct) >= 400
    assert distinct.label.value_counts().min() >= 150
    assert set(sample.kind[sample.text.duplicated()]) == {"ham", "spam"}
    assert distinct.equals(sample.drop_duplicates())  # none has both labels
    assert not sample.label.is_monotonic_increasing
    assert not sample.label.is_monotonic_decreasing


def test_counting_words_does_not_solve_the_sample(sample):
    distinct = sample.drop_duplicates("text")
    accuracy = []
    for seed in range(5):
        train, test = train_test_split(
            distinct, test_size=0.25, stratify=distinct.label, random_state=seed
        )
        model = tfidf_classifier().fit(train.text, train.label)
        accuracy.append(model.score(test.text, test.label))
    assert 1.2 * max(distinct.label.mean(), 1 - distinct.label.mean()) < min(accuracy)
    assert np.mean(accuracy) < 0.93 and max(accuracy) < 0.97


def test_sample_calls_nobody(sample):
    """Telephone numbers and addresses are of the kinds that belong to nobody."""
    texts = " ".join(
        path.read_text(encoding="utf-8") for path in sorted(SAMPLE.glob("*.tsv"))
    )
    numbers = re.findall(r"\b0\d[\d ]{8,}\d\b", texts)
    drama = re.compile(r"(07700 ?900|01632 ?960|0909 ?8 ?790)\d{3}")
    assert len(numbers) > 20
    assert [n for n in numbers if not drama.fullmatch(n.strip())] == []
    hosts = re.findall(r"\b[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:[a-z]{2,})(?=/|\b)", texts)
    assert [host for host in hosts if not host.endswith(".example")] == []
    codes = re.findall(r"\b(?:to|on|2) (\d{5})\b(?! ?(?:790|900|960))", texts)
    assert len(codes) > 10 and all(code.startswith("00") for code in codes)


def test_sample_shares_nothing_with_the_official_set(official_messages):
    _, official = official_messages
    known = set(official.text.str.lower().str.strip())
    short = 12  # "ok" and its like belong to everybody
    for path in SAMPLE.glob("*.tsv"):
        for line in path.read_text(encoding="utf-8").splitlines():
            text = line.split("\t")[1].lower()
            assert len(text) < short or text not in known
