"""Checks of the chapter, fine-tuning: scores, a look for peeking, a learning curve."""

import numbers
from collections import Counter
from functools import partial

import numpy as np
from scipy.special import expit

from helpers.exercises import NotYet
from helpers.exercises.asking import (
    a_dict,
    a_list,
    a_number,
    a_whole_number,
    an_array,
    as_dict,
    first_wrong,
)
from helpers.exercises.mistakes import Mistakes
from helpers.exercises.seeds import rng
from helpers.spam import read_messages

# The second has different precision and recall; then no ham is kept, lost, spam let in.
MATRICES = ([[50, 10], [5, 35]], [[880, 3], [41, 76]], [[0, 4], [2, 6]])
MATRICES += ([[50, 0], [5, 35]], [[50, 10], [0, 35]])
NONE_FOUND = ([[90, 0], [10, 0]], [[5, 3], [2, 0]])  # the second answers spam, wrongly
DIGITS = 3  # to which scores are asked for


def check_1(answer):
    """A function: confusion matrix (2, 2) -> accuracy, precision, recall, F1."""
    drawn = rng(1).integers(1, 99, size=(2, 2, 2))
    found, none_found = (
        [(np.array(matrix),) for matrix in some]
        for some in ((*MATRICES, *drawn), NONE_FOUND)
    )
    hint = "Return four numbers: accuracy, precision, recall, f1."
    TABLES[1].ask("spam_scores", answer, found, none_found, hint=hint)
    return "F1 never looked at the ham that stayed ham."


def _scores(matrix):
    (kept, lost), (let_in, found) = matrix
    precision, recall = found / (found + lost or 1), found / (found + let_in or 1)
    f1 = 2 * found / (2 * found + lost + let_in or 1)
    return (kept + found) / np.sum(matrix), precision, recall, f1


def _mixed(way):
    return lambda matrix: way(*_scores(matrix))


def _over_both(matrix):
    spam, ham = _scores(matrix), _scores(matrix[::-1, ::-1])
    return spam[0], *np.add(spam, ham)[1:] / 2


def _without_care(matrix):
    with np.errstate(invalid="ignore"):
        precision = matrix[1, 1] / matrix[:, 1].sum()
        recall = matrix[1, 1] / matrix[1].sum()
        f1 = 2 * precision * recall / (precision + recall)
    return np.trace(matrix) / matrix.sum(), precision, recall, f1


SCORE_MISTAKES = {
    "These are the precision, recall and F1 of ham; spam is wanted.": (
        lambda matrix: _scores(matrix[::-1, ::-1])
    ),
    "Precision and recall are exchanged: precision divides by all that was answered "
    "spam (a column), recall by all that is spam (a row).": (
        _mixed(lambda a, p, r, f: (a, r, p, f))
    ),
    "F1 is the harmonic mean of precision and recall, 2PR / (P + R); yours is their "
    "mean, their product or half of it.": (
        _mixed(lambda a, p, r, f: (a, p, r, (p + r) / 2)),
        _mixed(lambda a, p, r, f: (a, p, r, p * r)),
        _mixed(lambda a, p, r, f: (a, p, r, f / 2)),
    ),
    "These are per cent; give shares between 0 and 1.": (
        _mixed(lambda a, p, r, f: (100 * a, 100 * p, 100 * r, 100 * f))
    ),
    "These are means over ham and spam; precision, recall and F1 are those of spam.": (
        _over_both
    ),
    "Where there is nothing to divide by, precision and F1 count as 0; yours are "
    "nan.": _without_care,
}


WORDS = "cash prize win call free lunch late home sorry bus new number".split()


def check_2(answer):
    """A function: learn, three lists -> whether learn lets test texts mix."""
    cases = [(learner, *map(list, _messages(rng(2)))) for learner in LEARNERS]
    TABLES[2].ask("peeks", answer, cases, read=_true_or_false, otherwise=_misjudged)
    return "It names the leak without looking at a single line of the learner."


def _misjudged(got, wanted, learner, *texts):
    return f"Your function returns {got == 1} for a learner that {LEARNERS[learner]}."


def _true_or_false(result, *case):
    hint = "Return True or False."
    got = an_array(result, None, "The answer", booleans=True, hint=hint)
    if got.size != 1 or got.item() not in (0, 1):
        raise NotYet(f"The answer must be one True or False; this is {result!r:.60}.")
    return bool(got.item())


def _messages(draw):
    """Train texts, their labels, and test texts, of few words; all differ."""

    def text(words):
        return " ".join(draw.choice(words, draw.integers(3, 7)))

    spam, ham = WORDS[:8], WORDS[4:]
    train = [text(words) for words in (spam, ham) * 8]
    labels, apart = [1, 0] * 8, 0
    while apart < 0.01:  # so that what mixes two answers changes both
        test = [text(WORDS) for _ in range(6)]
        test[3] += " " + " ".join(WORDS)  # the longest is neither first nor last
        apart = np.diff(np.sort(_honest(train, labels, test))).min()
    return train, labels, test


def _logits(texts, labels, test, rarity_of):
    """Mean log-odds of a text's words, rare ones more: a small TF-IDF. -> (test,)"""
    seen = [Counter(), Counter()]
    for text, label in zip(texts, labels, strict=True):
        seen[int(label)].update(text.split())
    counts = Counter(word for text in rarity_of for word in set(text.split()))

    def weight(word):
        rarity = 1 + np.log((1 + len(rarity_of)) / (1 + counts[word]))
        return rarity * np.log((1 + seen[1][word]) / (1 + seen[0][word]))

    return np.array([np.mean([weight(w) for w in text.split()]) for text in test])


def _honest(texts, labels, test):
    return expit(_logits(texts, labels, list(test), list(texts)))


def _rounding(texts, labels, test):
    """Differs in the fourth decimal, even where both are rounded to the third."""
    answers = 0.3 * _honest(texts, labels, test)  # where a relative bound is too tight
    return answers.round(3) + (0.0007 if len(test) > 1 else 0.0003)


def _company(texts, labels, test):
    return 0.9 * _honest(texts, labels, test) + (0.004 if len(test) > 1 else 0)


def _in_parts(learn, size):
    """A learner that gets some of the test texts at a time."""

    def learn_in_parts(texts, labels, test):
        parts = [test[i : i + size] for i in range(0, len(test), size)]
        return np.concatenate([learn(texts, labels, part) for part in parts])

    return learn_in_parts


def _rarity(texts, labels, test):
    both = [*texts, *list(test) * 2]
    return expit(_logits(texts, labels, list(test), both))


def _scaled(texts, labels, test):
    logits = _logits(texts, labels, list(test), list(texts))
    return expit((logits - logits.mean()) / (logits.std() or 1))


def _padded(texts, labels, test):
    longest = max(len(text.split()) for text in test)
    lengths = np.array([len(text.split()) for text in test])
    return expit(
        _logits(texts, labels, list(test), list(texts)) * lengths / longest - 1
    )


def _previous(texts, labels, test):
    own = _honest(texts, labels, test)
    return (own + np.concatenate([own[:1], own[:-1]])) / 2


def _at(place, more):
    """A learner that lets the others into the text at one place only."""

    def learn(texts, labels, test):
        answers = _honest(texts, labels, test)
        if len(answers) > max(place, 1):
            answers[place] = 0.8 * answers[place] + more
        return answers

    return learn


# learner: what it does, after "a learner that"
LEARNERS = {
    _honest: "answers each text by itself",
    _rarity: "counts how rare a word is in the test texts too, as a vectoriser does "
    "that is fitted on all texts",
    _rounding: "answers each text by itself, up to a fourth decimal: that is rounding",
    (lambda texts, labels, test: np.full(len(test), np.mean(labels))): (
        "gives all texts the share of spam among the training texts"
    ),
    _scaled: "takes the mean and spread of the test texts to scale",
    _padded: "fills each text up to the longest of the test texts, and reads the "
    "filling",
    _previous: "mixes each text with the one before it",
    _in_parts(_scaled, 3): "scales the test texts three at a time",
    _in_parts(_scaled, 2): "scales the test texts two at a time",
    _at(0, 0): "lets the others into the first test text only",
    _at(2, 0.2): "lets the others into one test text only",
    _at(-1, 0.2): "lets the others into the last test text only",
    _company: "adds 0.004 to each answer as soon as there is another test text",
}


def _alone(learn, train, labels, test):
    """Whether each text changes, asked by itself. -> (test,)"""
    alone = [learn(train, labels, [text])[0] for text in test]
    return abs(learn(train, labels, test) - alone) > 1e-3


def _by(change):
    """A mistake: change(learn, train, labels, test) is set beside all answers."""

    def peeks(learn, train, labels, test):
        beside = change(learn, train, labels, test)
        return bool((abs(learn(train, labels, test) - beside) > 1e-3).any())

    return peeks


def _split(size):
    return _by(lambda learn, *given: _in_parts(learn, size)(*given))


def _by_decisions(learn, train, labels, test):
    together = learn(train, labels, test) > 0.5
    alone = [learn(train, labels, [text])[0] > 0.5 for text in test]
    return bool((together != alone).any())


PEEK_MISTAKES = {
    "Your function returns True for every learner, whether it peeks or not.": (
        lambda *given: True
    ),
    "Your function returns False for every learner, whether it peeks or not.": (
        lambda *given: False
    ),
    "True and False are exchanged: True is for a learner that peeks.": (
        lambda *given: not _alone(*given).any()
    ),
    "You ask for the texts in another order; a learner can mix them and give the same "
    "in any order. Ask for each by itself.": (
        _by(lambda learn, train, labels, test: learn(train, labels, test[::-1])[::-1])
    ),
    "You ask for several texts at a time, which a learner can mix; ask for each by "
    "itself.": (_split(2), _split(3)),
    "You ask for one of the texts only; a learner may change the others.": (
        lambda *given: _alone(*given)[0],
        lambda *given: _alone(*given)[-1],
    ),
    "You want all answers to change; where one does, the learner peeks.": (
        lambda *given: _alone(*given).all()
    ),
    "You compare what is called spam; compare the probabilities.": _by_decisions,
}


MOST_RUNS = 200
PLACES = "or are these places, and not row labels of old?"
KEYS = ("test", "train", "predicted", "mean", "spread")


def check_3(answer):
    """A dict: test and train rows, predictions, mean F1 and spread by size."""
    test, train, predicted, mean, spread = a_dict(answer, KEYS)
    messages = read_messages("shortcut")  # those that the page calls old
    test = _rows(test, messages, "test")
    if len(test) < 100:
        raise NotYet(f"The test part has {len(test)} rows; take 100 or more.")
    if messages.text[test].duplicated().any():
        raise NotYet(
            f"The test part holds a message twice. Drop the repeats first; {PLACES}"
        )
    if messages.label[test].nunique() < 2:
        raise NotYet("The test part holds one kind of message only.")
    draws = _by_size(train, "train")
    for size, parts in draws.items():
        parts = [_rows(part, messages, f"train[{size}]") for part in parts]
        _check_draws(parts, size, test, messages)
    labels = messages.label[test].to_numpy()
    predicted = _predictions(predicted, draws, labels)
    means, spreads = a_dict(mean, draws, "mean"), a_dict(spread, draws, "spread")
    runs = [np.array([*map(list, predicted[size])], int) for size in draws]
    trials = []
    for what, given in (("mean", means), ("spread", spreads)):
        got = [a_number(x, f"{what}[{n}]") for n, x in zip(draws, given, strict=True)]
        trials.append(((labels, runs, what, [*draws]), got))
        TABLES[3].judge(trials, _wrong_summary)
    return "Test messages unseen, three seeds or more, and the spread beside the mean."


def _by_size(table, name):
    """Return {size: list of lists}, checked for three sizes of three seeds."""
    table = as_dict(table)
    if not isinstance(table, dict) or len(table) < 3:
        raise NotYet(f"{name} must be a dict with three or more sizes n as keys.")
    for size in table:
        if not isinstance(size, numbers.Integral):
            raise NotYet(f"A key of {name} is a number n of messages; {size!r} is not.")
    lists = {n: a_list(x, f"{name}[{n}]", each=a_list) for n, x in table.items()}
    fewest, total = min(map(len, lists.values())), sum(map(len, lists.values()))
    if total > MOST_RUNS:
        raise NotYet(f"{name} has more than {MOST_RUNS} lists in all; take fewer.")
    if fewest < 3:
        raise NotYet(
            f"A size in {name} has {fewest} entries; three seeds or more are needed, "
            "one list each."
        )
    return lists


def _rows(rows, messages, name):
    rows = a_list(rows, name, each=a_whole_number)
    if not set(rows) <= set(messages.index):
        raise NotYet(
            f"{name} holds values that are no row labels of old; give the index "
            f"of the rows, 0 to {len(messages) - 1}."
        )
    return rows


def _check_draws(parts, size, test, messages):
    name, rows = f"train[{size}]", sum(parts, [])
    if {*map(len, parts)} != {size}:
        raise NotYet(f"A list in {name} has not {size} rows.")
    if any(len(set(part)) < len(part) for part in parts):
        raise NotYet(f"A draw in {name} holds a row twice.")
    if set(rows) & set(test):
        raise NotYet(
            f"{name} holds rows of the test part; put it aside before you draw."
        )
    if set(messages.text[rows]) & set(messages.text[test]):
        raise NotYet(
            f"A message of {name} stands in the test part under another row. Drop the "
            f"repeats before the split; {PLACES}"
        )
    if len({frozenset(part) for part in parts}) < len(parts):
        raise NotYet(f"Two seeds of n = {size} drew the same rows.")


def _predictions(predicted, draws, labels):
    """Return {size: list of lists of 0 and 1}, checked against draws and labels."""
    predicted, answers = _by_size(predicted, "predicted"), set()
    for size, parts in draws.items():
        given = predicted.get(size, [])
        if [len(part) for part in given] != [len(labels)] * len(parts):
            raise NotYet(
                f"predicted[{size}] must hold, for each of its {len(parts)} seeds, one "
                f"answer for each of the {len(labels)} test rows."
            )
        if not set(np.concatenate(given).tolist()) <= {0, 1}:
            raise NotYet(
                f"predicted[{size}] holds values other than 0, for ham, and 1."
            )
        answers |= set(map(tuple, given))
    if len(answers) == 1:
        raise NotYet(
            "All seeds of all numbers give the very same answers. Are they the true "
            "labels, or has the learner learned nothing? With few messages C=100 helps."
        )
    return predicted


def _wrong_summary(got, wanted, labels, runs, what, sizes):
    at = first_wrong(got, wanted, DIGITS)[0]
    where = f"{what}[{sizes[at]}] is {got[at]:.4f}"
    if what == "spread":
        return f"The means are right; {where}, no standard deviation over the seeds."
    return (
        f"{where}, but the F1 of spam of the {len(runs[at])} lists in "
        f"predicted[{sizes[at]}] has another mean. Are they in the order of the test "
        "rows?"
    )


def _f1(matrix):
    return _scores(matrix)[3]


def _of_ham(matrix):
    return _f1(matrix[::-1, ::-1])


def _matrix(labels, part):
    return np.bincount(2 * labels + part, minlength=4).reshape(2, 2)


def _summary(score=_f1, mean=np.mean, spread=np.std):
    """The numbers of all sizes, mean or spread of a score over the seeds."""

    def numbers(labels, runs, what, sizes):
        over = mean if what == "mean" else spread
        return [over([score(_matrix(labels, p)) for p in parts]) for parts in runs]

    return numbers


SUMMARY_MISTAKES = {
    "This is the F1 of ham; give that of spam, label 1.": _summary(_of_ham),
    "This is the mean accuracy, precision or recall; give the F1 of spam.": tuple(
        _summary(lambda matrix, place=place: _scores(matrix)[place])
        for place in range(3)
    ),
    "This is the F1 of ham and spam together; give that of spam.": (
        _summary(lambda matrix: (_f1(matrix) + _of_ham(matrix)) / 2)
    ),
    "These are per cent; give shares between 0 and 1.": (
        _summary(lambda matrix: 100 * _f1(matrix)),
        _summary(spread=lambda x: 100 * np.std(x)),
    ),
    "This is the F1 of one seed, the first or the best; take the mean.": (
        _summary(mean=lambda x: x[0]),
        _summary(mean=np.max),
    ),
    "The spread is the variance; take its root.": _summary(spread=np.var),
    "The spread is the standard deviation with n - 1, as pandas has it; np.std divides "
    "by n.": _summary(spread=partial(np.std, ddof=1)),
    "The spread is the standard error; np.std does not divide by the root of the "
    "number of seeds.": _summary(spread=lambda x: np.std(x) / len(x) ** 0.5),
}


TABLES = {
    1: Mistakes(_scores, SCORE_MISTAKES, "Each score", DIGITS),
    2: Mistakes(lambda *given: _alone(*given).any(), PEEK_MISTAKES, "The answer"),
    3: Mistakes(_summary(), SUMMARY_MISTAKES, "Each number", DIGITS),
}
