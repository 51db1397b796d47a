"""Right answers by other ways than the solutions: shards, rows, a gradient."""

import numpy as np
import pandas as pd


def right_1(names):
    yield lambda count, done, rank, ranks: sorted(
        {*range(rank, count, ranks)} - {*done}
    )
    yield lambda count, done, rank, ranks: [
        n for n in range(count) if n % ranks == rank and n not in done
    ]
    yield lambda count, done, rank, ranks: np.setdiff1d(
        np.arange(rank, count, ranks), done
    )


def right_2(names):
    yield by_frames
    yield by_dict


def by_frames(parts, count):
    table = pd.concat([pd.DataFrame(part, index=rows) for rows, part in parts])
    table = table[~table.index.duplicated()].reindex(range(count))
    return table.to_numpy(), table.index[table[0].isna()].tolist()


def by_dict(parts, count):
    found = {row: v for rows, part in parts for row, v in zip(rows, part)}  # noqa: B905
    nothing = [float("nan")] * len(parts[0][1][0])
    vectors = [list(found.get(row, nothing)) for row in range(count)]
    return vectors, [row for row in range(count) if row not in found]


def right_3(names):
    yield by_sums
    yield lambda g, n: np.einsum("p,p...->...", np.array(n) / np.sum(n), np.array(g))


def by_sums(gradients, counts):
    total = sum(n * g for n, g in zip(counts, gradients, strict=True))
    return total / sum(counts)
