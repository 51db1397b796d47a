"""Checks of the chapter, fine-tuning: scores, an honest split, a learning curve."""

import numpy as np
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
    name_mistake,
)

# The second has different precision and recall, the last answers never spam.
MATRICES = ([[50, 10], [5, 35]], [[880, 3], [41, 76]], [[0, 4], [2, 6]])
NO_SPAM = [[90, 0], [10, 0]]


def check_1(answer):
    """A function: confusion matrix (2, 2) -> accuracy, precision, recall, F1."""
    a_function(answer, "spam_scores")
    for matrix in MATRICES:
        matrix = np.array(matrix)
        got, truth = _four_numbers(answer(matrix)), _scores(matrix)
        if np.allclose(got, truth, atol=1e-6):
            continue
        _name_mistake(matrix, got, truth)
    got = _four_numbers(answer(np.array(NO_SPAM)))
    if not np.allclose(got, (0.9, 0, 0, 0)):
        raise NotYet(
            "Where nothing was answered spam, precision, recall and F1 count as 0; "
            f"for {NO_SPAM} yours are {', '.join(f'{x:.3f}' for x in got)}."
        )
    return "F1 never looked at the ham that stayed ham."


def _scores(matrix):
    (kept, lost), (let_in, found) = matrix
    precision, recall = found / (found + lost), found / (found + let_in)
    f1 = 2 * precision * recall / (precision + recall)
    return (kept + found) / matrix.sum(), precision, recall, f1


def _four_numbers(result):
    hint = "Return four numbers: accuracy, precision, recall, f1."
    return an_array(result, (4,), "The answer", finite=False, hint=hint)


def _name_mistake(matrix, got, truth):
    where = f"for {matrix.tolist()}"
    if not np.isclose(got[0], truth[0], atol=1e-6):
        raise NotYet(
            "Expected the accuracy to be the share of the diagonal, both kinds of "
            f"right answers; {where} yours is {got[0]:.4f}."
        )
    if matrix[0, 0]:
        of_ham = "These are the precision, recall and F1 of ham; spam is wanted."
        name_mistake(got[1:], {of_ham: _scores(matrix[::-1, ::-1])[1:]}, atol=1e-6)
    exchanged = (
        "Precision and recall are exchanged: precision divides by all that was "
        "answered spam (a column), recall by all that is spam (a row)."
    )
    name_mistake(got[1:3], {exchanged: truth[2:0:-1]}, atol=1e-6)
    if not np.allclose(got[1:3], truth[1:3], atol=1e-6):
        raise NotYet(
            f"The accuracy is right; precision and recall of spam, {where}, are not "
            f"{got[1]:.4f} and {got[2]:.4f}."
        )
    half = "F1 is the harmonic mean of precision and recall, not their mean."
    name_mistake(got[3], {half: (truth[1] + truth[2]) / 2}, atol=1e-6)
    raise NotYet(f"All but F1 is right; {where} it is not {got[3]:.4f}.")


TRAIN = (
    ["win cash now", "claim your cash prize", "cash waiting reply now"] * 3
    + ["see you at lunch", "running late sorry", "lunch at noon then"] * 3,
    [1, 1, 1] * 3 + [0, 0, 0] * 3,
)
TEST = ["your cash is waiting", "sorry about lunch", "is this the new number"]
COMPANY = ["lunch lunch and cash", "a quite different sentence", "waiting for a bus"]


def check_2(answer):
    """A function: train texts, train labels, test texts -> P(spam) of each."""
    a_function(answer, "predict_spam")
    together = _probabilities(answer, TEST + COMPANY)
    if together[0] < together[1]:
        raise NotYet(
            f"{TEST[0]!r} came out less like spam than {TEST[1]!r}, although all spam "
            "to learn from speaks of cash. Is this column 0, the probability of ham?"
        )
    if set(np.unique(together)) <= {0.0, 1.0}:
        raise NotYet("These are answers, 0 or 1; return probabilities.")
    for number, text in enumerate(TEST):
        alone = _probabilities(answer, [text])[0]
        if not np.isclose(alone, together[number], atol=1e-6):
            raise NotYet(
                f"{text!r} alone gets {alone:.3f}, among other test texts "
                f"{together[number]:.3f}. The vectoriser has learned from the test "
                "texts; fit it on the training texts only."
            )
    others = ["cash cash cash", "lunch"], [0, 1]
    learned = _probabilities(answer, TEST, others)
    if np.allclose(learned, together[: len(TEST)], atol=1e-6):
        raise NotYet(
            "Other training texts, and the same probabilities: learn from the "
            "train_texts and train_labels that are passed."
        )
    return "One text alone or in company: the same probability."


def _probabilities(answer, texts, train=TRAIN):
    result = answer(list(train[0]), list(train[1]), list(texts))
    if getattr(result, "shape", None) == (len(texts), 2):
        raise NotYet(
            f"The shape is {result.shape}, a column for ham and one for spam; return "
            f"the column of spam, shape ({len(texts)},)."
        )
    hint = "Give one probability a test text."
    values = an_array(result, (len(texts),), "The answer", hint=hint)
    if not ((values >= 0) & (values <= 1)).all():
        raise NotYet("Probabilities lie between 0 and 1; yours do not all.")
    return values


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
    for size, *numbers in zip(draws, means, spreads, strict=True):
        _check_summary(size, labels, predicted[size], *numbers)
    return "Test messages unseen, three seeds or more, and the spread beside the mean."


def _by_size(table, name):
    """Return {size: list of lists}, checked for three sizes of three seeds."""
    if not isinstance(table, dict) or len(table) < 3:
        raise NotYet(f"{name} must be a dict with three or more sizes n as keys.")
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
            raise NotYet(f"predicted[{size}] holds values other than 0 and 1.")
    return predicted


def _check_summary(size, labels, given, mean, spread):
    mean, spread = a_number(mean, f"mean[{size}]"), a_number(spread, f"spread[{size}]")
    of_spam = [f1_score(labels, part, zero_division=0) for part in given]
    if np.isclose(mean, np.mean(of_spam), atol=1e-3):
        if np.isclose(spread, np.std(of_spam), atol=1e-3) or np.isclose(
            spread, np.std(of_spam, ddof=1), atol=1e-3
        ):
            return
        raise NotYet(
            f"The mean of n = {size} is right; spread[{size}] should be the standard "
            f"deviation over the seeds and is {spread:.4f}."
        )
    of_ham = [f1_score(labels, part, pos_label=0, zero_division=0) for part in given]
    accuracy = [np.mean(labels == np.asarray(part)) for part in given]
    mistakes = {
        f"mean[{size}] is the F1 of ham; give that of spam, label 1.": np.mean(of_ham),
        f"mean[{size}] is the mean accuracy; give the F1 of spam.": np.mean(accuracy),
    }
    name_mistake(mean, mistakes, atol=1e-3)
    raise NotYet(
        f"mean[{size}] is {mean:.4f}, but your predictions have another mean F1 of "
        "spam. Are they in the order of the test rows?"
    )
