"""Wrong answers that the tables of mistakes do not hold, and words of the reply."""

import numpy as np

from helpers.exercises.checks import mistakes_of


def wrong_1(names):
    right = mistakes_of("semantic-search.1").right
    yield lambda *given: right(*given)[0], "recall and the reciprocal rank"
    yield lambda scores, right, k: (0.5, 0.5), "have the ranks"
    yield lambda *given: (right(*given)[0], np.nan), "you return (0, nan)"


def wrong_2(names):
    right = mistakes_of("semantic-search.2").right
    yield lambda q, v, s, c, k, m: right(q, v, s, c, m, m), "of 5 entries; yours has 20"
    yield lambda q, v, s, c, k, m: list(range(k)), "by small * scale, then"


def wrong_3(names):
    right, found = mistakes_of("semantic-search.3").right, []

    def kept_between_calls(*given):
        found.extend(right(*given))
        return found

    yield lambda *given: right(*given)[:1], "expected [(0, 5), (3, 8), (6, 10)]"
    yield lambda *given: [start for start, _ in right(*given)], "(start, end)"
    yield kept_between_calls, "yours are [(0, 5), (3, 8)"
