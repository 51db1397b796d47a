"""Wrong answers that the tables of mistakes do not hold, and words of the reply."""

import numpy as np
from sklearn.metrics import f1_score

from helpers.datasets import load_coarse_wsd
from helpers.exercises.checks import mistakes_of


def wrong_1(names):
    def mixed(way):
        """way: the two scores, and the number of senses -> two scores."""

        def scores(labels):
            counts = np.unique(labels, return_counts=True)[1]
            share, k = counts.max() / counts.sum(), len(counts)
            return way(share, 2 * share / (1 + share) / k, k)

        return scores

    def numbers_only(labels):
        counts = np.bincount(labels)
        share = counts.max() / len(labels)
        return share, 2 * share / (1 + share) / len(counts)

    def of_sklearn(labels):
        values, counts = np.unique(labels, return_counts=True)
        given = np.full(len(labels), values[counts.argmax()])
        share = (given == labels).mean()
        return share, f1_score(labels, given, average="macro", zero_division=0)

    def of_any_case(labels):
        scores = mixed(lambda share, f1, k: (share, f1))
        return scores(np.char.lower(labels.astype(str)))

    yield numbers_only, "TypeError"
    yield of_any_case, "['Sea', 'sea']"
    yield of_sklearn, "calls f1_score"
    yield mixed(lambda p, f, k: p), "two numbers"
    yield mixed(lambda p, f, k: (1.0, f)), "share of the commonest"
    yield mixed(lambda p, f, k: (p, 1 / k)), "the macro-F1 for"


def wrong_2(names):
    table = mistakes_of("word-senses.2")
    right = table.answer(table.right)
    shares = right["accuracy"]

    def each(what, change):
        return {what: {k: change(number) for k, number in right[what].items()}}

    yield right | each("lead", lambda lead: lead + 0.01), "lead for"
    yield right | each("lead", lambda lead: round(lead, 2)), "four decimals"
    yield right | each("accuracy", lambda share: round(share, 1)), "three decimals"
    yield right | each("accuracy", lambda share: 0.1), "k = 1"
    yield right | {"accuracy": {k - 1: shares[k] for k in shares}}, "yours lacks 4"
    yield right | {"accuracy": shares | {5: 0.5}}, "also has 5"
    yield right | {"word": "tree"}, "20 words"


def wrong_3(names):
    table, train = mistakes_of("word-senses.3"), load_coarse_wsd("crane")
    right = table.answer(table.right)
    nearest, text = right["nearest"], right["sentence"]
    other = {"crane_(bird)": "crane_(machine)", "crane_(machine)": "crane_(bird)"}
    beside = np.setdiff1d(np.arange(3, 9), nearest)[:1]

    def of(sentence):
        return right | {"sentence": sentence}

    yield right | {"nearest": [*nearest[:2], *beside]}, "stand at places"
    yield right | {"nearest": [0, 0, 0]}, "names a row twice"
    yield right | {"nearest": [*nearest, *beside]}, "3 entries"
    yield right | {"nearest": nearest[:2]}, "3 entries"
    yield right | {"nearest": [0.91, 0.9, 0.89]}, "whole number"
    yield right | {"nearest": nearest - len(train)}, "whole number from 0"
    yield right | {"nearest": train.sense[nearest]}, "this is text"
    yield right | {"sense": "bird"}, "no sense of crane"
    yield right | {"sense": other[right["sense"]]}, "The model is right"
    yield of(text.replace("crane", "cranes")), "exactly once"
    yield of(f"{text} by a crane"), "exactly once"
    yield of("the crane"), "five words"
    for part in ("train", "test"):
        words = load_coarse_wsd("crane", part).sentence[0]
        yield of(" ".join(words)), "of the data set"
