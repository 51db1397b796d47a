"""Wrong answers that the tables of mistakes do not hold, and words of the reply."""

import numpy as np

from helpers.exercises.checks import mistakes_of


def wrong_1(names):
    right = mistakes_of("question-answering.1").right
    yield lambda start, end, longest: (0, 0), "add up to"
    yield lambda start, end, longest: (len(start), len(start)), "no places"
    yield lambda start, end, longest: (0.5, 1), "no places"
    yield lambda start, end, longest: (2, 0), "ends before it begins"
    yield (
        lambda start, end, longest: (
            (0, len(end) - 1) if longest < 3 else right(start, end, longest)
        ),
        "a span of 4 pieces",
    )
    yield lambda start, end, longest: right(start, end, longest)[0], "shape"
    yield lambda start, end, longest: right(start, end, min(longest, 5)), "add up to"


def wrong_2(names):
    right = mistakes_of("question-answering.2").right
    yield lambda said, golds: right(said, golds)[1], "shape"
    yield lambda said, golds: (0.0, 0.0), "exact is 1"
    yield lambda said, golds: (right(said, golds)[0], 0.5), "f1 is"
    yield (
        lambda said, golds: right(said, golds) if said else (1.0, 1.0),
        "no word of it counts",
    )
    yield (
        lambda said, golds: right(said, golds) if golds else (1.0, 1.0),
        "silence (an empty text)",
    )


def wrong_3(names):
    right = mistakes_of("question-answering.3").right

    def half_a_step(*given):
        threshold, share = right(*given)
        return threshold - 0.5, share

    def rounded(*given):
        threshold, share = right(*given)
        return threshold, np.round(share, 1)

    yield half_a_step, "the threshold is"
    yield lambda *given: (right(*given)[0], 0.5), "dealt with rightly"
    yield lambda *given: right(*given)[0], "shape"
    yield lambda *given: (0, right(*given)[1]), "the threshold is"
    yield rounded, "dealt with rightly"
