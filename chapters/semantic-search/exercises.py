"""Checks of the chapter, search."""

import numpy as np

from helpers.exercises import NotYet
from helpers.exercises.asking import (
    a_function,
    a_list,
    a_number,
    a_whole_number,
    is_right_to,
    name_mistake,
    name_rounding,
)
from helpers.exercises.seeds import rng

DIGITS = 4  # to which recall and rank are asked for


def check_1(answer):
    """A function: scores, right, k -> (recall at k, reciprocal rank)."""
    a_function(answer, "judge")
    for scores, right, k in (
        ([3.0, 1, 2, 0], [2], 1),
        ([3.0, 1, 2, 0], [3, 2], 3),
        ([5.0, 7, 5, 5, 5, 1], [0, 4], 3),
        ([0.0, 0, 0, 0, 0], [0], 2),
        ([5.0, 7, 5, 5, 1], [0, 1, 3], 2),
        ([-1.0, -2, -3], [1], 2),
        *_drawn_judgements(),
    ):
        _try_judge(answer, np.array(scores), right, k)
    return "A tie is no success: what scores no higher than a wrong text is not found."


def _drawn_judgements():
    draw = rng(1)
    for number in range(40):
        n = int(draw.integers(5, 14))
        scores = draw.integers(0, n if number % 2 else 4, n) / 2
        right = draw.choice(n, int(draw.integers(1, 5)), replace=False)
        yield scores.tolist(), right.tolist(), int(draw.integers(1, 6))


def _places(scores, right, last=True):
    """Places of the right texts in the order, from 0; last: after equal ones."""
    is_right = np.isin(np.arange(len(scores)), right)
    ties = is_right if last else ~is_right
    return np.flatnonzero(is_right[np.lexsort((ties, -scores))])


def _judged(places, right, k):
    return np.mean(places < k), 1 / (1 + places[0])


def _try_judge(function, scores, right, k):
    got = function(scores.copy(), list(right), k)
    got = a_list(
        got, "The answer", 2, hint="Return the recall and the reciprocal rank."
    )
    got = [
        a_number(value, what)
        for value, what in zip(got, ("The recall", "The reciprocal rank"), strict=True)
    ]
    places = _places(scores, right)
    recall, inverse = _judged(places, right, k)
    if is_right_to(got, (recall, inverse), DIGITS):
        return
    shown = f"For scores {scores.tolist()}, right {right} and k = {k} you return"
    shown += f" ({got[0]:.6g}, {got[1]:.6g})"
    kind = np.argsort(-scores, kind="stable")
    by_place = np.flatnonzero(np.isin(kind, right))
    lowest = _places(-scores, right)
    mistakes = {
        "among equal scores the wrong texts come first": _judged(
            _places(scores, right, last=False), right, k
        ),
        "among equal scores the wrong texts come first, not those with the lower "
        "place": _judged(by_place, right, k),
        "the highest score comes first": _judged(lowest, right, k),
        "divide by the number of right texts, not by k": (
            (places < k).sum() / k,
            inverse,
        ),
        "recall is the share of the right texts, not whether one is there": (
            float((places < k).any()),
            inverse,
        ),
        "ranks count from 1, in the recall too: the first k are the ranks 1 to k": (
            np.mean(places + 1 < k),
            inverse,
        ),
        "the rank of the first right text counts from 1": (
            recall,
            1 / max(places[0], 1e-9),
        ),
        "take the first right text, not the last": (recall, 1 / (1 + places[-1])),
        "take the first right text, not the mean over all": (
            recall,
            np.mean(1 / (1 + places)),
        ),
        "the second number is 1 / rank, not the rank": (recall, 1 + places[0]),
        "the recall comes first, then the reciprocal rank": (inverse, recall),
        "the recall is a share from 0 to 1": (100 * recall, inverse),
    }
    name_mistake(got, ((f"{shown}; {said}.", v) for said, v in mistakes.items()))
    name_rounding(got, (recall, inverse), DIGITS, "Each number")
    raise NotYet(
        f"{shown}; the right texts have the ranks {(places + 1).tolist()}, which makes "
        f"({recall:.4f}, {inverse:.4f}), to four decimals."
    )


def check_2(answer):
    """A function: query, vectors, small, scale, k, m -> places of the k best of m."""
    a_function(answer, "rescore")
    draw = rng(2)
    for n, hidden, k, m in (
        (60, 16, 5, 20),
        (200, 16, 10, 12),
        (200, 12, 10, 14),
        (40, 8, 8, 40),
        (100, 6, 3, 3),
        (30, 8, 1, 6),
    ):
        _try_rescore(answer, *_rough_collection(draw, n, hidden), k, m)
    return "Small vectors choose, large ones decide, and few of the large are read."


def _rough_collection(draw, n, hidden):
    """Vectors with unequal spread, rounded so coarsely that both orders differ."""
    spread = draw.uniform(0.2, 3, hidden)
    vectors = (draw.normal(size=(n, hidden)) * spread).astype(np.float32)
    scale = (np.abs(vectors).max(0) / 3).astype(np.float32)
    small = np.round(vectors / scale).astype(np.int8)
    return draw.normal(size=hidden).astype(np.float32), vectors, small, scale


def _by(scores, k):
    return np.argsort(-scores, kind="stable")[:k]


def _try_rescore(function, query, vectors, small, scale, k, m):
    rough = (small * scale).astype(np.float64) @ query.astype(np.float64)
    fine = vectors.astype(np.float64) @ query.astype(np.float64)
    best = _by(rough, m)
    truth = best[_by(fine[best], k)].tolist()
    got = function(query.copy(), vectors.copy(), small.copy(), scale.copy(), k, m)
    hint = "Return the places of the texts, best first."
    got = a_list(got, "The answer", each=a_whole_number, hint=hint)
    if got == truth:
        return
    if len(got) != k:
        raise NotYet(
            f"Expected {k} places for k = {k} and m = {m}; yours are {len(got)}."
        )
    raw = small.astype(np.float64) @ query
    unscaled = _by(raw, m)
    mistakes = {
        "this is the order of the small vectors; rescore the m best with the large "
        "ones": best[:k],
        "these are rows among the m candidates; turn them back into places of texts": (
            _by(fine[best], k)
        ),
        "this is the exact search, which reads all the large vectors; choose m by the "
        "small ones first": _by(fine, k),
        "multiply the small numbers by `scale`: dimensions with a large scale count "
        "too little": unscaled[_by(fine[unscaled], k)],
        "the best should come first": truth[::-1],
        "take m candidates, not k; the rest of the m could not rise": _by(rough, k)[
            _by(fine[_by(rough, k)], k)
        ],
        "these are the worst of the m; the highest product is best": best[
            _by(-fine[best], k)
        ],
        "these are sorted by place; the best should come first": np.sort(truth),
        "places count from 0": np.add(truth, 1),
    }
    name_mistake(got, ((f"Not yet: {said}.", v) for said, v in mistakes.items()))
    raise NotYet(
        f"For k = {k} and m = {m} expected {truth}; yours are {got}. First the m best "
        "by small * scale, then the k best of these by the large vectors."
    )


def check_3(answer):
    """A function: n, size, overlap -> [(start, end)], the windows over n pieces."""
    a_function(answer, "windows")
    draw = rng(3)
    cases = [
        (10, 5, 2),
        (10, 4, 2),
        (10, 4, 0),
        (4, 4, 1),
        (5, 4, 1),
        (3, 4, 2),
        (0, 4, 2),
    ]
    cases += [(8, 4, 0), (9, 5, 4), (1, 1, 0), (7, 3, 1)]
    for _ in range(40):
        size = int(draw.integers(1, 9))
        cases.append((int(draw.integers(0, 30)), size, int(draw.integers(0, size))))
    for case in cases:
        _try_windows(answer, *case)
    return "Every piece is read, none is cut off, and no window is there for nothing."


def _windows(n, size, overlap):
    step = size - overlap
    count = 0 if n == 0 else 1 + max(0, -(-(n - size) // step))
    return [(i * step, min(i * step + size, n)) for i in range(count)]


def _pair(value, what):
    values = a_list(value, what, 2, hint="A window is (start, end).")
    return tuple(a_whole_number(v, what, low=-(10**6)) for v in values)


def _try_windows(function, n, size, overlap):
    got = function(n, size, overlap)
    hint = "Return a list of (start, end)."
    got = a_list(got, "The answer", each=_pair, hint=hint)
    truth = _windows(n, size, overlap)
    if got == truth:
        return
    where = f"For n = {n}, size = {size}, overlap = {overlap}"
    step = size - overlap
    all_starts = [(s, min(s + size, n)) for s in range(0, n, step)]
    full = [(s, s + size) for s in range(0, n - size + 1, step)]
    over = [(s, s + size) for s, _ in truth]
    moved = [*truth[:-1], (max(n - size, 0), n)] if truth else truth
    swapped = _windows(n, size, step) if overlap else []
    mistakes = [
        ("a window follows one that has reached the end", all_starts),
        ("what is left at the end is not read", full),
        ("the last window reaches beyond the text", over),
        ("begin the last window where its turn is, and let it be shorter", moved),
        ("the step is size - overlap, not overlap", swapped),
        ("`end` is excluded: it is the place after the last piece", [
            (s, e - 1) for s, e in truth
        ]),
        ("the second number is the end, not the length", [
            (s, e - s) for s, e in truth
        ]),
        ("windows overlap: each begins before the end of the one before", _windows(
            n, size, 0
        )),
    ]  # fmt: skip
    fitting = {said for said, wrong in mistakes if wrong == got}
    if len(fitting) == 1:
        raise NotYet(f"{where} you return {got}; {fitting.pop()}.")
    if n == 0:
        raise NotYet(f"{where} there is nothing to read: return an empty list.")
    raise NotYet(f"{where} expected {truth}; yours are {got}.")
