"""Right answers in unusual forms: a table, analogies by products, two cosines."""

import numpy as np
import pandas as pd
import torch


def right_1(names):
    counts = np.array([[3, 0, 5], [1, 4, 3], [4, 4, 8]])
    with np.errstate(divide="ignore"):
        exact = np.maximum(np.log2(counts * 32 / np.outer([8, 8, 16], [8, 8, 16])), 0)
    rounded = exact.round(2)
    yield from (exact, torch.tensor(exact).float(), pd.DataFrame(rounded))
    yield [[str(number) for number in row] for row in rounded.tolist()]
    yield tuple(map(tuple, rounded.tolist()))
    yield [[0.59, -0.0, 0.32], [0, 1, 0], [0, 0, 0]]  # 0.585, rounded once more
    yield (row for row in rounded.tolist())
    yield [pd.Series(row) for row in rounded]


def right_2(names):
    solved = one_by_one
    yield lambda *question: np.str_(solved(*question))
    yield lambda *question: np.array(solved(*question))
    yield lambda *question: spoiled(solved, *question)
    yield by_torch
    yield by_pandas
    yield one_by_one
    yield lambda a, b, c, words, vectors: solved(a, b, c, words, np.float32(vectors))


def spoiled(solved, a, b, c, words, vectors):
    word = solved(a, b, c, words, vectors)
    vectors *= 0
    words.clear()
    return word


def by_torch(a, b, c, words, vectors):
    scaled = torch.nn.functional.normalize(torch.tensor(vectors), dim=1)
    given = [words.index(word) for word in (a, b, c)]
    shifted = (scaled @ scaled[given].T + 1) / 2
    score = shifted[:, 1:].prod(1) / (shifted[:, 0] + 0.001)
    score[given] = -1
    return words[score.argmax()]


def by_pandas(a, b, c, words, vectors):
    table = pd.DataFrame(np.corrcoef(vectors) * 0, words, words)
    lengths = np.linalg.norm(vectors, axis=1)
    table += (vectors @ vectors.T / np.outer(lengths, lengths) + 1) / 2
    score = table[b] * table[c] / (table[a] + 0.001)
    return score.drop([a, b, c]).idxmax()


def one_by_one(a, b, c, words, vectors):
    vector = dict(zip(words, vectors, strict=True))

    def s(x, y):
        x, y = vector[x], vector[y]
        return (x @ y / np.sqrt((x @ x) * (y @ y)) + 1) / 2

    others = (word for word in words if word not in (a, b, c))
    return max(others, key=lambda d: s(d, b) * s(d, c) / (s(d, a) + 0.001))


def right_3(names):
    vectors, row = names["bert_vectors"], names["bert_row"]
    if not {"club", "team", "stick"} <= set(row):
        return
    rows = vectors[[row[word] for word in ("club", "team", "stick")]]
    rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    cosines = (rows[1:] @ rows[0]).tolist()
    misled = "first" if cosines[0] < cosines[1] else "second"
    sentences = ("The club's goalkeeper was ill.", "She hit the ball with her club!")
    answer = {
        "word": "club",
        "synonyms": ["team", "stick"],
        "sentences": sentences,
        "cosines": [round(cosine, 2) for cosine in cosines],
        "misled": misled,
    }
    yield answer
    for form in (tuple, np.array, torch.tensor, pd.Series):
        yield answer | {"cosines": form(cosines)}
    yield answer | {"cosines": [f"{cosine:.2f}" for cosine in cosines]}
    yield answer | {"synonyms": pd.Series(["team", "stick"]), "misled": misled.title()}
    capital = 'CLUB life, say "members", is dull.'
    yield answer | {"sentences": [capital, sentences[1]]}
    yield answer | {"sentences": ("Its teamwork made the club great.", sentences[1])}
