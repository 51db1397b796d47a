"""Typical wrong answers to the exercises of the chapter, and what is said to them."""

import numpy as np


def _places(scores, right, ties=True):
    is_right = np.isin(np.arange(len(scores)), right)
    second = is_right if ties else ~is_right
    return np.flatnonzero(is_right[np.lexsort((second, -np.asarray(scores)))])


def wrong_1(names):
    def told(places, k):
        return np.mean(places < k), 1 / (1 + places[0])

    def by_place(scores, right, k):
        order = np.argsort(-np.asarray(scores), kind="stable")
        return told(np.flatnonzero(np.isin(order, right)), k)

    def upwards(scores, right, k):
        return told(_places(-np.asarray(scores), right), k)

    def precision(s, r, k):
        return (_places(s, r) < k).sum() / k, 1 / (1 + _places(s, r)[0])

    def any_hit(s, r, k):
        return float((_places(s, r) < k).any()), 1 / (1 + _places(s, r)[0])

    def last(s, r, k):
        return np.mean(_places(s, r) < k), 1 / (1 + _places(s, r)[-1])

    def mean(s, r, k):
        return np.mean(_places(s, r) < k), np.mean(1 / (1 + _places(s, r)))

    yield lambda s, r, k: told(_places(s, r, ties=False), k), "wrong texts come first"
    yield by_place, "not those with the lower place"
    yield upwards, "highest score comes first"
    yield precision, "not by k"
    yield any_hit, "not whether one is there"
    yield last, "not the last"
    yield mean, "not the mean over all"
    yield lambda s, r, k: told(_places(s, r), k)[::-1], "recall comes first"
    yield (
        lambda s, r, k: (np.mean(_places(s, r) < k), 1 + _places(s, r)[0]),
        "not the rank",
    )
    yield (
        lambda s, r, k: (np.mean(_places(s, r) + 1 < k), 1 / (1 + _places(s, r)[0])),
        "ranks 1 to k",
    )
    yield (
        lambda s, r, k: (100 * np.mean(_places(s, r) < k), 1 / (1 + _places(s, r)[0])),
        "share from 0 to 1",
    )
    yield lambda s, r, k: np.mean(_places(s, r) < k), "recall and the reciprocal rank"
    yield lambda s, r, k: (0.5, 0.5), "have the ranks"
    yield (1.0, 1.0), "without brackets"
    yield (
        lambda s, r, k: np.round(told(_places(s, r), k), 2),
        "right to four decimals",
    )


def _best(scores, k):
    return np.argsort(-scores, kind="stable")[:k]


def wrong_2(names):
    def rough(q, small, scale):
        return (small * scale) @ q

    def candidates(q, v, small, scale, k, m):
        best = _best(rough(q, small, scale), m)
        return _best(v[best] @ q, k)

    def unscaled(q, v, small, scale, k, m):
        best = _best(small @ q, m)
        return best[_best(v[best] @ q, k)]

    def right(q, v, small, scale, k, m):
        best = _best(rough(q, small, scale), m)
        return best[_best(v[best] @ q, k)]

    def worst(q, v, small, scale, k, m):
        best = _best(rough(q, small, scale), m)
        return best[_best(-(v[best] @ q), k)]

    def k_first(q, v, small, scale, k, m):
        return right(q, v, small, scale, k, k)

    yield lambda q, v, s, c, k, m: _best(rough(q, s, c), k), "order of the small"
    yield candidates, "back into places"
    yield lambda q, v, s, c, k, m: _best(v @ q, k), "exact search"
    yield unscaled, "multiply the small numbers by `scale`"
    yield lambda *a: right(*a)[::-1], "best should come first"
    yield worst, "worst of the m"
    yield k_first, "take m candidates"
    yield lambda *a: np.sort(right(*a)), "sorted by place"
    yield lambda *a: right(*a) + 1, "count from 0"
    yield lambda q, v, s, c, k, m: right(q, v, s, c, m, m), "Expected 5 places"
    yield lambda q, v, s, c, k, m: list(range(k)), "expected"
    yield [0], "without brackets"


def wrong_3(names):
    def all_starts(n, size, overlap):
        return [(s, min(s + size, n)) for s in range(0, n, size - overlap)]

    def full(n, size, overlap):
        return [(s, s + size) for s in range(0, n - size + 1, size - overlap)]

    def right(n, size, overlap):
        found, start = [], 0
        while start < n:
            found.append((start, min(start + size, n)))
            if found[-1][1] == n:
                break
            start += size - overlap
        return found

    def over(n, size, overlap):
        return [(s, s + size) for s, _ in right(n, size, overlap)]

    def moved(n, size, overlap):
        found = right(n, size, overlap)
        return [*found[:-1], (max(n - size, 0), n)] if found else []

    def never_empty(n, size, overlap):
        return right(n, size, overlap) or [(0, 0)]

    yield all_starts, "has reached the end"
    yield full, "what is left at the end"
    yield over, "beyond the text"
    yield moved, "let it be shorter"
    yield lambda n, s, o: [(a, b - 1) for a, b in right(n, s, o)], "excluded"
    yield lambda n, s, o: [(a, b - a) for a, b in right(n, s, o)], "not the length"
    yield lambda n, s, o: right(n, s, 0), "windows overlap"
    yield lambda n, s, o: right(n, s, s - o) if o else right(n, s, o), "not overlap"
    yield never_empty, "empty list"
    yield lambda n, s, o: right(n, s, o)[:1], "expected"
    yield lambda n, s, o: [a for a, _ in right(n, s, o)], "(start, end)"
    yield [(0, 1)], "without brackets"
