"""Right answers of the chapter by other ways than the solutions."""

import numpy as np
import pandas as pd
import torch
from scipy.special import log_expit
from sklearn.metrics import average_precision_score, f1_score


def right_1(names):
    def by_the_library(scores, labels):
        return torch.nn.functional.binary_cross_entropy_with_logits(
            torch.tensor(scores, dtype=torch.float64), torch.tensor(labels).double()
        )

    def with_the_sign_turned(scores, labels):
        """What the right answer gets is the sigmoid of the score, or of minus it."""
        return -log_expit(np.where(labels == 1, scores, -scores)).mean()

    def by_parts(scores, labels):
        return np.mean(
            np.maximum(scores, 0) - scores * labels + np.log1p(np.exp(-abs(scores)))
        )

    yield by_the_library
    yield with_the_sign_turned
    yield by_parts


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

    def in_a_table(probability, labels, half):
        """By counts below each probability, label by label."""
        chosen, scores = [], []
        for k in range(probability.shape[1]):
            table = pd.DataFrame({"p": probability[half, k], "y": labels[half, k]})
            counts = table.groupby("p").y.agg(["sum", "size"])
            hits = counts["sum"].sum() - counts["sum"].cumsum()
            given = counts["size"].sum() - counts["size"].cumsum()
            chosen.append((2 * hits / (given + table.y.sum())).fillna(0).idxmax())
            said, truth = probability[~half, k] > chosen[-1], labels[~half, k]
            both = said.sum() + truth.sum()
            scores.append(2 * (said * truth).sum() / both if both else 0)
        return [chosen, sum(scores) / len(scores)]

    yield by_the_library
    yield in_a_table


def right_3(names):
    def by_the_library(labels, probability):
        return average_precision_score(labels, probability)

    def rank_by_rank(labels, probability):
        found, precisions = 0, []
        order = sorted(zip(probability.tolist(), labels.tolist(), strict=True))
        for rank, (_, label) in enumerate(reversed(order), start=1):
            found += label
            if label:
                precisions.append(found / rank)
        return sum(precisions) / len(precisions)

    yield by_the_library
    yield rank_by_rank
