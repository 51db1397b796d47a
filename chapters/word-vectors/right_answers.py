"""Right answers in unusual forms: a table, two cosines."""

import numpy as np

from helpers.exercises.checks import mistakes_of


def right_1(names):
    yield [["0.58", "0", ".32"], ["0", "1.00", "0"], ["0.0", "0", "0"]]
    yield [[0.59, -0.0, 0.32], [0, 1, 0], [0, 0, 0]]  # 0.585, rounded once more
    yield mistakes_of("word-vectors.1").right(
        np.array([[3, 0, 5], [1, 4, 3], [4, 4, 8]])
    )


def right_3(names, answer):
    yield answer | {"misled": answer["misled"].title()}
    capital, last = 'LETTER by letter, say "readers".', answer["sentences"][1]
    yield answer | {"sentences": [capital, last]}
    yield answer | {
        "sentences": ("It is characteristic of a letter to come late.", last)
    }
