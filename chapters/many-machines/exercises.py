"""Checks of the chapter, many machines: shards, rows put together, gradients."""

import numpy as np

from helpers.exercises import NotYet
from helpers.exercises.asking import a_function, a_list, a_whole_number, an_array
from helpers.exercises.seeds import rng


def check_1(answer):
    """A function: (count, finished, rank, ranks) -> shards still to make."""
    a_function(answer, "left_for")
    drawn = rng(1).permutation(23)[:9].tolist()
    cases = [(7, [], 1, 3), (10, [1, 5, 4], 1, 2), (8, [], 0, 1), (3, [0, 1, 2], 0, 2)]
    cases += [(7, [3], 0, 3), (8, [5, 2], 0, 1)]
    cases += [(23, drawn, rank, 4) for rank in (2, 0, 3)]
    for case in cases:
        got = a_list(answer(*case), "The answer", each=a_whole_number)
        count, finished, rank, ranks = case
        right = [n for n in range(rank, count, ranks) if n not in finished]
        if got != right:
            _explain_shards(got, right, *case)
    return "Dealt first, left out afterwards: no shard is made twice, none forgotten."


def _explain_shards(got, right, count, finished, rank, ranks):
    given = f"For {count} shards, finished {finished}, rank {rank} of {ranks}"
    left = [n for n in range(count) if n not in finished]
    size = -(-count // ranks)
    mistakes = {
        "these are in another order; give them rising.": right[::-1],
        "the finished ones are in it as well.": [*range(rank, count, ranks)],
        "you leave out first and deal what is left. A process that looks later sees "
        "another list, and then some shards have two makers and others none.": left[
            rank::ranks
        ],
        "the last round is missing; the number of shards need not be a multiple of "
        "the number of processes.": [n for n in right if n < count // ranks * ranks],
        "you give all that is left; the other processes make theirs.": left,
        "these are blocks of neighbours; number n falls to process n modulo the "
        "number of processes.": [
            n for n in left if rank * size <= n < (rank + 1) * size
        ],
        "this is the share of another process; ranks are counted from 0.": [
            n for n in range((rank - 1) % ranks, count, ranks) if n not in finished
        ],
    }
    named = [said for said, wrong in mistakes.items() if got == wrong]
    if len(named) == 1:
        raise NotYet(f"{given}: {named[0]}")
    raise NotYet(f"{given}: expected {right}, yours is {got[:12]}.")


def check_2(answer):
    """A function: (parts, count) -> (vectors in order of rows, missing rows)."""
    a_function(answer, "merged")
    draw = rng(2)
    truth = draw.normal(size=(14, 3)).round(3)
    truth[2] = 0  # a vector as any other
    order = draw.permutation(14)
    whole = [order[:5], order[5:6], order[6:]]
    twice = [order[:6], order[4:9], order[:2], order[9:12]]
    cases = [(whole, truth), (twice, truth), ([np.array([2, 0])], truth[:9, :2])]
    for places, vectors in cases:
        parts = [(rows.tolist(), vectors[rows]) for rows in places]
        got = answer(parts, len(vectors))
        _check_merged(got, np.concatenate(places), vectors)
    return "Every row has its own place, and what is missing has a name."


def _check_merged(got, rows, truth):
    vectors, missing = a_list(got, "The answer", 2, hint="The array and the list.")
    wanted = sorted(set(range(len(truth))) - set(rows.tolist()))
    vectors = an_array(
        vectors,
        (None, truth.shape[1]),
        "The vectors",
        finite=False,
        hint="It holds a line for each row, also for a missing one.",
    )
    if len(vectors) != len(truth):
        stacked = len(vectors) == len(rows)
        raise NotYet(
            f"Expected {len(truth)} lines, yours has {len(vectors)}: "
            + ("rows that came twice stand twice." if stacked else "one for each row.")
        )
    right = truth.copy()
    right[wanted] = np.nan
    if not np.allclose(vectors, right, atol=1e-5, equal_nan=True):
        _explain_merged(vectors, right, rows, truth, wanted)
    missing = a_list(missing, "The missing rows", each=a_whole_number)
    if missing != wanted:
        if sorted(missing) == wanted:
            raise NotYet("The missing rows are to come in rising order.")
        if missing == [row + 1 for row in wanted]:
            raise NotYet("Rows are counted from 0; your missing ones count from 1.")
        raise NotYet(f"Missing are {wanted}; yours are {missing[:12]}.")


def _explain_merged(vectors, right, rows, truth, wanted):
    if wanted and np.isfinite(vectors[wanted]).any(axis=1).all():
        line = vectors[wanted[0]]
        raise NotYet(
            f"Row {wanted[0]} was never sent, so all of its line must be nan; yours "
            f"holds {line[np.isfinite(line)][0]:.3g}."
        )
    if not wanted and np.allclose(vectors, truth[rows][: len(truth)], atol=1e-5):
        raise NotYet("The vectors stand as they came; put each at its row.")
    if not wanted and np.allclose(vectors, truth[rows][rows], atol=1e-5):
        raise NotYet("You index with the rows, where their inverse is due.")
    near = np.isclose(vectors, right, atol=1e-5, equal_nan=True)
    row, place = (int(i) for i in np.argwhere(~near)[0])
    if np.allclose(vectors[row], 2 * right[row], atol=1e-5):
        raise NotYet(f"Row {row} came twice and was added up; take it once.")
    raise NotYet(
        f"Row {row} should have {right[row, place]:.3f} at place {place}; yours has "
        f"{vectors[row, place]:.5g}."
    )


def check_3(answer):
    """A function: (gradients, counts) -> gradient of the mean over all rows."""
    a_function(answer, "joined_gradient")
    draw = rng(3)
    cases = [([5, 3], (4,)), ([4, 4], (2, 3)), ([1, 7, 2], (3, 2)), ([6], (5,))]
    for counts, shape in cases:
        gradients = [draw.normal(size=shape) for _ in counts]
        got = an_array(answer(gradients, counts), shape, "The gradient")
        _check_gradient(got, np.array(gradients), counts)
    return "Sums can be added; means need their numbers of rows."


def _check_gradient(got, gradients, counts):
    right = np.average(gradients, axis=0, weights=counts)
    if np.allclose(got, right, atol=1e-5):
        return
    weighed = np.tensordot(counts, gradients, axes=1)
    mistakes = {
        "This is the plain mean of the gradients. Each row of a small share then "
        "weighs more than one of a large share.": gradients.mean(axis=0),
        "This is the sum of the gradients, not a mean.": gradients.sum(axis=0),
        "This is the gradient of the sum over all rows; divide by their number.": (
            weighed
        ),
        "The weights are right, but you divide by the number of processes, not of "
        "rows.": weighed / len(counts),
        "The weights are turned round: a large share must weigh more.": np.average(
            gradients, axis=0, weights=1 / np.array(counts)
        ),
    }
    named = [said for said, wrong in mistakes.items() if np.allclose(got, wrong)]
    if len(named) == 1:
        raise NotYet(f"With rows {counts}: {named[0]}")
    wrong = tuple(np.argwhere(~np.isclose(got, right, atol=1e-5))[0])
    place = "".join(f"[{number}]" for number in wrong)
    raise NotYet(
        f"With rows {counts} gradient{place} should be {right[wrong]:.6f}; yours is "
        f"{got[wrong]:.6f}."
    )
