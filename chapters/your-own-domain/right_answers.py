"""Right answers of the chapter by other ways than the solutions."""

import numpy as np
import torch
from scipy.stats import ttest_1samp


def right_2(names):
    def by_torch(vectors, kinds):
        vectors, kinds = torch.tensor(vectors), torch.tensor(kinds)
        cosine = torch.nn.functional.cosine_similarity(
            vectors[:, None], vectors[None], dim=-1
        )
        pairs = torch.triu_indices(len(kinds), len(kinds), 1)
        same = (kinds[:, None] == kinds[None]).to(cosine.dtype)
        return torch.nn.functional.mse_loss(cosine[*pairs], same[*pairs])

    yield by_torch


def right_3(names):
    def by_the_test(before, after, text):
        moved = [np.mean((after - before)[text == one]) for one in set(text.tolist())]
        ends = ttest_1samp(moved, 0).confidence_interval(0.95)
        return np.mean(moved), ends.low, ends.high

    yield by_the_test
