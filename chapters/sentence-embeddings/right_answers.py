"""Right answers by other ways than the solutions: a mean, a search, correlations."""

import numpy as np
import pandas as pd
import torch
from scipy.spatial.distance import cdist
from scipy.stats import spearmanr

from helpers.exercises.checks import mistakes_of


def right_1(names):
    yield in_numpy
    yield row_by_row
    yield by_nanmean
    yield in_place
    yield by_product


def in_numpy(states, mask, special):
    counted = (mask.numpy() * (1 - special.numpy()))[..., None]
    return (states.numpy() * counted).sum(1) / np.maximum(counted.sum(1), 1)


def row_by_row(states, mask, special):
    rows = []
    for own, real, marks in zip(states, mask, special, strict=True):
        words = own[(real == 1) & (marks == 0)]
        rows.append(words.mean(0) if len(words) else torch.zeros(own.shape[1]))
    return rows


def by_nanmean(states, mask, special):
    left_out = (mask.bool() & ~special.bool()).logical_not().unsqueeze(-1)
    return states.masked_fill(left_out, torch.nan).nanmean(1).nan_to_num(0)


def in_place(states, mask, special):
    mask -= mask & special
    states *= mask[:, :, None]
    return states.sum(1) / mask.sum(1, keepdim=True).clamp(min=1)


def by_product(states, mask, special):
    weights = ((mask == 1) & (special != 1)).double()
    weights /= weights.sum(1, keepdim=True) + 1e-9
    return torch.einsum("np,nph->nh", weights, states.double())


def right_2(names):
    yield of_unit_rows
    yield by_pairs
    yield one_after_another
    yield in_torch
    yield by_two_keys


def cosines(query, vectors):
    return 1 - cdist([query], vectors, "cosine")[0].round(12)


def of_unit_rows(query, vectors, k):
    rows = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.argsort(-(rows @ query), kind="stable")[:k]


def by_pairs(query, vectors, k):
    pairs = sorted((-cos, i) for i, cos in enumerate(cosines(query, vectors)))
    return [i for _, i in pairs[:k]]


def one_after_another(query, vectors, k):
    left = cosines(query, vectors)
    for _ in range(min(k, len(left))):
        yield (best := np.argmax(left))
        left[best] = -np.inf


def in_torch(query, vectors, k):
    scores = torch.cosine_similarity(torch.tensor(query), torch.tensor(vectors))
    return scores.round(decimals=9).sort(descending=True, stable=True).indices[:k]


def by_two_keys(query, vectors, k):
    order = np.lexsort((np.arange(len(vectors)), -cosines(query, vectors)))
    return order[:k].astype(float)


def right_3(names):
    table = mistakes_of("sentence-embeddings.3")
    answer = table.answer(table.right)
    first, second, grades = zip(*answer["pairs"], strict=True)
    left, right = names["encode"](first), names["encode"](second)
    cosine = {h: names["similarities"](left, right, h) for h in ("cls", "mean", "max")}
    by_scipy = {how: spearmanr(grades, own).statistic for how, own in cosine.items()}
    yield answer | {"spearman": by_scipy}
    yield answer | {"spearman": {how: f"{rho:.3f}" for how, rho in by_scipy.items()}}
    yield answer | {"spearman": pd.Series(by_scipy)}
    pairs = pd.DataFrame(answer["pairs"], columns=["first", "second", "grade"])
    yield answer | {"pairs": pairs[["grade", "second", "first"]]}
