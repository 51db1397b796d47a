"""Right answers of the chapter in forms that nobody thinks of first."""

import numpy as np
import pandas as pd
import torch


def right_1(names):
    def by_sorting(scores, right, k):
        texts = sorted(range(len(scores)), key=lambda i: (-scores[i], i in right))
        ranks = [1 + texts.index(place) for place in right]
        return {"recall": sum(r <= k for r in ranks) / len(right), "rr": 1 / min(ranks)}

    def by_counting(scores, right, k):
        right = set(right)
        wrong = [s for i, s in enumerate(scores) if i not in right]
        own = sorted((scores[i] for i in right), reverse=True)
        ranks = [i + 1 + sum(s >= score for s in wrong) for i, score in enumerate(own)]
        return np.array([np.mean(np.array(ranks) <= k), 1 / ranks[0]])

    yield lambda *a: tuple(by_sorting(*a).values())
    yield lambda *a: list(by_sorting(*a).values())
    yield by_counting
    yield lambda *a: torch.tensor(by_counting(*a))
    yield lambda *a: by_counting(*a).round(4)
    yield lambda *a: [f"{share:.4f}" for share in by_counting(*a)]
    yield lambda *a: (np.float32(share) for share in by_counting(*a))
    yield lambda *a: pd.Series(by_counting(*a), ["recall", "rank"])


def right_2(names):
    def in_torch(query, vectors, small, scale, k, m):
        query, vectors = torch.from_numpy(query), torch.from_numpy(vectors)
        rough = torch.from_numpy(small).float() @ (torch.from_numpy(scale) * query)
        best = rough.topk(m).indices
        return best[(vectors[best] @ query).topk(k).indices]

    def partitioned(query, vectors, small, scale, k, m):
        rough = small @ (scale * query)
        best = np.argpartition(-rough, m - 1)[:m]
        return sorted(best, key=lambda place: -(vectors[place] @ query))[:k]

    def one_by_one(query, vectors, small, scale, k, m):
        rough = {i: float(row * scale @ query) for i, row in enumerate(small)}
        best = sorted(rough, key=rough.get)[-m:]
        best.sort(key=lambda place: float(vectors[place] @ query), reverse=True)
        return tuple(best[:k])

    yield in_torch
    yield partitioned
    yield one_by_one
    yield lambda *given: in_torch(*given).tolist()
    yield lambda *given: pd.Series(one_by_one(*given))
    yield lambda *given: np.float32(partitioned(*given))
    yield lambda *given: iter(one_by_one(*given))
    yield lambda *given: [np.array(place) for place in partitioned(*given)]


def right_3(names):
    def counted(n, size, overlap):
        step = size - overlap
        more = max(0, -(-(n - size) // step))
        return [[i * step, min(i * step + size, n)] for i in range(more + 1) if n]

    def filtered(n, size, overlap):
        starts = range(0, n, size - overlap)
        ends = [min(s + size, n) for s in starts]
        pairs = list(zip(starts, ends, strict=True))
        return [p for i, p in enumerate(pairs) if i == 0 or ends[i - 1] < n]

    def recursive(n, size, overlap, start=0):
        if start + size >= n:
            return ((start, n),) if n else ()
        rest = recursive(n, size, overlap, start + size - overlap)
        return ((start, start + size), *rest)

    yield counted
    yield filtered
    yield recursive
    yield lambda *a: np.array(counted(*a), dtype=int).reshape(-1, 2)
    yield lambda *given: iter(counted(*given))
    yield lambda *given: (tuple(window) for window in counted(*given))
    yield lambda *given: [torch.tensor(window) for window in counted(*given)]
    yield lambda *given: [slice_.tolist() for slice_ in map(np.array, counted(*given))]
