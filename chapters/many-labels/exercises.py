"""Checks of the chapter: a loss of several labels, thresholds, average precision."""

from functools import partial

import numpy as np
from scipy.special import expit, log_softmax, softmax

from helpers.exercises.asking import a_list, a_number, an_array
from helpers.exercises.mistakes import Mistakes
from helpers.exercises.seeds import rng


def check_1(answer):
    """A function: scores and labels, (texts, labels) -> the mean loss of a label."""
    ordinary, far = _scored(rng(1))
    twice = [*ordinary, far, far]  # or one number names no mistake
    TABLES[1].ask("labels_loss", answer, twice)
    return "A sigmoid and a loss for each label, and one mean over all of them."


def _scored(draw):
    """Ordinary scores and labels, with texts of none, one or all of them; far ones."""
    ordinary = [(np.array([[2.0, -1.0, 0.5]]), np.array([[1, 0, 1]]))]
    for n, k in [(4, 3), (6, 5), (9, 2), (3, 7)]:
        labels = (draw.random((n, k)) < 0.4).astype(int)
        labels[0], labels[1] = 0, 1
        ordinary.append((draw.normal(0, 2, (n, k)).round(2), labels))
    far = np.array([[1000.0, -1000.0], [-1000.0, 3.0]]), np.array([[1, 0], [1, 0]])
    return ordinary, far


def _each(scores, labels):
    return np.logaddexp(0, scores) - labels * scores


def _binary(p, labels):
    return -(labels * np.log(p) + (1 - labels) * np.log(1 - p))


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
        lambda scores, labels: -(labels * log_softmax(scores, axis=1)).sum(1).mean(),
        lambda scores, labels: -(labels * log_softmax(scores, axis=1)).mean(),
    ),
    "Far from 0 yours is infinite, or no number: the sigmoid is 0 or 1 there, or a "
    "power of e too large. Form neither: write the loss with the scores themselves.": (
        lambda scores, labels: _binary(expit(scores), labels).mean(),
        lambda scores, labels: (np.log(1 + np.exp(scores)) - labels * scores).mean(),
        lambda scores, labels: np.log(
            1 + np.exp(np.where(labels == 1, -scores, scores))
        ).mean(),
    ),
    "Far from 0 yours is cut off, and what is very wrong costs too little; write the "
    "loss with the scores themselves.": (
        *(_clipped(10.0**-n) for n in (3, 4, 5, 6, 7, 8, 9, 10, 12, 15)),
        *map(_cut, (10, 20, 30, 50, 100, 500, 700)),
    ),
    "Labels that do not belong to the text cost nothing in yours; they must be told "
    "off, too.": (
        lambda scores, labels: (labels * _each(scores, labels)).mean(),
        lambda scores, labels: _each(scores, labels)[labels == 1].mean(),
    ),
    "You add up over the labels, the texts or both; take the mean over both.": (
        lambda scores, labels: _each(scores, labels).sum(),
        lambda scores, labels: _each(scores, labels).sum(axis=1).mean(),
        lambda scores, labels: _each(scores, labels).sum(axis=0).mean(),
    ),
    "0 and 1 are exchanged: a high score says that the label belongs there.": (
        lambda scores, labels: _each(scores, 1 - labels).mean()
    ),
}


def check_2(answer):
    """A function: probabilities, labels, half -> thresholds, and macro F1."""
    TABLES[2].ask(
        "label_thresholds", answer, _halves(rng(2)), read=_thresholds_and_score
    )
    return "Each label has its own threshold, and rows that chose it do not judge it."


def _thresholds_and_score(result, p, labels, half):
    hint = "Return thresholds, macro_f1."
    thresholds, score = a_list(result, "The answer", 2, hint=hint)
    thresholds = an_array(thresholds, (p.shape[1],), "thresholds", hint=hint)
    return [*thresholds, a_number(score, "macro_f1")]


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


_f1_or_1 = partial(_f1, nothing=1.0)
_f1_or_nan = partial(_f1, nothing=np.nan)


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


def _chosen_by(**how):
    return lambda *given: _told(*given, one=lambda p, y: _best(p, y, **how))


THRESHOLD_MISTAKES = {
    "Macro F1 is that of the rows on which the thresholds were chosen, or of all; tell "
    "that of the others.": (
        lambda *given: _told(*given, tell=given[2]),
        lambda *given: _told(*given, tell=np.ones(len(given[2]), bool)),
    ),
    "The thresholds are chosen on all rows; those that are told of may have no say.": (
        lambda *given: _told(*given, choose=np.ones(len(given[2]), bool))
    ),
    "The halves are exchanged: choose where half is True.": (
        lambda p, labels, half: _told(p, labels, ~half)
    ),
    "All labels have one threshold in yours; choose one for each column.": _common,
    "The thresholds are those with the highest accuracy or recall. A rare label is "
    "then best never given, or any given always; take F1.": (
        _chosen_by(judge=_accuracy),
        _chosen_by(judge=_recall),
    ),
    "Of several thresholds with the same F1 take the lowest, also where each F1 is 0; "
    "yours is another.": (
        _chosen_by(order=-1),
        _chosen_by(order=None),
    ),
    "In yours a label is given at the threshold, too; it is given above it.": (
        _at(np.greater_equal, np.greater_equal),
        _at(np.greater, np.greater_equal),
        _at(np.greater_equal, np.greater),
    ),
    "Where nothing is there and nothing is given, F1 is 0; in yours it is 1, or left "
    "out of the mean.": (
        lambda *given: _told(*given, score=partial(_macro, f1=_f1_or_1)),
        lambda *given: _told(
            *given,
            one=partial(_best, judge=_f1_or_1),
            score=partial(_macro, f1=_f1_or_1),
        ),
        lambda *given: _told(
            *given, score=partial(_macro, f1=_f1_or_nan, mean=np.nanmean)
        ),
    ),
    "The last number is accuracy, micro F1 or the mean of each text's F1; take the "
    "mean of each label's.": (
        lambda *given: _told(*given, score=_accuracy),
        lambda *given: _told(*given, score=_micro),
        lambda *given: _told(*given, score=lambda said, y: _macro(said.T, y.T)),
    ),
}


def check_3(answer):
    """A function: labels, probabilities -> average precision."""
    TABLES[3].ask("average_precision", answer, _ranked(rng(3)))
    return "It asks for the order alone: no threshold moves it."


def _ranked(draw):
    """Labels and probabilities, no two alike: the hint's, rare labels, a common one."""
    yield np.array([1, 0, 1, 0]), np.array([0.9, 0.8, 0.3, 0.1])
    for n, share in [(12, 0.3), (40, 0.1), (60, 0.05), (25, 0.6)]:
        labels = (draw.random(n) < share).astype(int)
        labels[:2] = 1
        p = draw.permutation(np.linspace(0.02, 0.48, n)) + 0.2 * labels * draw.random(n)
        order = draw.permutation(n)
        yield labels[order], p[order].round(6)


def _by_ranks(way, order=-1):
    """way: labels and precisions in falling order, ranks with the label -> a number."""

    def number(labels, p):
        labels = labels[np.argsort(order * p, kind="stable")]
        precision = labels.cumsum() / np.arange(1, len(p) + 1)
        return way(labels, precision, np.flatnonzero(labels))

    return number


def _mean_precision(labels, precision, at):
    return precision[at].mean()


PRECISION_MISTAKES = {
    "The order is turned: begin with the highest probability.": (
        _by_ranks(_mean_precision, order=1)
    ),
    "You take the mean over all ranks; take those alone at which a text with the label "
    "stands.": _by_ranks(lambda y, precision, at: precision.mean()),
    "You divide by the number of texts; divide by that of the texts with the label.": (
        _by_ranks(lambda y, precision, at: precision[at].sum() / len(y))
    ),
    "Ranks begin with 1: at the first rank one text has been called.": (
        _by_ranks(lambda y, precision, at: (y.cumsum()[at] / at.clip(1)).mean())
    ),
    "This is the precision among as many texts as have the label; take the mean over "
    "the ranks at which these stand.": (
        _by_ranks(lambda y, precision, at: precision[len(at) - 1])
    ),
}


def _in_two(function):
    def answer(*given):
        *thresholds, score = function(*given)
        return thresholds, score

    return answer


TABLES = {
    1: Mistakes(lambda *given: _each(*given).mean(), LOSS_MISTAKES, "The loss"),
    2: Mistakes(_told, THRESHOLD_MISTAKES, "Each number", 3, answer=_in_two),
    3: Mistakes(_by_ranks(_mean_precision), PRECISION_MISTAKES, "The answer", 3),
}
