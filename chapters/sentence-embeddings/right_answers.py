"""Right answers by other ways than the solutions: a mean, correlations."""

import pandas as pd
import torch
from scipy.stats import spearmanr


def right_1(names):
    yield by_product


def by_product(states, mask, special):
    weights = ((mask == 1) & (special != 1)).double()
    weights /= weights.sum(1, keepdim=True) + 1e-9
    return torch.einsum("np,nph->nh", weights, states.double())


def right_3(names, answer):
    first, second, grades = zip(*answer["pairs"], strict=True)
    left, right = names["encode"](first), names["encode"](second)
    cosine = {h: names["similarities"](left, right, h) for h in ("cls", "mean", "max")}
    by_scipy = {how: spearmanr(grades, own).statistic for how, own in cosine.items()}
    yield answer | {"spearman": by_scipy}
    pairs = pd.DataFrame(answer["pairs"], columns=["first", "second", "grade"])
    yield answer | {"pairs": pairs[["grade", "second", "first"]]}
