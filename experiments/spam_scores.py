"""Scores of a spam filter: four for a table, and F1 in parts that can be compared."""

import numpy as np
from sklearn.metrics import accuracy_score, precision_recall_fscore_support


def scores(labels, predicted):
    """Return accuracy, and precision, recall and F1 of spam (label 1), as a dict.

    labels, predicted: n of 0 and 1 each.

    >>> scores(labels=[1, 1, 0, 0], predicted=[1, 0, 0, 0])
    {'accuracy': 0.75, 'precision': 1.0, 'recall': 0.5, 'f1': 0.666...}
    """
    precision, recall, f1, _ = precision_recall_fscore_support(
        labels, predicted, pos_label=1, average="binary", zero_division=0
    )
    accuracy = accuracy_score(labels, predicted)
    names = ("accuracy", "precision", "recall", "f1")
    return dict(zip(names, map(float, (accuracy, precision, recall, f1)), strict=True))


def f1_parts(labels, predicted):
    """Return a number for each message; their mean is the F1 of spam, float (n,).

    F1 is a quotient of counts, no mean over messages. A number here is F1 and what the
    message moves it by, to first order (a linearised quotient), so that
    `helpers.verdicts.compare` can compare two F1 message by message. labels, predicted:
    n of 0 and 1 each. ValueError where neither holds spam.
    """
    labels, predicted = np.asarray(labels, float), np.asarray(predicted, float)
    found, named = 2 * labels * predicted, labels + predicted
    if not named.any():
        raise ValueError("no label and no answer is spam, so there is no F1")
    f1 = found.sum() / named.sum()
    return f1 + (found - f1 * named) / named.mean()
