"""Checks of the chapter, fine-tuning: scores, a look for peeking, a learning curve."""

import numbers
from collections import Counter

import numpy as np
from scipy.special import expit
from sklearn.metrics import f1_score

from helpers.datasets import load_sms_spam
from helpers.exercises import NotYet
from helpers.exercises.asking import (
    a_dict,
    a_function,
    a_list,
    a_number,
    a_whole_number,
    an_array,
    is_right_to,
    is_rounded_too_far,
    name_mistake,
    right_to,
)
from helpers.exercises.seeds import rng

# The second has different precision and recall, the last answers never spam.
MATRICES = ([[50, 10], [5, 35]], [[880, 3], [41, 76]], [[0, 4], [2, 6]])
NO_SPAM = [[90, 0], [10, 0]]
DIGITS = 3  # to which scores are asked for


def check_1(answer):
    """A function: confusion matrix (2, 2) -> accuracy, precision, recall, F1."""
    a_function(answer, "spam_scores")
    drawn = rng(1).integers(1, 99, size=(2, 2, 2))
    matrices = [*map(np.array, MATRICES), *drawn]
    got = np.array([_four_numbers(answer(matrix)) for matrix in matrices])
    truth = np.array([_scores(matrix) for matrix in matrices])
    if not is_right_to(got, truth, DIGITS):
        pairs = list(zip(got, matrices, strict=True))
        for said, way in OTHER_SCORES:
            if all(is_right_to(four, way(m), DIGITS) for four, m in pairs):
                raise NotYet(said)
        _name_wrong_score(matrices, got, truth)
    got = _four_numbers(answer(np.array(NO_SPAM)))
    if not is_right_to(got, (0.9, 0, 0, 0), DIGITS):
        raise NotYet(
            "Where nothing was answered spam, precision, recall and F1 count as 0, and "
            "the accuracy is still the share of right answers; for "
            f"{NO_SPAM} yours are {', '.join(f'{x:.3f}' for x in got)}."
        )
    return "F1 never looked at the ham that stayed ham."


def _scores(matrix):
    (kept, lost), (let_in, found) = matrix
    precision, recall = found / (found + lost), found / (found + let_in)
    both = precision + recall
    f1 = 2 * precision * recall / both if both else 0.0
    return (kept + found) / np.sum(matrix), precision, recall, f1


def _four_numbers(result):
    hint = "Return four numbers: accuracy, precision, recall, f1."
    return an_array(result, (4,), "The answer", finite=False, hint=hint)


def _mixed(way):
    return lambda matrix: way(*_scores(matrix))


OTHER_SCORES = (
    (
        "These are the precision, recall and F1 of ham; spam is wanted.",
        lambda matrix: _scores(np.asarray(matrix)[::-1, ::-1]),
    ),
    (
        "Precision and recall are exchanged: precision divides by all that was "
        "answered spam (a column), recall by all that is spam (a row).",
        _mixed(lambda a, p, r, f: (a, r, p, f)),
    ),
    (
        "F1 is the harmonic mean of precision and recall; yours is the arithmetic one.",
        _mixed(lambda a, p, r, f: (a, p, r, (p + r) / 2)),
    ),
    (
        "F1 is the harmonic mean of precision and recall; yours is the geometric one.",
        _mixed(lambda a, p, r, f: (a, p, r, (p * r) ** 0.5)),
    ),
    (
        "F1 is 2PR / (P + R); yours is half of it.",
        _mixed(lambda a, p, r, f: (a, p, r, f / 2)),
    ),
    (
        "F1 is 2PR / (P + R); yours is precision times recall.",
        _mixed(lambda a, p, r, f: (a, p, r, p * r)),
    ),
    (
        "F1 counts what was found twice, above and below the line; yours counts it "
        "once.",
        _mixed(lambda a, p, r, f: (a, p, r, f / (2 - f))),
    ),
    (
        "The accuracy is the share of right answers; yours is that of the mistakes.",
        _mixed(lambda a, p, r, f: (1 - a, p, r, f)),
    ),
    (
        "These are per cent; give shares between 0 and 1.",
        _mixed(lambda a, p, r, f: (100 * a, 100 * p, 100 * r, 100 * f)),
    ),
    (
        "F1 stands first; the order is accuracy, precision, recall, F1.",
        _mixed(lambda a, p, r, f: (f, a, p, r)),
    ),
    (
        "These are means over ham and spam; precision, recall and F1 are those of "
        "spam.",
        lambda matrix: (
            _scores(matrix)[0],
            *np.add(_scores(matrix), _scores(np.asarray(matrix)[::-1, ::-1]))[1:] / 2,
        ),
    ),
)


def _name_wrong_score(matrices, got, truth):
    pairs = zip(got, truth, strict=True)
    wrong = [is_right_to(*pair, DIGITS) for pair in pairs].index(False)
    got, truth, where = got[wrong], truth[wrong], f"for {matrices[wrong].tolist()}"
    if is_rounded_too_far(got, truth, DIGITS):
        right_to(got, truth, DIGITS, f"The answer {where}")
    if not is_right_to(got[0], truth[0], DIGITS):
        raise NotYet(
            "Expected the accuracy to be the share of the diagonal, both kinds of "
            f"right answers; {where} yours is {got[0]:.4f}."
        )
    if not is_right_to(got[1:3], truth[1:3], DIGITS):
        raise NotYet(
            f"The accuracy is right; precision and recall of spam, {where}, are not "
            f"{got[1]:.4f} and {got[2]:.4f}."
        )
    raise NotYet(f"All but F1 is right; {where} it is not {got[3]:.4f}.")


WORDS = "cash prize win call free lunch late home sorry bus new number".split()


def check_2(answer):
    """A function: learn, three lists -> whether learn lets test texts mix."""
    a_function(answer, "peeks")
    texts = _messages(rng(2))
    found = {}
    for name, (learner, _, _) in LEARNERS.items():
        result = answer(learner, *map(list, texts))
        found[name] = _true_or_false(result)
    truth = {name: peeking for name, (_, peeking, _) in LEARNERS.items()}
    if found == truth:
        return "It names the leak without looking at a single line of the learner."
    if len(set(found.values())) == 1:
        raise NotYet(
            f"Your function returns {found.popitem()[1]} for every learner, whether "
            "it peeks or not."
        )
    if all(found[name] != truth[name] for name in truth):
        raise NotYet("True and False are exchanged: True is for a learner that peeks.")
    name = next(name for name in truth if found[name] != truth[name])
    raise NotYet(
        f"Your function returns {found[name]} for a learner that {LEARNERS[name][2]}."
    )


def _true_or_false(result):
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
    return _honest(texts, labels, test) + 1e-6 * np.sin(len(test))


def _rarity(texts, labels, test):
    both = [*texts, *list(test) * 2]
    return expit(_logits(texts, labels, list(test), both))


def _scaled(texts, labels, test):
    logits = _logits(texts, labels, list(test), list(texts))
    return expit((logits - logits.mean()) / (logits.std() or 1))


def _ranked(texts, labels, test):
    return (_honest(texts, labels, test).argsort().argsort() + 1) / (len(test) + 1)


def _padded(texts, labels, test):
    longest = max(len(text.split()) for text in test)
    lengths = np.array([len(text.split()) for text in test])
    return expit(
        _logits(texts, labels, list(test), list(texts)) * lengths / longest - 1
    )


def _previous(texts, labels, test):
    own = _honest(texts, labels, test)
    return (own + np.concatenate([own[:1], own[:-1]])) / 2


def _at(place, change):
    """A learner that lets the others into the text at one place only."""

    def learn(texts, labels, test):
        answers = _honest(texts, labels, test)
        if len(answers) > max(place, 1):
            answers[place] = change(answers[place])
        return answers

    return learn


def _more(probability):
    return 0.8 * probability + 0.2


def _less(probability):
    return 0.8 * probability


# name: the learner, whether it peeks, and what it does, after "a learner that"
LEARNERS = {
    "honest": (_honest, False, "answers each text by itself"),
    "rarity": (
        _rarity,
        True,
        "counts how rare a word is in the test texts too, as a vectoriser does that is "
        "fitted on all texts",
    ),
    "rounding": (
        _rounding,
        False,
        "answers each text by itself, up to a millionth: that is rounding",
    ),
    "constant": (
        lambda texts, labels, test: np.full(len(test), np.mean(labels)),
        False,
        "gives all texts the share of spam among the training texts",
    ),
    "scaled": (_scaled, True, "takes the mean and spread of the test texts to scale"),
    "ranked": (_ranked, True, "gives each text its rank among the test texts"),
    "padded": (
        _padded,
        True,
        "fills each text up to the longest of the test texts, and reads the filling",
    ),
    "previous": (_previous, True, "mixes each text with the one before it"),
    "first": (_at(0, _less), True, "lets the others into the first test text only"),
    "middle": (_at(2, _more), True, "lets the others into one test text only"),
    "last": (_at(-1, _more), True, "lets the others into the last test text only"),
}


MOST_RUNS = 200
KEYS = ("test", "train", "predicted", "mean", "spread")


def check_3(answer):
    """A dict: test and train rows, predictions, mean F1 and spread by size."""
    test, train, predicted, mean, spread = a_dict(answer, KEYS)
    messages = load_sms_spam()
    test = _rows(test, messages, "test")
    if len(test) < 100:
        raise NotYet(f"The test part has {len(test)} rows; take 100 or more.")
    if messages.text[test].duplicated().any():
        raise NotYet("The test part holds a message twice; drop the repeats first.")
    if messages.label[test].nunique() < 2:
        raise NotYet("The test part holds one kind of message only.")
    draws = _by_size(train, "train")
    for size, parts in draws.items():
        for part in parts:
            _check_draw(_rows(part, messages, f"train[{size}]"), size, test, messages)
        if len({frozenset(part) for part in parts}) < len(parts):
            raise NotYet(
                f"Two seeds of n = {size} drew the same rows; a spread over equal "
                "draws is no spread."
            )
    labels = messages.label[test].to_numpy()
    predicted = _predictions(predicted, draws, labels)
    means, spreads = a_dict(mean, draws, "mean"), a_dict(spread, draws, "spread")
    if len({tuple(part) for parts in predicted.values() for part in parts}) == 1:
        raise NotYet(
            "All seeds of all numbers give the very same answers: "
            + _all_the_same(predicted, labels)
        )
    for size, *scores in zip(draws, means, spreads, strict=True):
        _check_summary(size, labels, predicted[size], *scores)
    return "Test messages unseen, three seeds or more, and the spread beside the mean."


def _all_the_same(predicted, labels):
    given = next(iter(predicted.values()))[0]
    if list(given) == labels.tolist():
        return "the true labels of the test rows. Let the learner answer."
    return "the learner has learned nothing. With few messages C=100 helps."


def _by_size(table, name):
    """Return {size: list of lists}, checked for three sizes of three seeds."""
    if not isinstance(table, dict) or len(table) < 3:
        raise NotYet(f"{name} must be a dict with three or more sizes n as keys.")
    for size in table:
        if not isinstance(size, numbers.Integral):
            raise NotYet(f"A key of {name} is a number n of messages; {size!r} is not.")
    lists = {
        size: a_list(parts, f"{name}[{size}]", each=a_list)
        for size, parts in table.items()
    }
    if sum(map(len, lists.values())) > MOST_RUNS:
        raise NotYet(f"{name} has more than {MOST_RUNS} lists in all; take fewer.")
    few = [size for size, parts in lists.items() if len(parts) < 3]
    if few:
        raise NotYet(
            f"{name}[{few[0]}] has {len(lists[few[0]])} entries; three seeds or more "
            "are needed, one list each."
        )
    return lists


def _rows(rows, messages, name):
    rows = a_list(rows, name, each=a_whole_number)
    if not set(rows) <= set(messages.index):
        raise NotYet(
            f"{name} holds values that are no row labels of messages; give the index "
            f"of the rows, 0 to {len(messages) - 1}."
        )
    return rows


def _check_draw(rows, size, test, messages):
    if len(rows) != size:
        raise NotYet(f"train[{size}] holds a list of {len(rows)} rows.")
    if len(set(rows)) < len(rows):
        raise NotYet(f"A draw in train[{size}] holds a row twice.")
    if set(rows) & set(test):
        raise NotYet(
            f"train[{size}] holds rows of the test part; put the test part aside "
            "before you draw."
        )
    if set(messages.text[rows]) & set(messages.text[test]):
        raise NotYet(
            f"A message of train[{size}] stands in the test part under another row: "
            "drop the repeats before the split."
        )


def _predictions(predicted, draws, labels):
    """Return {size: list of lists of 0 and 1}, checked against draws and labels."""
    predicted = _by_size(predicted, "predicted")
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
    return predicted


def _check_summary(size, labels, given, mean, spread):
    mean, spread = a_number(mean, f"mean[{size}]"), a_number(spread, f"spread[{size}]")
    runs = np.array([np.asarray(part, int) for part in given])
    of_spam = np.array([f1_score(labels, part, zero_division=0) for part in runs])
    if not is_right_to(mean, of_spam.mean(), DIGITS):
        name_mistake(mean, _other_means(size, labels, runs, of_spam), digits=DIGITS)
        if is_rounded_too_far(mean, of_spam.mean(), DIGITS):
            right_to(mean, of_spam.mean(), DIGITS, f"mean[{size}]")
        raise NotYet(
            f"mean[{size}] is {mean:.4f}, but the F1 of spam of the {len(runs)} lists "
            f"in predicted[{size}] has another mean. Are they in the order of the test "
            "rows?"
        )
    if not is_right_to(spread, of_spam.std(), DIGITS):
        name_mistake(spread, _other_spreads(size, of_spam), digits=DIGITS)
        if is_rounded_too_far(spread, of_spam.std(), DIGITS):
            right_to(spread, of_spam.std(), DIGITS, f"spread[{size}]")
        raise NotYet(
            f"The mean of n = {size} is right; spread[{size}] should be the standard "
            f"deviation over the seeds and is {spread:.4f}."
        )


def _other_means(size, labels, runs, of_spam):
    of_ham = [f1_score(1 - labels, 1 - part, zero_division=0) for part in runs]
    right = [(labels == part).mean() for part in runs]
    together = f1_score(np.tile(labels, len(runs)), runs.ravel(), zero_division=0)
    mean = f"mean[{size}] is"
    return {
        f"{mean} the F1 of ham; give that of spam, label 1.": np.mean(of_ham),
        f"{mean} the mean accuracy; give the F1 of spam.": np.mean(right),
        f"{mean} the mean F1 of ham and spam (macro-F1); give that of spam.": (
            np.mean([of_ham, of_spam])
        ),
        f"{mean} per cent; give shares between 0 and 1.": 100 * of_spam.mean(),
        f"{mean} the spread; are mean and spread exchanged?": of_spam.std(),
        f"{mean} the median of the seeds; take their mean.": np.median(of_spam),
        f"{mean} the best of the seeds; take their mean.": of_spam.max(),
        f"{mean} the F1 of the first seed; take the mean.": of_spam[0],
        f"{mean} the F1 of all seeds put together; take the mean of theirs.": together,
        f"{mean} right for answers with 0 and 1 exchanged.": np.mean(
            [f1_score(labels, 1 - part, zero_division=0) for part in runs]
        ),
    }


def _other_spreads(size, of_spam):
    spread, ends = f"spread[{size}] is", np.ptp(of_spam)
    return {
        f"{spread} the variance; take its root.": of_spam.var(),
        f"{spread} the standard deviation with n - 1, as pandas has it; np.std "
        "divides by n.": of_spam.std(ddof=1),
        f"{spread} the standard error; np.std does not divide by the root of the "
        "number of seeds.": of_spam.std() / len(of_spam) ** 0.5,
        f"{spread} the highest less the lowest F1; take np.std.": ends,
        f"{spread} per cent; give it as the mean.": 100 * of_spam.std(),
    }
