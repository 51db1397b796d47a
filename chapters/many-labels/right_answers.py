"""Right answers of the chapter by other ways than the solutions."""

import numpy as np
import torch
from sklearn.metrics import average_precision_score, f1_score


def right_1(names):
    def by_the_library(scores, labels):
        return torch.nn.functional.binary_cross_entropy_with_logits(
            torch.tensor(scores, dtype=torch.float64), torch.tensor(labels).double()
        )

    yield by_the_library


def right_2(names):
    def by_the_library(probability, labels, half):
        def one(p, truth):
            tried = np.unique(p)
            return tried[
                np.argmax([f1_score(truth, p > x, zero_division=0) for x in tried])
            ]

        pairs = zip(probability[half].T, labels[half].T, strict=True)
        chosen = np.array([one(*pair) for pair in pairs])
        given = probability[~half] > chosen
        return chosen, f1_score(labels[~half], given, average="macro", zero_division=0)

    yield by_the_library


def right_3(names):
    def by_the_library(labels, probability):
        return average_precision_score(labels, probability)

    yield by_the_library
