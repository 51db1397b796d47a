"""Checks of the chapter, your own domain: a loss, thresholds, a change with its end."""

from functools import partial

import numpy as np
from scipy.special import expit, log_softmax, softmax
from scipy.stats import t

from helpers.exercises.asking import a_function, a_list, a_number, an_array
from helpers.exercises.mistakes import Mistakes
from helpers.exercises.seeds import rng


def check_1(answer):
    """A function: scores and labels, (texts, labels) -> the mean loss of a label."""
    a_function(answer, "labels_loss")
    trials = []
    for scores, labels in _scored(rng(1)):
        with np.errstate(all="ignore"):
            got = answer(scores.copy(), labels.copy())
        got = a_number(got, "The loss", finite=False)
        trials.append(((scores, labels), got))
    TABLES[1].judge([*trials, trials[-1]])  # twice, or one number names no mistake
    return "A sigmoid and a loss for each label, and one mean over all of them."


def _scored(draw):
    """Scores and labels: a text each with none, one and all labels among them."""
    yield np.array([[2.0, -1.0, 0.5]]), np.array([[1, 0, 1]])
    for n, k in [(4, 3), (6, 5), (9, 2), (3, 7)]:
        labels = (draw.random((n, k)) < 0.4).astype(int)
        labels[0], labels[1] = 0, 1
        yield draw.normal(0, 2, (n, k)).round(2), labels
    # the exercise names −1000; e to the 700 is finite, too
    yield np.array([[700.0, -1000.0], [-1000.0, 3.0]]), np.array([[1, 0], [1, 0]])


def _each(scores, labels):
    return np.logaddexp(0, scores) - labels * scores


def _binary(p, labels):
    return -(labels * np.log(p) + (1 - labels) * np.log(1 - p))


def _binary_where(p, labels):
    return -np.log(np.where(labels == 1, p, 1 - p))


def _clipped(least):
    return lambda scores, labels: _binary(
        np.clip(expit(scores), least, 1 - least), labels
    ).mean()


def _cut(far):
    return lambda scores, labels: _each(np.clip(scores, -far, far), labels).mean()


LOSS_MISTAKES = {
    "A softmax makes the labels of a text share 1; give each label a sigmoid of its "
    "own.": (
        lambda scores, labels: _binary(softmax(scores, axis=1), labels).mean(),
        lambda scores, labels: (
            -(labels * np.log(softmax(scores, axis=1))).sum(1).mean()
        ),
        lambda scores, labels: -(labels * np.log(softmax(scores, axis=1))).mean(),
        lambda scores, labels: -(labels * log_softmax(scores, axis=1)).sum(1).mean(),
        lambda scores, labels: -(labels * log_softmax(scores, axis=1)).mean(),
    ),
    "Far from 0 the sigmoid is 0 or 1 and its logarithm infinite, or a power of e is; "
    "write the loss with the scores: np.logaddexp(0, score) less the score where the "
    "label is 1.": (
        lambda scores, labels: _binary(expit(scores), labels).mean(),
        lambda scores, labels: _binary_where(expit(scores), labels).mean(),
    ),
    "Far from 0 yours is cut off, and what is very wrong costs too little; write the "
    "loss with the scores: np.logaddexp(0, score) less the score where the label is "
    "1.": (
        *(_clipped(10.0**-n) for n in (3, 4, 5, 6, 7, 8, 9, 10, 12, 15)),
        *map(_cut, (10, 20, 30, 50, 100, 500, 700)),
    ),
    "Labels that do not belong to the text cost nothing in yours; they must be told "
    "off, too.": (
        lambda scores, labels: (labels * _each(scores, labels)).mean(),
        lambda scores, labels: _each(scores, labels)[labels == 1].mean(),
    ),
    "This is the sum over all labels of all texts; take the mean.": (
        lambda scores, labels: _each(scores, labels).sum()
    ),
    "You add up over the labels of a text and take the mean over texts; take the mean "
    "over both.": lambda scores, labels: _each(scores, labels).sum(axis=1).mean(),
    "You add up over texts and take the mean over labels; take the mean over both.": (
        lambda scores, labels: _each(scores, labels).sum(axis=0).mean()
    ),
    "The sign is turned: a loss is minus a logarithm, never below 0.": (
        lambda scores, labels: -_each(scores, labels).mean()
    ),
    "0 and 1 are exchanged: a high score says that the label belongs there.": (
        lambda scores, labels: _each(scores, 1 - labels).mean()
    ),
    "The sigmoid is taken twice: the loss takes scores, not probabilities.": (
        lambda scores, labels: _each(expit(scores), labels).mean()
    ),
    "These are bits; take the natural logarithm.": (
        lambda scores, labels: _each(scores, labels).mean() / np.log(2)
    ),
    "This is a squared distance; take minus the logarithm of what the right answer "
    "gets.": lambda scores, labels: ((expit(scores) - labels) ** 2).mean(),
}


def check_2(answer):
    """A function: probabilities, labels, half -> thresholds, and macro F1."""
    a_function(answer, "label_thresholds")
    trials = []
    for p, labels, half in _halves(rng(2)):
        got = answer(p.copy(), labels.copy(), half.copy())
        hint = "Return thresholds, macro_f1."
        got = a_list(got, "The answer", 2, hint=hint)
        thresholds = an_array(got[0], (p.shape[1],), "thresholds", hint=hint)
        score = a_number(got[1], "macro_f1")
        trials.append(((p, labels, half), [*thresholds, score]))
    TABLES[2].judge(trials, _other_thresholds)
    return "Each label has its own threshold, and rows that chose it do not judge it."


def _other_thresholds(got, wanted, p, labels, half):
    for k, (ours, theirs) in enumerate(zip(got[:-1], wanted[:-1], strict=True)):
        if not np.isclose(ours, theirs, atol=1e-6):
            return (
                f"Of {half.sum()} rows to choose on the threshold of label {k} is "
                f"{theirs:.3f}; yours is {ours:.3f}."
            )
    return (
        f"The thresholds are right; in the {(~half).sum()} other rows macro F1 is "
        f"{wanted[-1]:.3f}, not {got[-1]:.3f}."
    )


def _halves(draw):
    """Probabilities, labels, the half to choose on; labels of unlike frequency."""
    yield (
        np.array([[0.3, 0.6], [0.6, 0.2], [0.1, 0.7], [0.8, 0.4], [0.2, 0.5]]),
        np.array([[1, 1], [1, 0], [0, 1], [1, 0], [0, 1]]),
        np.array([True, True, True, False, False]),
    )
    p = np.array([0.9, 0.7, 0.5, 0.3, 0.1, 0.8, 0.2])  # two that do equally well
    labels = np.array([1, 0, 0, 1, 0, 1, 0])
    half = np.arange(7) < 5
    yield np.stack([p, p / 2], axis=1), np.stack([labels, labels], axis=1), half
    for n, k in [(24, 3), (30, 4), (25, 2)]:
        rare = np.linspace(0.2, 0.6, k)
        labels = (draw.random((n, k)) < rare).astype(int)
        p = expit(draw.normal(0, 1, (n, k)) + 1.5 * labels - 2 * draw.random(k))
        half = np.arange(n) < n // 2
        draw.shuffle(half)
        yield p.round(3), labels, half
    for n in (12, 15):  # all that choose have label 0, and nobody has label 1
        p, half = draw.uniform(0.3, 0.9, (n, 3)).round(3), np.arange(n) < n // 2
        labels = draw.integers(0, 2, (n, 3))
        labels[half, 0], labels[:, 1] = 1, 0
        p[-2:, 0] = 0.1, p[half, 0].min()  # below the threshold, and at it
        p[~half, 1] = (p[~half, 1] / 3).round(3)  # none is given
        order = draw.permutation(n)
        yield p[order], labels[order], half[order]


def _f1(said, truth, nothing=0.0):
    both = said.sum() + truth.sum()
    return 2 * (said & (truth == 1)).sum() / both if both else nothing


def _f1_or_1(said, truth):
    return _f1(said, truth, 1.0)


def _f1_or_nan(said, truth):
    return _f1(said, truth, np.nan)


def _accuracy(said, truth):
    return (said == (truth == 1)).mean()


def _recall(said, truth):
    return (said & (truth == 1)).sum() / max(1, truth.sum())


def _best(p, labels, judge=_f1, order=1, above=np.greater):
    tried = np.unique(p)[::order] if order else p
    return tried[int(np.argmax([judge(above(p, x), labels) for x in tried]))]


def _macro(said, labels, f1=_f1, mean=np.mean):
    return mean([f1(*pair) for pair in zip(said.T, labels.T, strict=True)])


def _micro(said, labels):
    return _f1(said.ravel(), labels.ravel())


def _told(p, labels, half, choose=None, tell=None, one=None, score=_macro):
    """Thresholds and a score; what is changed makes a mistake of it."""
    choose = half if choose is None else choose
    tell = ~half if tell is None else tell
    columns = zip(p[choose].T, labels[choose].T, strict=True)
    found = np.array([(one or _best)(*column) for column in columns])
    return [*found, score(p[tell] > found, labels[tell])]


def _common(p, labels, half):
    found = _best(p[half].ravel(), labels[half].ravel())
    return [*[found] * p.shape[1], _macro(p[~half] > found, labels[~half])]


def _at(choosing, telling):
    def told(p, labels, half):
        columns = zip(p[half].T, labels[half].T, strict=True)
        found = np.array([_best(*column, above=choosing) for column in columns])
        return [*found, _macro(telling(p[~half], found), labels[~half])]

    return told


def _or_else(start):
    """Keeps what it began with where no F1 is above 0."""
    return lambda *given: _told(
        *given,
        one=lambda p, y: found if _f1(p > (found := _best(p, y)), y) else start,
    )


def _chosen_by(**how):
    return lambda *given: _told(*given, one=lambda p, y: _best(p, y, **how))


THRESHOLD_MISTAKES = {
    "Macro F1 is that of the rows on which the thresholds were chosen; tell that of "
    "the others.": lambda *given: _told(*given, tell=given[2]),
    "Macro F1 is that of all rows; tell that of those that had no say.": (
        lambda *given: _told(*given, tell=np.ones(len(given[2]), bool))
    ),
    "The thresholds are chosen on all rows; those that are told of may have no say.": (
        lambda *given: _told(*given, choose=np.ones(len(given[2]), bool))
    ),
    "The halves are exchanged: choose where half is True.": (
        lambda p, labels, half: _told(p, labels, ~half)
    ),
    "All labels have one threshold in yours; choose one for each column.": _common,
    "Every threshold is 0.5 in yours; choose them.": (
        lambda *given: _told(*given, one=lambda p, y: 0.5)
    ),
    "The thresholds are those with the highest accuracy; a rare label is then best "
    "never given. Take F1.": _chosen_by(judge=_accuracy),
    "The thresholds are those with the highest recall; then all is given. Take F1.": (
        _chosen_by(judge=_recall)
    ),
    "Of several thresholds with the same F1 take the lowest; yours is the highest.": (
        _chosen_by(order=-1)
    ),
    "Of several thresholds with the same F1 take the lowest; yours is the first in the "
    "order of the rows.": _chosen_by(order=None),
    "Where each F1 is 0 all do equally well: take the lowest probability. Yours keeps "
    "what it began with.": tuple(map(_or_else, (0, 0.5, 1))),
    "In yours a label is given at the threshold, too; it is given above it.": (
        _at(np.greater_equal, np.greater_equal),
        _at(np.greater, np.greater_equal),
        _at(np.greater_equal, np.greater),
    ),
    "Where nothing is there and nothing is given, F1 is 1 in yours; let it be 0.": (
        lambda *given: _told(*given, score=partial(_macro, f1=_f1_or_1)),
        lambda *given: _told(
            *given,
            one=partial(_best, judge=_f1_or_1),
            score=partial(_macro, f1=_f1_or_1),
        ),
    ),
    "A label that is not there and not given is left out of your mean; its F1 is 0.": (
        lambda *given: _told(
            *given, score=partial(_macro, f1=_f1_or_nan, mean=np.nanmean)
        )
    ),
    "The last number is the mean of each text's F1; take the mean of each label's.": (
        lambda *given: _told(*given, score=lambda said, y: _macro(said.T, y.T))
    ),
    "The last number is micro F1, of all labels in one heap; take the mean of each "
    "label's F1.": lambda *given: _told(*given, score=_micro),
    "The last number is accuracy; take the mean of each label's F1.": (
        lambda *given: _told(*given, score=_accuracy)
    ),
    "Macro F1 is per cent in yours; give a share between 0 and 1.": (
        lambda *given: [*(told := _told(*given))[:-1], 100 * told[-1]]
    ),
}


def check_3(answer):
    """A function: losses before and after, text of each piece -> change, its ends."""
    a_function(answer, "change_of_loss")
    trials = []
    for before, after, text in _pieces(rng(3)):
        got = answer(before.copy(), after.copy(), text.copy())
        hint = "Return three numbers: change, low, high."
        trials.append(
            ((before, after, text), an_array(got, (3,), "The answer", hint=hint))
        )
    TABLES[3].judge(trials, _other_change)
    return (
        "Paired, and one number a text: pieces of a text are not drawn by themselves."
    )


def _other_change(got, wanted, before, after, text):
    names = ("change", "low", "high")
    for name, ours, theirs in zip(names, got, wanted, strict=True):
        if not np.isclose(ours, theirs, atol=5e-4):
            return (
                f"With {len(text)} pieces in {len(set(text))} texts {name} is "
                f"{theirs:.3f}; yours is {ours:.3f}."
            )
    return "Give each number to three decimals."


def _pieces(draw):
    """Losses of hidden pieces, more of them in some texts; texts differ."""
    yield (
        np.array([4.0, 6.0, 2.0, 3.0]),
        np.array([3.0, 3.0, 2.5, 1.0]),
        np.array([0, 0, 1, 2]),
    )
    for n, shift in [(5, -1.0), (9, 0.2), (14, -0.4), (25, 0.5)]:
        text = np.repeat(np.arange(n), draw.integers(1, 9, n))
        number = draw.permutation(2 * n)[:n]  # some numbers are no text's
        hard = draw.normal(5, 2, n)[text]
        before = hard + draw.normal(0, 1, len(text))
        after = (
            hard + shift + draw.normal(0, 0.6, n)[text] + draw.normal(0, 1, len(text))
        )
        order = draw.permutation(len(text))
        yield before[order].round(3), after[order].round(3), number[text[order]]


def _by_text(values, text):
    return np.array([values[text == one].mean() for one in np.unique(text)])


def _ends(values, level=0.975, ddof=1, factor=None, root=True):
    n, mean = len(values), values.mean()
    factor = t.ppf(level, n - 1) if factor is None else factor
    reach = factor * values.std(ddof=ddof) / (np.sqrt(n) if root else 1)
    return np.array([mean, mean - reach, mean + reach])


def _change(before, after, text):
    return _ends(_by_text(after - before, text))


def _of_texts(**how):
    return lambda before, after, text: _ends(_by_text(after - before, text), **how)


def _unpaired(before, after, text):
    one, two = _by_text(before, text), _by_text(after, text)
    n, mean = len(one), two.mean() - one.mean()
    reach = t.ppf(0.975, n - 1) * np.sqrt((one.var(ddof=1) + two.var(ddof=1)) / n)
    return np.array([mean, mean - reach, mean + reach])


def _with_gaps(before, after, text):
    sums, counts = np.bincount(text, after - before), np.bincount(text)
    return _ends(sums / np.maximum(counts, 1))


def _mean_of_pieces(before, after, text):
    by_text = _ends(_by_text(after - before, text))
    return by_text - by_text[0] + (after - before).mean()


CHANGE_MISTAKES = {
    "Each piece counts as drawn by itself; those of a text belong together. Take the "
    "mean of each text first.": lambda before, after, text: _ends(after - before),
    "The change is before less after; a loss that falls shall be negative.": (
        lambda before, after, text: _change(after, before, text)
    ),
    "low and high are exchanged.": (lambda *given: _change(*given)[[0, 2, 1]]),
    "before and after are taken as two unpaired sets; take the difference of each "
    "piece first: it is the same piece.": _unpaired,
    "The ends are for 1.96; with so few texts take Student's t, n - 1 degrees of "
    "freedom.": (_of_texts(factor=1.96), _of_texts(factor=2)),
    "The spread divides by n in yours; divide by n - 1 (ddof=1).": _of_texts(ddof=0),
    "The spread is not divided by the root of the number of texts: these are ends for "
    "a text, not for the mean.": _of_texts(root=False),
    "These ends hold the mean 90 times in 100: the level is 0.975 on each side.": (
        _of_texts(level=0.95)
    ),
    "The ends are one standard error away; multiply by Student's t.": _of_texts(
        factor=1.0
    ),
    "The change is the mean over pieces, the ends go by texts; take both by texts.": (
        _mean_of_pieces
    ),
    "Numbers that no piece has count as texts in yours, with a change of 0; take those "
    "that occur.": _with_gaps,
    "This is a quotient of losses; take a difference.": (
        lambda before, after, text: _ends(_by_text(after / before, text))
    ),
}


def _in_two(function):
    def answer(*given):
        *thresholds, score = function(*given)
        return thresholds, score

    return answer


TABLES = {
    1: Mistakes(
        right=lambda scores, labels: _each(scores, labels).mean(),
        known=LOSS_MISTAKES,
        what="The loss",
    ),
    2: Mistakes(
        right=_told,
        known=THRESHOLD_MISTAKES,
        what="The answer",
        digits=3,
        answer=_in_two,
    ),
    3: Mistakes(right=_change, known=CHANGE_MISTAKES, what="The answer", digits=3),
}
