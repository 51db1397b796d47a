"""Right answers of the chapter in forms that nobody thinks of first."""

from fractions import Fraction

import numpy as np
import pandas as pd
import torch
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, precision_recall_fscore_support
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline


def right_1(names):
    def four(matrix):
        (kept, lost), (let_in, found) = matrix
        precision, recall = found / max(found + lost, 1), found / max(found + let_in, 1)
        f1 = 2 * found / max(2 * found + lost + let_in, 1)
        return (kept + found) / np.sum(matrix), precision, recall, f1

    yield lambda matrix: np.float32(four(matrix))
    yield lambda matrix: torch.tensor(four(matrix))
    yield lambda matrix: [torch.tensor(score) for score in four(matrix)]
    yield lambda matrix: [round(float(score), 3) for score in four(matrix)]
    yield lambda matrix: [str(score) for score in four(matrix)]
    yield lambda matrix: pd.Series(four(matrix), ["accuracy", "p", "r", "f1"])
    yield lambda matrix: [Fraction(float(score)) for score in four(matrix)]
    yield lambda matrix: (np.array(score) for score in four(matrix))

    def without_care(matrix):
        precision = matrix[1, 1] / matrix[:, 1].sum()
        recall = matrix[1, 1] / matrix[1].sum()
        f1 = 2 * precision * recall / (precision + recall)
        accuracy = np.trace(matrix) / matrix.sum()
        return np.nan_to_num([accuracy, precision, recall, f1])

    yield without_care

    def with_sklearn(matrix):
        truth = np.repeat([0, 0, 1, 1], matrix.ravel())
        given = np.repeat([0, 1, 0, 1], matrix.ravel())
        scores = precision_recall_fscore_support(
            truth, given, average="binary", zero_division=0
        )
        return (truth == given).mean(), *scores[:3]

    yield with_sklearn


def right_2(names):
    def gap(learn, known, labels, texts):
        alone = [learn(known, labels, (text,))[0] for text in texts]
        return np.abs(learn(known, labels, texts) - np.array(alone)).max()

    yield lambda *given: gap(*given) > 1e-3
    yield lambda *given: int(gap(*given) > 1e-4)
    yield lambda *given: torch.tensor(gap(*given)) > 1e-3

    def leaving_one_out(learn, known, labels, texts):
        together = learn(known, labels, texts)
        for i in range(len(texts)):
            others = learn(known, labels, texts[:i] + texts[i + 1 :])
            if not np.allclose(others, np.delete(together, i), atol=1e-3):
                return True
        return False

    yield leaving_one_out

    def halves(learn, known, labels, texts):
        parts = [learn(known, labels, half) for half in (texts[:3], texts[3:])]
        return gap_between(learn(known, labels, texts), np.concatenate(parts))

    def gap_between(one, other):
        return bool(np.abs(one - other).max() > 1e-3)

    yield halves

    def in_pairs(learn, known, labels, texts):
        together = learn(known, labels, texts)
        return any(
            abs(learn(known, labels, [other, text])[1] - p) > 1e-3
            for text, p in zip(texts, together, strict=True)
            for other in texts
            if other != text
        )

    yield in_pairs

    def with_series(learn, known, labels, texts):
        known, labels, texts = map(pd.Series, (known, labels, texts))
        alone = texts.map(lambda text: learn(known, labels, pd.Series([text]))[0])
        return (alone - learn(known, labels, texts)).abs().gt(1e-3).any()

    yield with_series

    def emptied(learn, known, labels, texts):
        together, alone = learn(known, labels, np.array(texts)), []
        while texts:
            alone.append(learn(known, labels, [texts.pop()])[0])
        yield not np.allclose(together, alone[::-1], rtol=0, atol=1e-3)

    yield emptied


def right_3(names):
    plain = curve(names["distinct"])
    labels = plain["test"]

    def formed(form, *keys):
        """The answer with form(value) in each size of the dicts that are named."""
        changed = {k: {n: form(v) for n, v in plain[k].items()} for k in keys}
        return plain | changed

    for form in (
        np.array,
        torch.tensor,
        np.float32,
        str,
        lambda score: round(score, 3),
    ):
        yield formed(form, "mean", "spread")
    for form in (
        np.array,
        torch.tensor,
        pd.DataFrame,
        lambda rows: tuple(map(tuple, rows)),
    ):
        yield formed(form, "train", "predicted")
    yield formed(lambda runs: [np.array(run) == 1 for run in runs], "predicted")
    yield formed(lambda runs: [pd.Series(run) for run in runs], "predicted")
    yield formed(lambda runs: [pd.Index(run) for run in runs], "train")
    yield plain | {"test": torch.tensor(labels), "mean": pd.Series(plain["mean"])}
    sorted_ones = np.argsort(labels)
    shuffled = formed(lambda runs: np.array(runs)[:, sorted_ones], "predicted")
    yield shuffled | {"test": np.array(labels)[sorted_ones]}
    yield curve(names["distinct"], sizes=(8, 16, 32, 64), seeds=range(5))


def curve(pool, sizes=(16, 32, 64), seeds=range(3)):
    """A learning curve of TF-IDF on 120 test messages, as the exercise asks for it."""
    rest, test = train_test_split(
        pool, test_size=120, stratify=pool.label, random_state=1
    )
    answer = {"test": test.index.tolist(), "train": {}, "predicted": {}}
    answer |= {"mean": {}, "spread": {}}
    for n in sizes:
        rows, given = [], []
        for seed in seeds:
            known, _ = train_test_split(
                rest, train_size=n, stratify=rest.label, random_state=seed
            )
            model = make_pipeline(TfidfVectorizer(), LogisticRegression(C=100))
            given.append(model.fit(known.text, known.label).predict(test.text).tolist())
            rows.append(known.index.tolist())
        scores = [f1_score(test.label, run) for run in given]
        answer["train"][n], answer["predicted"][n] = rows, given
        answer["mean"][n] = float(np.mean(scores))
        answer["spread"][n] = float(np.std(scores))
    return answer
