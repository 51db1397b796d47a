"""Right answers of the chapter in forms that nobody thinks of first."""

import numpy as np
import pandas as pd
import torch


def right_1(names):
    def by_sets(count, finished, rank, ranks):
        return sorted({*range(rank, count, ranks)} - {*finished})

    def by_modulo(count, finished, rank, ranks):
        for n in range(count):
            if n % ranks == rank and n not in finished:
                yield n

    def by_arrays(count, finished, rank, ranks):
        return np.setdiff1d(np.arange(rank, count, ranks), finished)

    yield by_sets
    yield by_modulo
    yield by_arrays
    yield lambda *given: torch.tensor(by_sets(*given), dtype=torch.long)
    yield lambda *given: tuple(map(float, by_sets(*given)))


def right_2(names):
    def by_frames(parts, count):
        frames = [pd.DataFrame(part, index=rows) for rows, part in parts]
        table = pd.concat(frames)
        table = table[~table.index.duplicated()].reindex(range(count))
        return table.to_numpy(), table.index[table[0].isna()].tolist()

    def by_dict(parts, count):
        found = {row: v for rows, part in parts for row, v in zip(rows, part)}  # noqa: B905
        nothing = [float("nan")] * len(parts[0][1][0])
        vectors = [list(found.get(row, nothing)) for row in range(count)]
        return [vectors, [row for row in range(count) if row not in found]]

    def as_tensors(parts, count):
        vectors, missing = by_frames(parts, count)
        return torch.tensor(vectors).float(), np.array(missing, int)

    yield by_frames
    yield by_dict
    yield as_tensors


def right_3(names):
    def by_sums(gradients, counts):
        total = sum(n * g for n, g in zip(counts, gradients, strict=True))
        return total / sum(counts)

    yield by_sums
    yield lambda gradients, counts: torch.tensor(by_sums(gradients, counts))
    yield lambda gradients, counts: by_sums(gradients, counts).tolist()
    yield lambda g, n: np.einsum("p,p...->...", np.array(n) / np.sum(n), np.array(g))
