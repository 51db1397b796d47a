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
    yield [[0.58, 0, 0], [0, 1, 0], [0, 0, 0]], "row 1, column 3"
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
    yield lambda a, b, c, words, vectors: 3, "a string"
    yield lambda a, b, c, words, vectors: "queen", "none of the words"
    yield lambda a, b, c, words, vectors: a, "leave all three out"
    yield lambda *question: (set(question[3]) - {*question[:3]}).pop(), "are right"
    yield lambda a, b, c, words, vectors: vectors[a], "stopped with"
    yield "multiply", "without brackets"


def multiply(exclude=True, scale=True, shift=True, add=False):
    """The product of cosines, with one thing done otherwise."""

    def answer(a, b, c, words, vectors):
        given = [words.index(word) for word in (a, b, c)]
        if scale:
            vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        cosines = vectors[given] @ vectors.T
        if shift:
            cosines = (cosines + 1) / 2
        score = cosines[1] * cosines[2] / (cosines[0] + 0.001)
        if add:
            score = cosines[1] - cosines[0] + cosines[2]
        if exclude:
            score[given] = -99
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
    yield answer | {"misled": other}, "the lower cosine"
    yield answer | {"synonyms": ("team", "truncheons")}, "no whole piece"
    yield answer | {"synonyms": ("team", "##s")}, "no whole piece"
    yield answer | {"synonyms": ("team", "team")}, "different words"
    yield answer | {"synonyms": "team"}, "two things"
    same = answer["sentences"][0]
    yield answer | {"sentences": (same, same)}, "two different sentences"
    yield answer | {"sentences": (same, "a club")}, "second sentence needs five"
    with_synonym = "the club of the team met today"
    yield answer | {"sentences": (with_synonym, same)}, "holds one of the synonyms"
    yield ["club"], "keys word"
