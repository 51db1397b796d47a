"""The course's own messages, beside the official ones."""

import re

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedGroupKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from experiments.spam_filters import surface
from helpers import DATA
from helpers.datasets import load_sms_spam
from helpers.spam import families

SAMPLE = DATA / "sms-spam-mini"


@pytest.fixture
def sample(monkeypatch):
    monkeypatch.setenv("SMS_SPAM_HOME", "sample")
    return load_sms_spam()


def test_every_spam_message_has_a_ham_twin_beside_it(sample):
    n = (~sample.text.duplicated()).cumprod().sum() // 2 * 2
    twins = sample[:n]
    assert (twins.label.groupby(twins.index // 2).sum() == 1).all()
    gap = twins.text.str.len().groupby(twins.index // 2).agg(lambda two: np.ptp(two))
    assert gap.max() <= 20 and gap.mean() < 6
    family = families(sample.text)
    assert len(set(family[:n])) == n == len(set(family))  # the rest are repeats


def test_length_and_surface_do_not_tell_the_sample(sample):
    """In three folds of each of three draws, twins on one side."""
    distinct = sample[~pd.Series(families(sample.text)).duplicated()]
    twins, seen = distinct.index // 2, surface(distinct.text)
    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
    for part in (seen[:, :1], seen):
        right = [
            cross_val_score(model, part, distinct.label, groups=twins, cv=folds)
            for n in range(3)
            for folds in [StratifiedGroupKFold(3, shuffle=True, random_state=n)]
        ]
        assert np.mean(right) <= 0.57


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
