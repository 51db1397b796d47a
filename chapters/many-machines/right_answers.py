"""Right answers by other ways than the solutions: shards, rows, a gradient."""

import numpy as np
import pandas as pd


def right_1(names):
    yield lambda count, done, rank, ranks: sorted(
        {*range(rank, count, ranks)} - {*done}
    )


def right_2(names):
    yield by_frames


def by_frames(parts, count):
    table = pd.concat([pd.DataFrame(part, index=rows) for rows, part in parts])
    table = table[~table.index.duplicated()].reindex(range(count))
    return table.to_numpy(), table.index[table[0].isna()].tolist()


def right_3(names):
    yield by_sums
    yield lambda g, n: np.einsum("p,p...->...", np.array(n) / np.sum(n), np.array(g))


def by_sums(gradients, counts):
    total = sum(n * g for n, g in zip(counts, gradients, strict=True))
    return total / sum(counts)
