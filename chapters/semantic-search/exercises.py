"""Checks of the chapter, search."""

import numpy as np

from helpers.exercises.asking import a_list, a_whole_number
from helpers.exercises.mistakes import Mistakes
from helpers.exercises.seeds import rng


def check_1(answer):
    """A function: scores, right, k -> (recall at k, reciprocal rank)."""
    cases = [
        ([3.0, 1, 2, 0], [2], 1),
        ([3.0, 1, 2, 0], [3, 2], 3),
        ([5.0, 7, 5, 5, 5, 1], [0, 4], 3),
        ([0.0, 0, 0, 0, 0], [0], 2),
        ([5.0, 7, 5, 5, 1], [0, 1, 3], 2),
        ([-1.0, -2, -3], [1], 2),
        ([1.0], [0], 1),
        ([3.0, 1, 2], [1], 5),
        *_drawn_judgements(),
    ]
    cases = [(np.array(scores), right, k) for scores, right, k in cases]
    TABLES[1].ask(
        "judge", answer, cases, hint="Return the recall and the reciprocal rank."
    )
    return "A tie is no success: what scores no higher than a wrong text is not found."


def _drawn_judgements():
    draw = rng(1)
    for number in range(40):
        n = int(draw.integers(5, 14))
        scores = draw.integers(0, n if number % 2 else 4, n) / 2
        right = draw.choice(n, int(draw.integers(1, 5)), replace=False).tolist()
        yield scores.tolist(), right, int(draw.integers(1, 6))


def _ranks(scores, right, last=True):
    """Ranks of the right texts, rising; last: after equal ones."""
    is_right = np.isin(np.arange(len(scores)), right)
    ties = is_right if last else ~is_right
    return 1 + np.flatnonzero(is_right[np.lexsort((ties, -scores))])


def _judged(ranks, k):
    return np.mean(ranks <= k), 1 / ranks.min()


def _judging(recall=lambda ranks, k: np.mean(ranks <= k), inverse=lambda r: 1 / r[0]):
    def judge(scores, right, k):
        ranks = _ranks(scores, right)
        return recall(ranks, k), inverse(ranks)

    return judge


def _counted(counts):
    """A judge with counts(own score, all scores, wrong ones) for each right text."""

    def judge(scores, right, k):
        wrong = np.delete(scores, right)
        return _judged(np.array([counts(scores[i], scores, wrong) for i in right]), k)

    return judge


JUDGE_MISTAKES = {
    "Among equal scores the wrong texts come first, whatever their places.": (
        lambda scores, right, k: _judged(_ranks(scores, right, last=False), k),
        _counted(lambda own, scores, wrong: 1 + np.sum(scores > own)),
        lambda scores, right, k: _judged(
            1 + np.flatnonzero(np.isin(np.argsort(-scores, kind="stable"), right)), k
        ),
    ),
    "The highest score comes first.": (
        lambda scores, right, k: _judged(_ranks(-scores, right), k)
    ),
    "Divide by the number of right texts, not by k.": (
        _judging(lambda ranks, k: np.sum(ranks <= k) / k)
    ),
    "Recall is the share of the right texts, not whether one is there.": (
        _judging(lambda ranks, k: float(np.any(ranks <= k)))
    ),
    "Ranks count from 1, in the recall too: the first k are the ranks 1 to k.": (
        _judging(lambda ranks, k: np.mean(ranks < k)),
        _judging(inverse=lambda ranks: 1 / (ranks[0] - 1) if ranks[0] > 1 else np.inf),
    ),
    "Take the right text that stands first in the order: not the first in `right`, the "
    "last, or the mean over all.": (
        _judging(inverse=lambda ranks: 1 / ranks[-1]),
        _judging(inverse=lambda ranks: np.mean(1 / ranks)),
    ),
    "The second number is 1 / rank, not the rank.": (
        _judging(inverse=lambda ranks: ranks[0])
    ),
}


def check_2(answer):
    """A function: query, vectors, small, scale, k, m -> places of the k best of m."""
    draw, cases = rng(2), []
    for n, hidden, k, m in (
        (60, 16, 5, 20),
        (200, 16, 10, 12),
        (200, 12, 10, 14),
        (40, 8, 8, 40),
        (100, 6, 8, 8),
        (30, 8, 1, 6),
        (1, 4, 1, 1),
    ):
        given = *_rough_collection(draw, n, hidden), k, m
        while k < m < k + 5 and not _counts(given):
            given = *_rough_collection(draw, n, hidden), k, m
        cases.append(given)
    TABLES[2].ask("rescore", answer, cases, read=_places)
    return "Small vectors choose, large ones decide, and few of the large are read."


def _rough_collection(draw, n, hidden):
    """Vectors with unequal spread, rounded so coarsely that both orders differ."""
    spread = draw.uniform(0.2, 3, hidden)
    vectors = (draw.normal(size=(n, hidden)) * spread).astype(np.float32)
    scale = (np.abs(vectors).max(0) / 3).astype(np.float32)
    small = np.round(vectors / scale).astype(np.int8)
    return draw.normal(size=hidden).astype(np.float32), vectors, small, scale


def _counts(given):
    """Whether one candidate less, or one more, shows in the answer."""
    *rest, m = given
    less, right, more = (_rescored(*rest, m + by).tolist() for by in (-1, 0, 1))
    return less != right != more


def _places(result, *given):
    hint = "Return the places of the k best texts, best first."
    return a_list(result, "The answer", given[-2], each=a_whole_number, hint=hint)


def _best(rows, query, k):
    """Places of the k rows with the highest dot product, in float64."""
    return np.argsort(-(rows.astype(float) @ query), kind="stable")[:k]


def _rescored(query, vectors, small, scale, k, m, sign=1):
    best = _best(small * scale, query, m)
    return best[_best(vectors[best], sign * query, k)]


RESCORE_MISTAKES = {
    "This is the order of the small vectors; rescore the m best with the large ones.": (
        lambda query, _, small, scale, k, m: _best(small * scale, query, k)
    ),
    "These are rows among the m candidates; turn them back into places of texts.": (
        lambda query, vectors, small, scale, k, m: _best(
            vectors[_best(small * scale, query, m)], query, k
        )
    ),
    "This is the exact search, which reads all the large vectors; choose m by the "
    "small ones first.": (
        lambda query, vectors, small, scale, k, m: _best(vectors, query, k)
    ),
    "Multiply the small numbers by `scale`: dimensions with a large scale count too "
    "little.": lambda query, vectors, small, scale, k, m: _rescored(
        query, vectors, small, 1, k, m
    ),
    "The best should come first.": (
        lambda *given: _rescored(*given)[::-1],
        lambda *given: np.sort(_rescored(*given)),
    ),
    "Take m candidates, not k; the rest of the m could not rise.": (
        lambda *given: _rescored(*given[:-1], given[-2])
    ),
    "These have the lowest products; np.argsort sorts upwards.": (
        lambda *given: _rescored(*given, sign=-1),
        lambda query, *given: _rescored(-query, *given),
    ),
}


def check_3(answer):
    """A function: n, size, overlap -> [(start, end)], the windows over n pieces."""
    draw = rng(3)
    cases = [(10, 5, 2), (10, 4, 2), (5, 4, 1), (4, 4, 1), (3, 4, 2), (9, 5, 4)]
    others = [(10, 4, 0), (0, 4, 2), (8, 4, 0), (1, 1, 0), (7, 3, 1)]
    others += [(1, 5, 2), (2, 5, 2), (2, 4, 3)]  # no longer than the overlap
    for _ in range(40):
        size = int(draw.integers(1, 9))
        others.append((int(draw.integers(0, 30)), size, int(draw.integers(0, size))))
    # without an overlap a wrong step may never end
    TABLES[3].ask("windows", answer, cases, others, read=_pairs)
    return "Every piece is read, none is cut off, and no window is there for nothing."


def _pairs(result, *case):
    hint = "Return a list of (start, end)."
    return a_list(result, "The answer", each=_pair, hint=hint)


def _pair(value, what):
    values = a_list(value, what, 2, hint="A window is (start, end).")
    return tuple(a_whole_number(v, what, low=-(10**6)) for v in values)


def _windows(n, size, overlap):
    step = size - overlap
    count = 0 if n == 0 else 1 + max(0, -(-(n - size) // step))
    return [(i * step, min(i * step + size, n)) for i in range(count)]


def _of_windows(change):
    return lambda *given: [change(start, end) for start, end in _windows(*given)]


def _in_turn(stop, cut=True):
    """A window at every turn before stop(n, size, overlap); cut: at the end."""

    def windows(n, size, overlap):
        starts = range(0, stop(n, size, overlap), size - overlap)
        return [(s, min(s + size, n) if cut else s + size) for s in starts]

    return windows


WINDOW_MISTAKES = {
    "A window follows one that has reached the end.": _in_turn(lambda n, *_: n),
    "What is left at the end is not read.": _in_turn(
        lambda n, size, overlap: n - size + 1
    ),
    "The last window reaches beyond the text.": (
        lambda n, size, overlap: [
            (start, start + size) for start, _ in _windows(n, size, overlap)
        ],
        _in_turn(lambda n, *_: n, cut=False),
    ),
    "The step is size - overlap, not overlap.": (
        lambda n, size, overlap: _windows(n, size, size - overlap if overlap else 0)
    ),
    "`end` is excluded: it is the place after the last piece.": _of_windows(
        lambda start, end: (start, end - 1)
    ),
    "The second number is the end, not the length.": _of_windows(
        lambda start, end: (start, end - start)
    ),
    "A text that is not longer than the overlap has a window, too; only one without "
    "pieces has none.": _in_turn(lambda n, size, overlap: n - overlap),
    "A text without pieces has no window: return an empty list.": (
        lambda *given: _windows(*given) or [(0, 0)]
    ),
}

TABLES = {
    1: Mistakes(
        lambda scores, right, k: _judged(_ranks(scores, right), k),
        JUDGE_MISTAKES,
        "Each number",
    ),
    2: Mistakes(_rescored, RESCORE_MISTAKES, "Each place"),
    3: Mistakes(_windows, WINDOW_MISTAKES, "Each window"),
}
