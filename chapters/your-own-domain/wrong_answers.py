"""Wrong answers that the tables of mistakes do not hold, and words of the reply."""

import numpy as np

from helpers.exercises.checks import mistakes_of


def wrong_1(names):
    right = mistakes_of("your-own-domain.1").right
    yield lambda scores, labels: 0.0, "four decimals"
    yield lambda scores, labels: right(scores, labels) * 2, "four decimals"
    yield lambda scores, labels: np.logaddexp(0, scores), "number"
    yield lambda scores, labels: round(float(right(scores, labels)), 2), "four decimals"


def wrong_2(names):
    right = mistakes_of("your-own-domain.2").right

    def halfway(*given):
        *thresholds, score = right(*given)
        return np.array(thresholds) - 0.05, score

    yield halfway, "the threshold of label 0"
    yield lambda *given: right(*given)[:-1], "thresholds, macro_f1"
    yield lambda *given: (right(*given)[:-1], 0.5), "in the"
    yield lambda *given: (right(*given)[0], right(*given)[-1]), "shape"


def wrong_3(names):
    right = mistakes_of("your-own-domain.3").right
    yield lambda before, after, text: (after - before).mean(), "shape"
    yield lambda *given: right(*given) * 2, "change is"
    yield lambda *given: right(*given) * [1, 1, 0], "high is"
    yield lambda *given: right(*given).round(1), "three decimals"
