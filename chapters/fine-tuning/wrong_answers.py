"""Wrong answers that the tables of mistakes do not hold, and words of the reply."""

import numpy as np

from helpers.exercises.checks import mistakes_of


def wrong_1(names):
    right = mistakes_of("fine-tuning.1").right

    def mixed(way):
        return lambda matrix: way(*right(matrix))

    def all_zero(matrix):
        return right(matrix) if matrix[:, 1].any() else (0, 0, 0, 0)

    def no_answer_of_spam(matrix):
        (tn, fp), (fn, tp) = np.asarray(matrix).tolist()
        accuracy = (tn + tp) / (tn + fp + fn + tp)
        if tp + fp == 0:
            return accuracy, 0, 0, 0
        p, r = tp / (tp + fp), tp / (tp + fn)
        return accuracy, p, r, 2 * p * r / (p + r)

    yield no_answer_of_spam, "ZeroDivisionError"
    yield lambda matrix: right(matrix)[:3], "four numbers"
    yield mixed(lambda a, p, r, f: (a, p, r, max(p, r))), "All but F1 is right"
    yield lambda matrix: right(matrix[::-1]), "diagonal"
    yield all_zero, "still the share of right answers"


def wrong_2(names):
    def gaps(learn, known, labels, texts):
        alone = [learn(known, labels, [text])[0] for text in texts]
        return learn(known, labels, texts) - alone

    def differ(choose):
        """Looks at some of the texts only, or otherwise."""
        return lambda *given: bool(choose(gaps(*given)))

    def leaving_one_out(learn, known, labels, texts):
        together = learn(known, labels, texts)
        rest = [texts[:i] + texts[i + 1 :] for i in range(len(texts))]
        return not all(
            np.allclose(learn(known, labels, few), np.delete(together, i), atol=1e-3)
            for i, few in enumerate(rest)
        )

    def with_a_stranger(before, after):
        def peeks(learn, known, labels, texts):
            more = learn(known, labels, before + texts + after)
            more = more[len(before) : len(before) + len(texts)]
            return not np.allclose(learn(known, labels, texts), more, atol=1e-3)

        return peeks

    def learned_again(learn, known, labels, texts):
        there = learn(known, labels, texts)
        again = learn(known + texts, labels + [0] * len(texts), texts)
        return not np.allclose(there, again, atol=1e-3)

    def rounded(learn, known, labels, texts):
        alone = [learn(known, labels, [text])[0].round(3) for text in texts]
        return bool((learn(known, labels, texts).round(3) != alone).any())

    def relative(learn, known, labels, texts):
        alone = [learn(known, labels, [text])[0] for text in texts]
        return not np.allclose(learn(known, labels, texts), alone, rtol=1e-3)

    def one_of_the_names(learn, known, labels, texts):
        return "honest" not in getattr(learn, "__name__", "")

    for tight in (rounded, relative, differ(lambda far: (abs(far) > 1e-5).any())):
        yield tight, "that is rounding"
    yield differ(lambda far: (far != 0).any()), "that is rounding"
    yield differ(lambda far: (abs(far) > 0.01).any()), "adds 0.004"
    yield leaving_one_out, "adds 0.004"
    yield differ(lambda far: (abs(far[:3]) > 1e-3).any()), "last test text only"
    yield differ(lambda far: (abs(far[1:]) > 1e-3).any()), "first test text only"
    yield differ(lambda far: (abs(far[:-1]) > 1e-3).any()), "last test text only"
    yield with_a_stranger([], ["zzz"]), "False for a learner"
    yield with_a_stranger(["zzz"], []), "False for a learner"
    yield differ(lambda far: (abs(far) > 0.1).any()), "False for a learner"
    yield differ(lambda far: (far > 1e-3).any()), "first test text only"
    yield differ(lambda far: (far < -1e-3).any()), "one test text only"
    yield learned_again, "True for a learner"
    yield one_of_the_names, "True for a learner"
    yield lambda *given: abs(gaps(*given)) > 1e-3, "one True or False"


def wrong_3(names):
    table, messages = mistakes_of("fine-tuning.3"), names["old"]
    right = table.answer(table.right)
    test, train, predicted = right["test"], right["train"], right["predicted"]

    def each(what, change):
        return {what: {n: change(parts) for n, parts in right[what].items()}}

    twice = messages.index[messages.text.duplicated(keep=False)].tolist()
    yield right | {"test": [*test, *twice]}, "or are these places"
    elsewhere = messages.index[messages.text.duplicated()].difference(test)
    original = messages.index[messages.text == messages.text[elsewhere[0]]][0]
    kept = [row for row in test if row != original]
    yield (
        right
        | {"test": [original, *kept]}
        | each("train", lambda parts: [[elsewhere[0], *part[1:]] for part in parts]),
        "stands in the test part under another row. Drop the repeats before the split",
    )
    yield right | each("train", lambda ps: [[test[0], *p[1:]] for p in ps]), "aside"
    yield right | each("train", lambda parts: parts[:2]), "three seeds"
    yield right | {"train": {n: train[n] for n in (16, 40)}}, "three or more sizes"
    yield right | each("train", lambda parts: parts * 100), "lists in all"
    yield right | each("mean", lambda mean: np.nan), "mean holds nan"
    yield right | each("train", lambda parts: parts[:1] * 3), "drew the same rows"
    yield right | each("spread", lambda spread: 0.5), "standard deviation"
    yield right | each("mean", lambda mean: round(mean, 1)), "three decimals"
    yield right | each("spread", lambda spread: round(spread, 1)), "three decimals"
    truth = messages.label[test].tolist()
    for given, said in ((truth, "true labels"), ([0] * len(test), "learned nothing")):
        yield right | each("predicted", lambda runs, given=given: [given] * 3), said
    repeated = each("train", lambda parts: [[*p[1:], p[1]] for p in parts])
    yield right | repeated, "holds a row twice"
    yield right | {"train": {str(n): p for n, p in train.items()}}, "a number n"
    yield right | {"test": test[:99]}, "take 100 or more"
    yield right | each("train", lambda parts: parts[0]), "train[16][0] must be a list"
    by_seed = each("train", lambda parts: dict(enumerate(parts)))
    yield right | by_seed, "train[16] must be a list; this is a dict"
    yield right | {"test": messages.index.isin(test)}, "yours is True or False"
    yield right | {"test": [10**6, *test[1:]]}, "no row labels"
    yield right | each("predicted", lambda runs: runs / 2), "other than 0"
    shifted = {n: np.roll(runs, 1, axis=1) for n, runs in predicted.items()}
    yield right | {"predicted": shifted}, "order of the test rows"
