"""The messages of "Judging a classifier": who teaches, who judges, in which halves."""

import numpy as np
import pandas as pd

from helpers.spam import families, read_messages

LEARNED = 80  # pairs of twins that the filter learns from


def parts():
    """Return all messages, those to learn from and those that judge.

    One of each family of near repeats; twins, which are neighbours, stay together. In
    the judged, `half` is True for every other pair.
    """
    messages = read_messages("messages")
    family = pd.Series(families(messages.text), messages.index)
    distinct = messages[~family.duplicated()]
    pair = distinct.index // 2
    order = np.random.default_rng(0).permutation(pair.unique())
    train, judged = (distinct[pair.isin(part)] for part in np.split(order, [LEARNED]))
    twin = judged.index // 2
    return messages, train, judged.assign(twin=twin, half=twin.isin(order[LEARNED::2]))


def rates(p, labels, threshold):
    """The shares of spam found and of ham lost above a threshold."""
    called = p > threshold
    return float(called[labels == 1].mean()), float(called[labels == 0].mean())
