"""Wrong answers that the tables of mistakes do not hold, and words of the reply."""

import numpy as np

from helpers.exercises.checks import mistakes_of


def wrong_1(names):
    yield lambda lost, let_in: 0.75, "for all prices"
    yield lambda lost, let_in: lost**2 / (lost**2 + let_in**2), "equals p times"
    right = mistakes_of("judging-a-classifier.1").right
    yield lambda *prices: min(0.99, right(*prices)), "For lost = 1000"
    yield lambda *prices: max(0.01, right(*prices)), "let_in = 500"


def wrong_2(names):
    right = mistakes_of("judging-a-classifier.2").right

    def empty_too(labels, p, bins):
        with np.errstate(all="ignore"):
            place = np.minimum((p * bins).astype(int), bins - 1)
            weights = np.bincount(place, minlength=bins)
            shares = np.bincount(place, labels, bins) / weights
            means = np.bincount(place, p, bins) / weights
            return (weights / len(p) * abs(means - shares)).sum()

    def without_one(labels, p, bins):
        return np.float64(len(p)) / (len(p) - 1) * right(labels, p, bins)

    yield empty_too, "nan"
    yield without_one, "0.133 was expected; yours is 0.2"
    yield lambda labels, p, bins: right(labels, p, max(bins, 4)), "0.133 was"


def wrong_3(names):
    table = mistakes_of("judging-a-classifier.3")
    right = table.answer(table.right)
    rows = right["rows"].tolist()
    labels, predicted = names["messages"].label[rows].tolist(), right["predicted"]
    shares = right["accuracy"]
    seen = []

    def every_other(text):
        seen.append(text)
        return len(seen) % 7 < 3

    rounded = {place: round(share, 1) for place, share in shares.items()}
    yield right | {"accuracy": rounded}, "three decimals"
    whole = shares | {"outside": (predicted == labels).mean()}
    yield right | {"accuracy": whole}, "The accuracy outside is not"
    yield right | {"n": len(rows) - right["n"]}, "messages outside"
    yield right | {"n": 3}, "picks out"
    yield right | {"predicted": labels}, "true labels"
    yield right | {"predicted": predicted / 2}, "other than 0"
    yield right | {"predicted": predicted[1:]}, "entries"
    yield right | {"rows": range(10**6, 10**6 + len(rows))}, "no row labels"
    yield right | {"rows": rows[:1] * len(rows)}, "a row twice"
    yield right | {"inside": lambda text: True}, "0 messages are outside"
    yield right | {"inside": lambda text: "zzz" in text}, "0 messages are inside"
    yield right | {"inside": lambda text: text[:3]}, "inside(text) must be"
    yield right | {"inside": every_other}, "Let it look at the text alone"
    yield right | {"inside": [True]}, "itself"
