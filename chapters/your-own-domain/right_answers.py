"""Right answers of the chapter by other ways than the solutions."""

import numpy as np
import torch
from scipy.stats import t, ttest_1samp


def right_1(names):
    def one_by_one(length, most, overlap):
        step = most - overlap
        return [at for at in range(0, length, step) if at == 0 or at + overlap < length]

    def by_their_number(length, most, overlap):
        number = 1 + max(0, -(-(length - most) // (most - overlap)))
        return np.arange(number) * (most - overlap)

    yield one_by_one
    yield by_their_number


def right_2(names):
    def by_torch(vectors, kinds):
        vectors, kinds = torch.tensor(vectors), torch.tensor(kinds)
        cosine = torch.nn.functional.cosine_similarity(
            vectors[:, None], vectors[None], dim=-1
        )
        pairs = torch.triu_indices(len(kinds), len(kinds), 1)
        same = (kinds[:, None] == kinds[None]).to(cosine.dtype)
        return torch.nn.functional.mse_loss(cosine[*pairs], same[*pairs])

    def in_two_loops(vectors, kinds):
        total = []
        for i in range(len(kinds)):
            for j in range(i):
                one, two = vectors[i], vectors[j]
                cosine = one @ two / np.sqrt((one @ one) * (two @ two))
                total.append((cosine - float(kinds[i] == kinds[j])) ** 2)
        return sum(total) / len(total)

    yield by_torch
    yield in_two_loops


def right_3(names):
    def by_the_test(before, after, text):
        moved = [np.mean((after - before)[text == one]) for one in set(text.tolist())]
        ends = ttest_1samp(moved, 0).confidence_interval(0.95)
        return np.mean(moved), ends.low, ends.high

    def by_sums(before, after, text):
        count = np.bincount(text)
        there = count > 0
        moved = np.bincount(text, after - before)[there] / count[there]
        low, high = t.interval(
            0.95,
            len(moved) - 1,
            moved.mean(),
            np.sqrt(moved.var(ddof=1) / len(moved)),
        )
        return np.array([moved.mean(), low, high])

    yield by_the_test
    yield by_sums
