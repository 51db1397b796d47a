"""Typical wrong answers of the chapter, and the words that name each mistake."""

import numpy as np


def wrong_1(names):
    def left(count, finished):
        return [n for n in range(count) if n not in finished]

    def blocks(count, finished, rank, ranks):
        size = -(-count // ranks)
        return [n for n in left(count, finished) if n // size == rank]

    def from_one(count, finished, rank, ranks):
        start = (rank - 1) % ranks
        return [n for n in range(start, count, ranks) if n not in finished]

    def whole_rounds(count, finished, rank, ranks):
        rounds = range(rank, count // ranks * ranks, ranks)
        return [n for n in rounds if n not in finished]

    def nothing_left_out_alone(count, finished, rank, ranks):
        return [n for n in range(rank, count, ranks) if ranks == 1 or n not in finished]

    yield lambda count, finished, rank, ranks: [*range(rank, count, ranks)], "finished"
    yield whole_rounds, "the last round is missing"
    yield nothing_left_out_alone, "rank 0 of 1: the finished ones"
    yield lambda c, f, rank, ranks: left(c, f)[rank::ranks], "leave out first"
    yield lambda count, finished, rank, ranks: left(count, finished), "make theirs"
    yield blocks, "blocks of neighbours"
    yield from_one, "counted from 0"
    yield lambda c, f, rank, ranks: [*range(c)][rank::ranks][::-1], "rising"
    yield lambda count, finished, rank, ranks: [], "expected [1, 4]"
    yield lambda count, finished, rank, ranks: rank, "must be a list"
    yield [0, 2], "Pass the function itself"


def wrong_2(names):
    def stacked(parts, count):
        rows = [row for part, _ in parts for row in part]
        vectors = np.concatenate([part for _, part in parts])
        return vectors, sorted({*range(count)} - {*rows})

    def filled(value, add=False, width=None):
        def merged(parts, count):
            vectors = np.full((count, width or len(parts[0][1][0])), value)
            seen = set()
            for rows, part in parts:
                for row, line in zip(rows, part, strict=True):
                    vectors[row] = line + (vectors[row] if add and row in seen else 0)
                    seen.add(row)
            return vectors, [row for row in range(count) if row not in seen]

        return merged

    right = filled(np.nan)

    def turned(parts, count):
        vectors, missing = right(parts, count)
        return vectors, missing[::-1]

    def from_one(parts, count):
        vectors, missing = right(parts, count)
        return vectors, [row + 1 for row in missing]

    def only_those_sent(parts, count):
        vectors, missing = right(parts, count)
        return vectors[~np.isnan(vectors[:, 0])], missing

    def indexed(parts, count):
        vectors, missing = stacked(parts, count)
        rows = [row for part, _ in parts for row in part]
        return vectors[rows] if len(rows) == count else vectors, missing

    def sorted_parts(parts, count):
        return stacked(sorted(parts, key=lambda part: part[0][0]), count)

    def known_by_zeros(parts, count):
        vectors, _ = filled(0.0)(parts, count)
        missing = np.flatnonzero(~vectors.any(axis=1))
        vectors[missing] = np.nan
        return vectors, missing

    def nan_in_front(parts, count):
        vectors, missing = filled(0.0)(parts, count)
        vectors[missing, 0] = np.nan
        return vectors, missing

    def last_number_lost(parts, count):
        vectors, missing = right(parts, count)
        vectors[:, -1] = vectors[:, 0]
        return vectors, missing

    yield stacked, "as they came"
    yield known_by_zeros, "Row 2 should have 0.000"
    yield nan_in_front, "must be nan; yours holds 0."
    yield last_number_lost, "at place 2"
    yield filled(np.nan, width=3), "stopped with"
    yield sorted_parts, "Row"
    yield filled(0.0), "must be nan"
    yield filled(np.nan, add=True), "was added up"
    yield turned, "rising order"
    yield from_one, "counted from 0"
    yield only_those_sent, "one for each row"
    yield indexed, "their inverse"
    yield lambda parts, count: right(parts, count)[0], "must be a list of 2 entries"
    yield lambda parts, count: (right(parts, count)[0], [3]), "Missing are []"


def wrong_3(names):
    def weighed(gradients, counts):
        return sum(n * g for n, g in zip(counts, gradients, strict=True))

    def first_number_only(gradients, counts):
        joined = np.mean(gradients, axis=0)
        joined.flat[0] = weighed(gradients, counts).flat[0] / sum(counts)
        return joined

    yield lambda gradients, counts: np.mean(gradients, axis=0), "plain mean"
    yield lambda gradients, counts: np.sum(gradients, axis=0), "sum of the gradients"
    yield weighed, "divide by their number"
    yield lambda g, n: weighed(g, n) / len(n), "number of processes"
    yield lambda g, n: weighed(g, [1 / x for x in n]) / sum(1 / x for x in n), "turned"
    yield lambda gradients, counts: np.mean(gradients), "shape (4,)"
    yield lambda gradients, counts: gradients[0], "gradient[0] should be"
    yield lambda g, n: (weighed(g, n) / sum(n)).round(4), "should be 1.105831"
    yield first_number_only, "gradient[1] should be"
    yield lambda gradients, counts: np.nan * gradients[0], "nan"
