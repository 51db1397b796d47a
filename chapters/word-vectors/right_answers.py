"""Right answers in unusual forms: a table, analogies by products, two cosines."""

import numpy as np

from helpers.exercises.checks import mistakes_of


def right_1(names):
    yield [["0.58", "0", ".32"], ["0", "1.00", "0"], ["0.0", "0", "0"]]
    yield [[0.59, -0.0, 0.32], [0, 1, 0], [0, 0, 0]]  # 0.585, rounded once more
    yield mistakes_of("word-vectors.1").right(
        np.array([[3, 0, 5], [1, 4, 3], [4, 4, 8]])
    )


def right_2(names):
    yield one_by_one


def one_by_one(a, b, c, words, vectors):
    vector = dict(zip(words, vectors, strict=True))

    def s(x, y):
        x, y = vector[x], vector[y]
        return (x @ y / np.sqrt((x @ x) * (y @ y)) + 1) / 2

    others = (word for word in words if word not in (a, b, c))
    return max(others, key=lambda d: s(d, b) * s(d, c) / (s(d, a) + 0.001))


def right_3(names, answer):
    yield answer | {"misled": answer["misled"].title()}
    capital, last = 'LETTER by letter, say "readers".', answer["sentences"][1]
    yield answer | {"sentences": [capital, last]}
    yield answer | {
        "sentences": ("It is characteristic of a letter to come late.", last)
    }
