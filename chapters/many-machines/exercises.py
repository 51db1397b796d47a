"""Checks of the chapter, many machines: shards, rows put together, gradients."""

import numpy as np

from helpers.exercises.asking import a_list, a_whole_number, an_array
from helpers.exercises.mistakes import Mistakes
from helpers.exercises.replies import NotYet
from helpers.exercises.seeds import rng


def check_1(answer):
    """A function: (count, finished, rank, ranks) -> shards still to make."""
    drawn = rng(1).permutation(23)[:9].tolist()
    cases = [(7, [], 1, 3), (10, [1, 5, 4], 1, 2), (8, [], 0, 1), (3, [0, 1, 2], 0, 2)]
    cases += [(7, [3], 0, 3), (8, [5, 2], 0, 1), (3, [1], 0, 5), (3, [], 4, 5)]
    cases += [(23, drawn, rank, 4) for rank in (2, 0, 3)]
    cases += [(3, [], 1, 3), (1, [], 1, 3), (0, [], 0, 2), (10, [1], 1, 2)]
    cases += [(10, [1], 2, 3)]
    TABLES[1].ask("left_for", answer, cases, read=_numbers)
    return "Dealt first, left out afterwards: no shard is made twice, none forgotten."


def _numbers(result, *case):
    return a_list(result, "The answer", each=a_whole_number)


def _left(count, finished):
    return [number for number in range(count) if number not in finished]


def _dealt(start=lambda rank, ranks: rank):
    """Every `ranks`-th shard from start, without the finished ones."""

    def left_for(count, finished, rank, ranks):
        numbers = range(start(rank, ranks), count, ranks)
        return [number for number in numbers if number not in finished]

    return left_for


def _blocks(count, finished, rank, ranks):
    size = -(-count // ranks)
    return [n for n in _left(count, finished) if n // size == rank]


SHARD_MISTAKES = {
    "These are in another order; give them rising.": (
        lambda *given: _dealt()(*given)[::-1]
    ),
    "The finished ones are in it as well.": (
        lambda count, finished, rank, ranks: range(rank, count, ranks)
    ),
    "You leave out first and deal what is left. A process that looks later sees "
    "another list, and then some shards have two makers and others none.": (
        lambda count, finished, rank, ranks: _left(count, finished)[rank::ranks]
    ),
    "You give all that is left; the other processes make theirs.": (
        lambda count, finished, rank, ranks: _left(count, finished)
    ),
    "These are blocks of neighbours; number n falls to process n modulo the number of "
    "processes.": _blocks,
    "This is the share of another process; ranks are counted from 0.": (
        _dealt(lambda rank, ranks: (rank - 1) % ranks),
        _dealt(lambda rank, ranks: rank + 1),
    ),
}


def check_2(answer):
    """A function: (parts, count) -> (vectors in order of rows, missing rows)."""
    draw, stages = rng(2), []
    truth = draw.normal(size=(14, 3)).round(3)
    truth[2] = 0  # a vector as any other
    order = draw.permutation(14)
    whole = [order[:5], order[5:6], order[6:]]
    twice = [order[:6], order[4:9], order[[0, 1, 0]], order[9:12]]
    cases = [(whole, truth), (twice, truth), ([np.array([2, 0])], truth[:9, :2])]
    for places, vectors in cases:
        parts = [(rows.tolist(), vectors[rows]) for rows in places]
        stages.append([(parts, len(vectors))])  # what merely stacks fails in the second
    TABLES[2].ask("merged", answer, *stages, read=_in_one, otherwise=_merged_told)
    return "Every row has its own place, and what is missing has a name."


def _in_one(result, parts, count):
    """The numbers of all lines, then the missing rows."""
    lines, missing = a_list(result, "The answer", 2, hint="The array and the list.")
    hint = "It holds a line for each row, also for a missing one."
    shape = None, np.shape(parts[0][1])[1]
    lines = an_array(lines, shape, "The vectors", finite=False, hint=hint)
    if len(lines) != count:
        stacked = len(lines) == sum(len(rows) for rows, _ in parts)
        raise NotYet(
            f"Expected {count} lines, yours has {len(lines)}: "
            + ("rows that came twice stand twice." if stacked else "one for each row.")
        )
    return [*lines.flat, *a_list(missing, "The missing rows", each=a_whole_number)]


def _merged_told(got, right, parts, count):
    width = np.shape(parts[0][1])[1]
    vectors, truth = (x[: count * width].reshape(-1, width) for x in (got, right))
    near = np.isclose(vectors, truth, atol=1e-5, equal_nan=True).all(axis=1)
    if near.all():
        missing, wanted = (x[count * width :].astype(int) for x in (got, right))
        return f"Missing are {wanted.tolist()}; yours are {missing[:12].tolist()}."
    row = int((~near).argmax())
    return (
        f"Row {row} should be {truth[row].tolist()}, all of it nan where it was never "
        f"sent; yours is {vectors[row].tolist()}."
    )


def _merged(parts, count, added=False):
    vectors = np.full((count, np.shape(parts[0][1])[1]), np.nan)
    for row, line in _sent(parts):
        before = vectors[row] if added and np.isfinite(vectors[row]).all() else 0
        vectors[row] = line + before
    seen = {row for row, _ in _sent(parts)}
    return vectors, [row for row in range(count) if row not in seen]


def _sent(parts):
    return [pair for rows, part in parts for pair in zip(rows, part, strict=True)]


def _stacked(parts, count):
    return np.array([line for _, line in _sent(parts)]), _merged(parts, count)[1]


def _merged_numbers(merge, parts, count):
    return _in_one(merge(parts, count), parts, count)


MERGE_MISTAKES = {
    "The vectors stand as they came; put each at its row.": _stacked,
    "A row that came twice was added up; take it once.": (
        lambda parts, count: _merged(parts, count, added=True)
    ),
}


def check_3(answer):
    """A function: (gradients, counts) -> gradient of the mean over all rows."""
    draw = rng(3)
    sizes = [([5, 3], (4,)), ([4, 4], (2, 3)), ([1, 7, 2], (3, 2)), ([6], (5,))]
    cases = [([draw.normal(size=x) for _ in counts], counts) for counts, x in sizes]
    TABLES[3].ask("joined_gradient", answer, cases)
    return "Sums can be added; means need their numbers of rows."


def _weighed(gradients, weights):
    return np.tensordot(weights, gradients, axes=1)


GRADIENT_DIGITS = 5  # since rounding is excluded
GRADIENT_MISTAKES = {
    "This is the plain mean of the gradients. Each row of a small share then weighs "
    "more than one of a large share.": (
        lambda gradients, counts: np.mean(gradients, axis=0)
    ),
    "This is the sum of the gradients, not a mean.": (
        lambda gradients, counts: np.sum(gradients, axis=0)
    ),
    "This is the gradient of the sum over all rows; divide by their number.": _weighed,
    "The weights are right, but you divide by the number of processes, not of rows.": (
        lambda gradients, counts: _weighed(gradients, counts) / len(counts)
    ),
    "The weights are turned round: a large share must weigh more.": (
        lambda gradients, counts: np.average(
            gradients, axis=0, weights=1 / np.array(counts)
        )
    ),
}

TABLES = {
    1: Mistakes(_dealt(), SHARD_MISTAKES, "Each shard"),
    2: Mistakes(_merged, MERGE_MISTAKES, "Each number", numbers=_merged_numbers),
    3: Mistakes(
        lambda gradients, counts: np.average(gradients, axis=0, weights=counts),
        GRADIENT_MISTAKES,
        "The gradient",
        digits=GRADIENT_DIGITS,
    ),
}
