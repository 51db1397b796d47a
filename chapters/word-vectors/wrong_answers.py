"""Typical wrong answers of the chapter and the words that name each mistake."""

import numpy as np


def wrong_1(names):
    counts = np.array([[3, 0, 5], [1, 4, 3], [4, 4, 8]])
    expected = np.outer(counts.sum(1), counts.sum(0)) / counts.sum()
    with np.errstate(divide="ignore"):
        pmi = np.log2(counts / expected)
    right = np.maximum(pmi, 0).round(2)
    yield pmi.tolist(), "no negative values"
    yield np.where(counts > 0, pmi, 0).tolist(), "no negative values"
    yield (right * np.log(2)).tolist(), "natural logarithms"
    yield (counts / expected).tolist(), "ratios"
    yield expected.tolist(), "expected counts"
    yield (counts / counts.sum()).tolist(), "probabilities"
    yield right.T.tolist(), "exchanged"
    yield right.round(1).tolist(), "two decimals"
    yield (right * np.log10(2)).tolist(), "base 10"
    yield np.maximum(counts / expected - 1, 0).tolist(), "exceed 1"
    yield np.where(counts > 0, np.maximum(-pmi, 0), 0).tolist(), "in the division"
    yield np.where(counts > 0, np.abs(pmi), 0).tolist(), "minus signs"
    yield (0 * right).tolist(), "divided by the total"
    yield [[0.58, 0, 0], [0, 1, 0], [0, 0, 0]], "yours[0][2] is 0"
    yield [1, 0, 0], "three rows of three"
    yield [[1, 0, 0], [0, 1, 0], [0, 0]], "three rows of three"
    yield "nothing", "three rows of three"


def wrong_2(names):
    yield multiply(exclude=False), "leave all three out"
    yield multiply(scale=False), "long vectors win"
    yield multiply(shift=False), "shift them"
    yield multiply(add=True), "sum b - a + c"
    yield lambda a, b, c, words, vectors: multiply()(c, b, a, words, vectors), "a and c"
    yield lambda a, b, c, words, vectors: multiply()(b, a, c, words, vectors), "a and b"
    yield multiply(but="a"), "leave all three out"
    yield multiply(but="b"), "leave all three out"
    yield multiply(but="c"), "leave all three out"
    yield multiply(half=1), "Divide it by 2"
    yield multiply(small=0), "0.001 is missing"
    yield multiply(small=0.1), "are right"
    yield multiply(divided=False), "not divided"
    yield lambda a, b, c, words, vectors: 3, "a string"
    yield lambda a, b, c, words, vectors: "queen", "none of the words"
    yield lambda a, b, c, words, vectors: a, "leave all three out"
    yield lambda *question: (set(question[3]) - {*question[:3]}).pop(), "are right"
    yield lambda a, b, c, words, vectors: vectors[a], "stopped with"
    yield "multiply", "without brackets"


def multiply(
    exclude=True,
    scale=True,
    shift=True,
    add=False,
    but="",
    half=2,
    small=0.001,
    divided=True,
):
    """The product of cosines, with one thing done otherwise."""

    def answer(a, b, c, words, vectors):
        given = [words.index(word) for word in (a, b, c)]
        if scale:
            vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        cosines = vectors[given] @ vectors.T
        if shift:
            cosines = (cosines + 1) / half
        score = cosines[1] * cosines[2]
        score = score / (cosines[0] + small) if divided else score
        if add:
            score = cosines[1] - cosines[0] + cosines[2]
        if exclude:
            score[
                [i for i, name in zip(given, "abc", strict=True) if name != but]
            ] = -99
        return words[int(score.argmax())]

    return answer


def wrong_3(names):
    vectors, row = names["bert_vectors"], names["bert_row"]
    rows = [vectors[row[word]] for word in ("club", "team", "stick")]
    products = [float(rows[0] @ other) for other in rows[1:]]
    lengths = [np.linalg.norm(other) for other in rows]
    cosines = [products[i] / lengths[0] / lengths[i + 1] for i in (0, 1)]
    misled = "first" if cosines[0] < cosines[1] else "second"
    answer = {
        "word": "club",
        "synonyms": ("team", "stick"),
        "sentences": (
            "the club signed a new goalkeeper",
            "he hit the ball with a club",
        ),
        "cosines": cosines,
        "misled": misled,
    }
    other = {"first": "second", "second": "first"}[misled]
    yield answer | {"cosines": products}, "products of the vectors"
    yield answer | {"cosines": cosines[::-1]}, "exchanged"
    yield answer | {"cosines": (0.9, 0.8)}, "before any layer"
    yield answer | {"cosines": ("high", "low")}, "must be a number"
    yield answer | {"cosines": [round(x + 0.02, 2) for x in cosines]}, "two decimals"
    yield answer | {"cosines": [1 - x for x in cosines]}, "distances"
    yield answer | {"cosines": [100 * x for x in cosines]}, "two decimals"
    yield answer | {"misled": other}, "the lower cosine"
    clubs = "all the clubs met again today"
    yield answer | {"sentences": (clubs, answer["sentences"][1])}, "does not hold"
    four = "a club met here ."
    yield answer | {"sentences": (four, answer["sentences"][1])}, "it has 4"
    yield answer | {"synonyms": ("team", "truncheons")}, "no whole piece"
    yield answer | {"synonyms": ("team", "##s")}, "no whole piece"
    yield answer | {"synonyms": ("team", "team")}, "different words"
    yield answer | {"synonyms": "team"}, "two things"
    same = answer["sentences"][0]
    yield answer | {"sentences": (same, same)}, "two different sentences"
    yield answer | {"sentences": (same, "a club")}, "second sentence needs five"
    with_synonym = "the club of the team met today"
    yield answer | {"sentences": (with_synonym, same)}, "holds a synonym"
    yield ["club"], "keys word"
