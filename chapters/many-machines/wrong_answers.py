"""Wrong answers that the tables of mistakes do not hold, and words of the reply."""

import numpy as np

from helpers.exercises.checks import mistakes_of


def wrong_1(names):
    right = mistakes_of("many-machines.1").right

    def nothing_left_out_alone(count, finished, rank, ranks):
        return right(count, [] if ranks == 1 else finished, rank, ranks)

    yield nothing_left_out_alone, "finished [5, 2], rank 0 of 1: expected [0, 1, 3, 4"
    yield lambda count, finished, rank, ranks: [], "expected [1, 4], yours is []"


def wrong_2(names):
    right = mistakes_of("many-machines.2").right

    def zeros(parts, count):
        vectors, missing = right(parts, count)
        return np.nan_to_num(vectors), missing

    def nan_in_front(parts, count):
        vectors, missing = zeros(parts, count)
        vectors[missing, 0] = np.nan
        return vectors, missing

    def known_by_zeros(parts, count):
        vectors, _ = zeros(parts, count)
        missing = np.flatnonzero(~vectors.any(axis=1))
        vectors[missing] = np.nan
        return vectors, missing

    def last_number_lost(parts, count):
        vectors, missing = right(parts, count)
        vectors[:, -1] = vectors[:, 0]
        return vectors, missing

    def only_those_sent(parts, count):
        vectors, missing = right(parts, count)
        return np.delete(vectors, missing, axis=0), missing

    def stacked_where_some_are_missing(parts, count):
        vectors, missing = right(parts, count)
        return (
            np.concatenate([part for _, part in parts]) if missing else vectors
        ), missing

    yield zeros, "must be nan; yours holds 0."
    yield nan_in_front, "must be nan; yours holds 0."
    yield known_by_zeros, "Row 2 should have 0.000"
    yield last_number_lost, "at place 2"
    yield only_those_sent, "one for each row"
    yield stacked_where_some_are_missing, "rows that came twice stand twice"
    yield lambda parts, count: right(parts, count)[0], "must be a list of 2 entries"
    yield lambda parts, count: (right(parts, count)[0], [3]), "Missing are []"


def wrong_3(names):
    right = mistakes_of("many-machines.3").right

    def first_number_only(gradients, counts):
        joined = np.mean(gradients, axis=0)
        joined.flat[0] = right(gradients, counts).flat[0]
        return joined

    yield first_number_only, "gradient[1] should be"
    yield lambda gradients, counts: np.mean(gradients), "shape (4,)"
    yield lambda gradients, counts: gradients[0], "gradient[0] should be"
