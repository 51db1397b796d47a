"""Wrong answers that the tables of mistakes do not hold, and words of the reply."""

import numpy as np

from helpers.exercises.checks import mistakes_of


def wrong_1(names):
    right = mistakes_of("word-vectors.1").answer(mistakes_of("word-vectors.1").right)
    yield right.round(1), "two decimals"
    yield [[0.58, 0, -0.42], [0, 1, 0], [0, 0, 0]], "no negative values"
    yield [[0.58, 0, 0], [0, 1, 0], [0, 0, 0]], "yours[0][2] is 0"
    yield [1, 0, 0], "three rows of three"
    yield [[1, 0, 0], [0, 1, 0], [0, 0]], "three rows of three"


def wrong_2(names):
    for allowed in range(3):
        yield multiply(allowed=allowed), "leave all three out"
    for small in (0.1, 0.002):
        yield multiply(small=small), "are right"
    yield lambda a, b, c, words, vectors: "queen", "none of the words"


def multiply(allowed=None, small=0.001):
    """The product of cosines, with one of a, b and c allowed, or another number."""

    def answer(a, b, c, words, vectors):
        given = [words.index(word) for word in (a, b, c)]
        vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        shifted = (vectors[given] @ vectors.T + 1) / 2
        score = shifted[1] * shifted[2] / (shifted[0] + small)
        score[[place for i, place in enumerate(given) if i != allowed]] = -99
        return words[int(score.argmax())]

    return answer


def wrong_3(names):
    table = mistakes_of("word-vectors.3")
    answer = table.answer(table.right)
    cosines, (first, second) = answer["cosines"], answer["sentences"]
    yield answer | {"cosines": (0.9, 0.8)}, "both are not the cosine"
    yield answer | {"cosines": (cosines[0], 0.8)}, "one is not the cosine"
    yield answer | {"cosines": np.round(cosines, 1)}, "two decimals"
    yield answer | {"cosines": [100 * x for x in cosines]}, "two decimals"
    [other] = {"first", "second"} - {answer["misled"]}
    yield answer | {"misled": other}, f"not {other!r}: it is"
    yield answer | {"misled": "club"}, 'be "first" or "second".'
    yield answer | {"sentences": ("all the clubs met here", second)}, "does not hold"
    yield answer | {"sentences": ("a club met here .", second)}, "it has 4"
    yield answer | {"sentences": (first, "a club")}, "second sentence needs five"
    yield answer | {"sentences": (first, first)}, "two different sentences"
    with_synonym = "the club of the team met today"
    yield answer | {"sentences": (with_synonym, first)}, "holds a synonym, 'team'"
    other_synonym = "the club of the Stick met today"
    yield answer | {"sentences": (other_synonym, first)}, "holds a synonym, 'stick'"
    yield answer | {"synonyms": ("team", "##s")}, "no whole piece"
    yield answer | {"word": "truncheons"}, "no whole piece"
    yield answer | {"synonyms": ("team", "team")}, "different words"
