"""Right answers by other ways than the solutions: ranks, rescoring, windows."""

import numpy as np


def right_1(names):
    yield by_counting


def by_counting(scores, right, k):
    wrong = [score for place, score in enumerate(scores) if place not in right]
    own = sorted((scores[place] for place in right), reverse=True)
    ranks = [i + 1 + sum(s >= score for s in wrong) for i, score in enumerate(own)]
    return np.mean(np.array(ranks) <= k), 1 / ranks[0]


def right_2(names):
    yield partitioned
    yield one_by_one


def partitioned(query, vectors, small, scale, k, m):
    rough = small @ (scale * query)
    best = np.argpartition(-rough, m - 1)[:m]
    return sorted(best, key=lambda place: -(vectors[place] @ query))[:k]


def one_by_one(query, vectors, small, scale, k, m):
    rough = {place: float(row * scale @ query) for place, row in enumerate(small)}
    best = sorted(rough, key=rough.get)[-m:]
    best.sort(key=lambda place: float(vectors[place] @ query), reverse=True)
    return best[:k]


def right_3(names):
    yield counted
    yield recursive


def counted(n, size, overlap):
    step = size - overlap
    more = max(0, -(-(n - size) // step))
    return [(i * step, min(i * step + size, n)) for i in range(more + 1) if n]


def recursive(n, size, overlap, start=0):
    if start + size >= n:
        return [(start, n)] if n else []
    rest = recursive(n, size, overlap, start + size - overlap)
    return [(start, start + size), *rest]
