"""Right answers of the chapter in forms that nobody thinks of first."""

import numpy as np
import pandas as pd
import torch
from scipy.spatial.distance import cdist
from scipy.stats import spearmanr


def right_1(names):
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

    yield in_numpy
    yield row_by_row
    yield by_nanmean
    yield in_place
    yield by_product
    yield lambda *given: (row for row in row_by_row(*given))
    yield lambda *given: torch.stack(row_by_row(*given)).tolist()
    yield lambda *given: pd.DataFrame(in_numpy(*given).round(6))
    yield lambda *given: in_numpy(*given).astype(np.float32)
    yield lambda *given: in_numpy(*given).round(4)


def right_2(names):
    def cosines(query, vectors):
        return 1 - cdist([query], vectors, "cosine")[0].round(12)

    def of_unit_rows(query, vectors, k):
        rows = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.argsort(-(rows @ query), kind="stable")[:k]

    def by_pairs(query, vectors, k):
        pairs = sorted((-cos, i) for i, cos in enumerate(cosines(query, vectors)))
        return tuple(i for _, i in pairs[:k])

    def one_after_another(query, vectors, k):
        left = cosines(query, vectors)
        for _ in range(min(k, len(left))):
            yield (best := np.argmax(left))
            left[best] = -np.inf

    def in_torch(query, vectors, k):
        scores = torch.cosine_similarity(torch.tensor(query), torch.tensor(vectors))
        return scores.round(decimals=9).sort(descending=True, stable=True).indices[:k]

    class Search:
        def __call__(self, query, vectors, k):
            order = np.lexsort((np.arange(len(vectors)), -cosines(query, vectors)))
            return order[:k].astype(float)

    yield of_unit_rows
    yield by_pairs
    yield one_after_another
    yield in_torch
    yield Search()
    yield lambda *given: pd.Series(by_pairs(*given))
    yield lambda *given: [torch.tensor(row) for row in by_pairs(*given)]
    yield lambda *given: [str(row) for row in by_pairs(*given)]


def right_3(names):
    pairs = [
        ("The shop opens at nine.", "The shop is open from nine.", 5),
        ("The shop opens at nine.", "The shop shuts at nine.", 2),
        ("He lost his keys.", "He cannot find his keys.", 5),
        ("He lost his keys.", "He found his keys in the car.", 2),
        ("Rain is expected.", "It will probably rain.", 5),
        ("Rain is expected.", "A guest is expected.", 1),
        ("The bank raised its rates.", "Borrowing got more expensive.", 4),
        ("The bank raised its rates.", "We sat on the bank of the river.", 0),
        ("Nobody liked the film.", "Everybody liked the film.", 2),
        ("Nobody liked the film.", "The film pleased no one at all.", 5),
        ("She runs every day.", "Her nose runs.", 0.5),
        ("She runs every day.", "Running is part of her daily life.", 4.5),
    ]
    first, second, grades = zip(*pairs, strict=True)
    left, right = names["encode"](first), names["encode"](second)
    cosines = {h: names["similarities"](left, right, h) for h in ("cls", "mean", "max")}
    found = {how: names["spearman"](grades, own) for how, own in cosines.items()}
    by_scipy = {how: spearmanr(grades, own).statistic for how, own in cosines.items()}
    answer = {"pairs": pairs, "spearman": found}
    yield answer | {"spearman": by_scipy}
    yield answer | {"spearman": {k: round(float(v), 2) for k, v in found.items()}}
    yield answer | {"spearman": {k: torch.tensor(v) for k, v in found.items()}}
    yield answer | {"spearman": {k: f"{v:.3f}" for k, v in found.items()}}
    yield answer | {"spearman": pd.Series(found)}
    yield answer | {"pairs": [list(pair) for pair in pairs]}
    yield answer | {"pairs": pd.DataFrame(pairs)}
    table = pd.DataFrame(pairs, columns=["first", "second", "grade"])
    yield answer | {"pairs": table[["grade", "second", "first"]]}
    yield answer | {"pairs": [(a, b, np.float32(grade)) for a, b, grade in pairs]}
    yield answer | {"pairs": tuple(pairs)}
