"""Right answers of the chapter in forms that nobody thinks of first."""

from fractions import Fraction

import numpy as np
import pandas as pd
import torch
from sklearn.model_selection import cross_val_predict

from helpers.spam import expected_calibration_error, tfidf_classifier


def right_1(names):
    yield lambda lost, let_in: 1 / (1 + let_in / lost)
    yield lambda lost, let_in: 1 - let_in / (lost + let_in)
    yield lambda lost, let_in: np.float32(lost / (lost + let_in))
    yield lambda lost, let_in: torch.tensor(lost / (lost + let_in))
    yield lambda lost, let_in: round(lost / (lost + let_in), 3)
    yield lambda lost, let_in: str(lost / (lost + let_in))
    yield lambda lost, let_in: Fraction(lost) / (Fraction(lost) + Fraction(let_in))

    def tried_out(lost, let_in):
        p = np.linspace(0, 1, 100_001)
        return p[np.argmax(p * let_in >= (1 - p) * lost)]

    yield tried_out


def right_2(names):
    def with_counts(labels, p, bins):
        place = np.minimum((p * bins).astype(int), bins - 1)
        return abs(np.bincount(place, p - labels)).sum() / len(p)

    def with_pandas(labels, p, bins):
        table = pd.DataFrame({"p": p, "label": labels})
        place = np.minimum((p * bins).astype(int), bins - 1)
        means, n = table.groupby(place).mean(), table.groupby(place).size()
        return ((means.p - means.label).abs() * n).sum() / n.sum()

    def with_torch(labels, p, bins):
        labels, p = torch.tensor(labels), torch.tensor(p)
        place = (p * bins).long().clamp(max=bins - 1)
        gaps = torch.zeros(bins, dtype=p.dtype).index_add(0, place, p - labels)
        return gaps.abs().sum() / len(p)

    def in_a_loop(labels, p, bins):
        total = 0
        for number in range(bins):
            last = number == bins - 1
            here = (p * bins >= number) & ((p * bins < number + 1) | last)
            if here.any():
                total += here.sum() * abs(p[here].mean() - labels[here].mean())
        return total / len(labels)

    yield with_counts
    yield with_pandas
    yield with_torch
    yield in_a_loop
    yield lambda *given: round(with_counts(*given), 3)
    yield lambda *given: np.array(with_counts(*given))
    yield expected_calibration_error
    yield lambda *given: str(with_counts(*given))


def right_3(names):
    judged = names["judged"]
    predicted = cross_val_predict(tfidf_classifier(), judged.text, judged.label, cv=3)
    hits = predicted == judged.label.to_numpy()

    def answer(inside, **others):
        chosen = judged.text.map(inside).to_numpy().astype(bool)
        return {
            "inside": inside,
            "rows": judged.index.tolist(),
            "predicted": predicted.tolist(),
            "n": int(chosen.sum()),
            "accuracy": {
                "inside": hits[chosen].mean(),
                "outside": hits[~chosen].mean(),
            },
        } | others

    def has_digit(text):
        return any(map(str.isdigit, text))

    yield answer(has_digit)
    yield answer(lambda text: int(has_digit(text)))
    yield answer(lambda text: np.bool_(len(text) > 60))
    plain = answer(has_digit)
    yield plain | {"rows": judged.index, "predicted": predicted == 1}
    yield plain | {"rows": torch.tensor(plain["rows"]), "predicted": predicted * 1.0}
    yield plain | {"predicted": pd.Series(predicted), "n": np.int64(plain["n"])}
    yield plain | {"accuracy": pd.Series(plain["accuracy"]).round(3)}
    yield plain | {"accuracy": {k: str(v) for k, v in plain["accuracy"].items()}}
    backwards = {"rows": plain["rows"][::-1], "predicted": plain["predicted"][::-1]}
    yield plain | backwards
