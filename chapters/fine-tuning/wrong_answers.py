"""Typical wrong answers of the chapter and the words that name each mistake."""

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, f1_score
from sklearn.model_selection import train_test_split


def wrong_1(names):
    def four(matrix):
        (kept, lost), (let_in, found) = matrix
        precision, recall = found / (found + lost or 1), found / (found + let_in)
        f1 = 2 * precision * recall / (precision + recall or 1)
        return (kept + found) / matrix.sum(), precision, recall, f1

    def f1_of_ham(matrix):
        return four(matrix[::-1, ::-1])

    def transposed(matrix):
        return four(matrix.T)

    def arithmetic(matrix):
        accuracy, precision, recall, _ = four(matrix)
        return accuracy, precision, recall, (precision + recall) / 2

    yield f1_of_ham, "of ham"
    yield transposed, "exchanged"
    yield arithmetic, "harmonic"
    yield lambda matrix: (matrix[1, 1] / matrix.sum(), 0, 0, 0), "diagonal"
    yield lambda matrix: four(matrix)[:3], "four numbers"
    yield lambda matrix: [0.9 if m == 0.9 else m for m in naive(matrix)], "count as 0"
    yield lambda matrix: four(matrix.tolist()), "AttributeError"


def naive(matrix):
    """Right, but for 0 / 0, which gives nan."""
    with np.errstate(invalid="ignore"):
        precision = matrix[1, 1] / matrix[:, 1].sum()
        recall = matrix[1, 1] / matrix[1].sum()
        f1 = 2 * precision * recall / (precision + recall)
    return np.trace(matrix) / matrix.sum(), precision, recall, f1


def wrong_2(names):
    def peeking(train_texts, train_labels, test_texts):
        words = TfidfVectorizer().fit(train_texts + test_texts)
        model = LogisticRegression().fit(words.transform(train_texts), train_labels)
        return model.predict_proba(words.transform(test_texts))[:, 1]

    def fitted(train_texts, train_labels):
        words = TfidfVectorizer().fit(train_texts)
        model = LogisticRegression().fit(words.transform(train_texts), train_labels)
        return words, model

    def columns(train_texts, train_labels, test_texts):
        words, model = fitted(train_texts, train_labels)
        return model.predict_proba(words.transform(test_texts))

    def of_ham(*arguments):
        return columns(*arguments)[:, 0]

    def answers(*arguments):
        return columns(*arguments).argmax(axis=1)

    yield peeking, "learned from the test"
    yield of_ham, "probability of ham"
    yield columns, "column of spam"
    yield answers, "return probabilities"
    yield lambda a, b, test_texts: [0.5], "one probability a test text"
    yield lambda a, b, c: [len(text) / 99 for text in c], "Other training texts"


def wrong_3(names):
    messages, distinct = names["messages"], names["distinct"]
    yield curve(messages, messages), "drop the repeats"
    yield curve(distinct, distinct, aside=False), "rows of the test part"
    right = curve(distinct, distinct)
    yield curve(distinct, distinct, seeds=(0, 1)), "three seeds"
    yield curve(distinct, distinct, sizes=(8, 32)), "three or more sizes"
    many = {n: parts * 100 for n, parts in right["train"].items()}
    yield right | {"train": many}, "lists in all"
    yield right | {"mean": dict.fromkeys(right["mean"], np.nan)}, "mean holds nan"
    yield curve(distinct, distinct, seeds=(0, 0, 0)), "drew the same rows"
    yield curve(distinct, distinct, score=f1_of_ham), "F1 of ham"
    yield curve(distinct, distinct, score=accuracy_score), "mean accuracy"
    yield right | {"spread": dict.fromkeys(right["spread"], 0.5)}, "standard deviation"
    shifted = {n: [p[1:] + p[:1] for p in ps] for n, ps in right["predicted"].items()}
    yield right | {"predicted": shifted}, "order of the test rows"
    yield [0.8, 0.9], "dict with the keys"


def f1_of_ham(labels, predicted):
    return f1_score(labels, predicted, pos_label=0)


def curve(pool, whole, aside=True, seeds=(0, 1, 2), sizes=(16, 40, 90), score=f1_score):
    """A learning curve of TF-IDF, with the mistakes that the arguments make."""
    rest, test = train_test_split(
        whole, test_size=150, random_state=1, stratify=whole.label
    )
    pool = rest if aside else pool
    result = {"test": test.index.tolist(), "train": {}, "predicted": {}}
    result |= {"mean": {}, "spread": {}}
    for n in sizes:
        draws = [
            train_test_split(
                pool, train_size=n, random_state=seed, stratify=pool.label
            )[0]
            for seed in seeds
        ]
        given = []
        for rows in draws:
            words = TfidfVectorizer().fit(rows.text)
            model = LogisticRegression(C=100, max_iter=2000)
            model.fit(words.transform(rows.text), rows.label)
            given.append(model.predict(words.transform(test.text)).tolist())
        found = [score(test.label, part) for part in given]
        result["train"][n] = [rows.index.tolist() for rows in draws]
        result["predicted"][n] = given
        result["mean"][n], result["spread"][n] = np.mean(found), np.std(found)
    return result
