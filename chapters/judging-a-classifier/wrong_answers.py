"""Typical wrong answers of the chapter and the words that name each mistake."""

import numpy as np
from sklearn.metrics import f1_score
from sklearn.model_selection import cross_val_predict

from helpers.spam import expected_calibration_error, tfidf_classifier


def wrong_1(names):
    yield lambda lost, let_in: let_in / (lost + let_in), "exchanged"
    yield lambda lost, let_in: lost / let_in, "odds at the threshold"
    yield lambda lost, let_in: lost / (lost + 1), "costs 1 only"
    yield lambda lost, let_in: 1 - let_in / lost, "1 - let_in / lost"
    yield lambda lost, let_in: 100 * lost / (lost + let_in), "per cent"
    yield lambda lost, let_in: 0.75, "for all prices"
    yield lambda lost, let_in: round(lost / (lost + let_in), 1), "three decimals"
    yield lambda lost, let_in: lost**2 / (lost**2 + let_in**2), "equals p times"
    yield lambda lost, let_in: (lost, let_in), "must be a number"
    yield 0.75, "Pass the function itself"


def wrong_2(names):
    def parts(labels, p, bins):
        place = np.minimum((p * bins).astype(int), bins - 1)
        here = [place == number for number in range(bins) if (place == number).any()]
        gaps = np.array([p[h].mean() - labels[h].mean() for h in here])
        return gaps, np.array([h.mean() for h in here])

    def of(way):
        return lambda labels, p, bins: way(*parts(labels, p, bins))

    def all_bins(labels, p, bins):
        return abs(parts(labels, p, bins)[0]).sum() / bins

    def of_confidence(labels, p, bins):
        right = (p > 0.5) == labels
        return expected_calibration_error(right, np.maximum(p, 1 - p), bins)

    def by_histogram(labels, p, bins):
        """np.digitize puts 1 beyond the last edge, and the loop leaves it out."""
        place = np.digitize(p, np.linspace(0, 1, bins + 1)) - 1
        total = 0
        for number in range(bins):
            if (here := place == number).any():
                total += here.mean() * abs(p[here].mean() - labels[here].mean())
        return total

    def own_bin(labels, p, bins):
        place = (p * bins).astype(int)
        total = 0
        for number in set(place):
            here = place == number
            total += here.mean() * abs(p[here].mean() - labels[here].mean())
        return total

    def empty_too(labels, p, bins):
        with np.errstate(all="ignore"):
            place = np.minimum((p * bins).astype(int), bins - 1)
            weights = np.bincount(place, minlength=bins)
            shares = np.bincount(place, labels, bins) / weights
            means = np.bincount(place, p, bins) / weights
            return (weights / len(p) * abs(means - shares)).sum()

    yield of(lambda gaps, weights: abs(gaps).mean()), "all bins count alike"
    yield all_bins, "empty ones included"
    yield of(lambda gaps, weights: (gaps * weights).sum()), "without its sign"
    yield of(lambda gaps, weights: abs((gaps * weights).sum())), "was expected"
    yield of(lambda gaps, weights: (gaps**2 * weights).sum()), "not its square"
    yield of(lambda gaps, weights: abs(gaps).max()), "largest distance"
    yield of_confidence, "of the confidence"
    yield lambda labels, p, bins: abs(p - labels).mean(), "from its label"
    yield by_histogram, "falls into none"
    yield own_bin, "bin of its own"
    yield empty_too, "nan"
    yield lambda *given: 100 * expected_calibration_error(*given), "per cent"
    yield lambda *given: round(expected_calibration_error(*given), 1), "three decimals"
    yield lambda labels, p, bins: abs(p.mean() - labels.mean()), "was expected"
    yield lambda labels, p, bins: expected_calibration_error(labels, p), "0.133 was"
    yield lambda *given: list(given), "must be a number"


def wrong_3(names):
    judged = names["judged"]
    predicted = cross_val_predict(tfidf_classifier(), judged.text, judged.label, cv=3)
    labels = judged.label.to_numpy()

    def has_digit(text):
        return any(map(str.isdigit, text))

    chosen = judged.text.map(has_digit).to_numpy()

    def scored(score, rule=has_digit, chosen=chosen):
        pair = [score(labels[part], predicted[part]) for part in (chosen, ~chosen)]
        return {
            "inside": rule,
            "rows": judged.index.tolist(),
            "predicted": predicted.tolist(),
            "n": int(chosen.sum()),
            "accuracy": dict(zip(("inside", "outside"), pair, strict=True)),
        }

    def share(labels, predicted):
        return (labels == predicted).mean()

    right = scored(share)
    exchanged = dict(
        zip(("outside", "inside"), right["accuracy"].values(), strict=True)
    )
    hits = predicted == labels
    yield right | {"accuracy": exchanged}, "exchanged"
    yield scored(lambda *pair: 1 - share(*pair)), "shares of mistakes"
    yield scored(lambda *pair: 100 * share(*pair)), "per cent"
    yield scored(f1_score), "F1 of spam"
    yield scored(lambda labels, predicted: predicted.mean()), "answers that are spam"
    yield scored(lambda *pair: round(share(*pair), 1)), "three decimals"
    of_all = {"inside": (hits & chosen).mean(), "outside": (hits & ~chosen).mean()}
    yield right | {"accuracy": of_all}, "of each group"
    whole = right["accuracy"] | {"outside": hits.mean()}
    yield right | {"accuracy": whole}, "over all rows"
    yield right | {"accuracy": 0.9}, "accuracy must be a dict"
    yield right | {"n": int((~chosen).sum())}, "messages outside"
    yield right | {"n": 3}, "picks out"
    yield right | {"predicted": labels.tolist()}, "true labels"
    yield right | {"predicted": (predicted / 2).tolist()}, "other than 0"
    yield right | {"predicted": predicted[1:].tolist()}, "entries"
    yield right | {"rows": range(10**6, 10**6 + len(judged))}, "no row labels"
    yield right | {"rows": [right["rows"][0]] * len(judged)}, "a row twice"
    yield scored(share, lambda text: True), "0 messages are outside"
    yield scored(share, lambda text: "zzz" in text), "0 messages are inside"
    yield scored(share, lambda text: text[:3]), "inside(text) must be"
    yield right | {"inside": chosen}, "Pass the function itself"
    yield right["accuracy"], "dict with the keys"
