"""Checks of the chapter, judging a classifier: a threshold, calibration, a slice."""

import numpy as np

from chapters.judging_a_classifier.filters import expected_calibration_error
from helpers.datasets import load_sms_spam
from helpers.exercises import NotYet
from helpers.exercises.asking import (
    a_dict,
    a_function,
    a_list,
    a_number,
    a_whole_number,
    an_array,
)
from helpers.exercises.mistakes import Mistakes
from helpers.exercises.seeds import rng

DIGITS = 3  # to which numbers are asked for
PRICES = [(3, 1), (1, 1), (1, 4), (0.5, 2.0), (10, 3), (1000, 1), (1, 500)]


def check_1(answer):
    """A function: what a lost message and spam let in cost -> a probability."""
    pairs = [*PRICES, *rng(1).uniform(0.2, 9, (3, 2)).round(2).tolist()]
    TABLES[1].ask("threshold", answer, pairs, otherwise=_off_balance)
    return "Only the ratio of the prices counts; no message was looked at."


def _off_balance(got, wanted, lost, let_in):
    return (
        f"For lost = {lost} and let_in = {let_in} your threshold is {got:.4g}. "
        "At the right one both answers cost the same on average: write down both costs."
    )


THRESHOLD_MISTAKES = {
    "The prices are exchanged: the more a lost message costs, the surer the filter "
    "must be before it calls one spam.": lambda lost, let_in: let_in / (lost + let_in),
    "This is the ratio of the prices. The odds at the threshold are one of the two "
    "ratios; turn them into a probability.": (
        lambda lost, let_in: lost / let_in,
        lambda lost, let_in: let_in / lost,
    ),
    "This is right where let_in costs 1 only.": lambda lost, let_in: lost / (lost + 1),
    "This is per cent; give a share between 0 and 1.": (
        lambda lost, let_in: 100 * lost / (lost + let_in)
    ),
}


def check_2(answer):
    """A function: labels, probabilities, number of bins -> calibration error."""
    forbid = ("chapters.expected_calibration_error",)
    TABLES[2].ask("calibration_error", answer, _cases(rng(2)), forbid=forbid)
    return "The mean distance from the diagonal, each message with the same weight."


def _cases(draw):
    """Labels, probabilities and bins: the hint's, few bins filled, many, the ends.

    No probability lies where two bins meet: the exercise leaves open whose it is.
    """
    few, many = 0.3 + 0.25 * draw.random(40), draw.random(300)
    odd = (7 * many).astype(int) % 2 == 1  # so that no bin can join its neighbour
    shares = np.where(few < 0.4, 0.9, 0.2), np.where(odd, 0.9, 0.1)
    labels = [(draw.random(len(share)) < share).astype(int) for share in shares]
    return [
        (np.array([1, 1, 0]), np.array([0.7, 0.8, 0.9]), 3),
        (labels[0], few, 10),
        (labels[1], many, 7),
        (np.array([1]), np.array([0.7]), 4),
        (*_sure(draw), 5),
        (*_sure(draw), 6),
    ]


def _sure(draw):
    p = draw.choice([0, 0.25, 0.9, 1.0], 60)
    labels = (p == 0.9) | (p < 0.9) & (draw.random(60) < 0.5)
    return labels.astype(int), p


def _of_gaps(way):
    """A mistake: way(gaps of the filled bins, their messages, number of bins)."""

    def error(labels, p, bins):
        places = np.minimum((p * bins).astype(int), bins - 1)
        filled = [places == number for number in set(places)]
        gaps = [p[here].mean() - labels[here].mean() for here in filled]
        return way(np.array(gaps), np.array([here.sum() for here in filled]), bins)

    return error


def _of_confidence(labels, p, bins):
    right = (p > 0.5) == labels
    return expected_calibration_error(right, np.maximum(p, 1 - p), bins)


def _without(end):
    """The error where messages with the probability `end` fall into no bin."""

    def error(labels, p, bins):
        kept = p != end
        inner = expected_calibration_error(labels[kept], p[kept], bins)
        return inner * kept.mean()

    return error


def _ones_apart(labels, p, bins):
    """The error where probability 1 has a bin of its own."""
    return _without(1)(labels, p, bins) + (1 - labels[p == 1]).sum() / len(p)


def _from_the_middle(labels, p, bins):
    """The error where a bin's probability is its middle, not its mean."""
    places = np.minimum((p * bins).astype(int), bins - 1)
    filled = [places == number for number in set(places)]
    gaps = [abs((places[at][0] + 0.5) / bins - labels[at].mean()) for at in filled]
    return np.average(gaps, weights=[at.sum() for at in filled])


def _of_accuracy(labels, p, bins):
    """The error where a bin's share of right answers takes that of label 1's place."""
    right = ((p > 0.5) == labels).astype(float)
    return expected_calibration_error(right, p, bins)


ERROR_MISTAKES = {
    "The probability of a bin is its middle in yours; take the mean of those in it.": (
        _from_the_middle
    ),
    "This compares with the share of right answers; take that of label 1.": (
        _of_accuracy
    ),
    "Weigh each bin by its messages; in yours all bins count alike.": (
        _of_gaps(lambda gaps, n, bins: abs(gaps).mean()),
        _of_gaps(lambda gaps, n, bins: abs(gaps).sum() / bins),  # empty ones, too
    ),
    "Take the distance of each bin, without its sign: in yours bins that are too sure "
    "cancel bins that are not sure enough.": (
        _of_gaps(lambda gaps, n, bins: np.average(gaps, weights=n)),
        lambda labels, p, bins: abs(p.mean() - labels.mean()),
    ),
    "This is the error of the confidence, as Guo and colleagues take it; asked for is "
    "that of the probability of label 1.": _of_confidence,
    "This is the mean distance of each message from its label. Take the means of a bin "
    "first, then their distance.": lambda labels, p, bins: abs(p - labels).mean(),
    "A probability of exactly 1 belongs to the last bin, one of exactly 0 to the "
    "first; yours leaves such a message out, or gives it a bin of its own.": (
        _without(1),
        _ones_apart,
        _without(0),
    ),
    "This is per cent; give a share between 0 and 1.": (
        lambda *given: 100 * expected_calibration_error(*given)
    ),
    "Your bins are always ten; there are as many as `bins` says.": (
        lambda labels, p, bins: expected_calibration_error(labels, p)
    ),
}


KEYS = ("inside", "rows", "predicted", "n", "accuracy")
FEWEST = 20  # messages inside, and outside
NEARLY_ALL = 0.94  # no filter that has not learned from the twins comes near


def check_3(answer):
    """A dict: a rule, rows and predictions, how many are inside, two accuracies."""
    inside, rows, predicted, n, accuracy = a_dict(answer, KEYS)
    a_function(inside, "inside")
    messages = load_sms_spam()
    rows = a_list(rows, "rows", each=a_whole_number)
    if not set(rows) <= set(messages.index):
        raise NotYet(
            "rows holds values that are no row labels of messages; give the index of "
            f"the rows, 0 to {len(messages) - 1}."
        )
    if len(set(rows)) < len(rows):
        raise NotYet("rows holds a row twice.")
    predicted = np.array(a_list(plain_bits(predicted), "predicted", len(rows)))
    if not set(predicted.tolist()) <= {0, 1}:
        raise NotYet("predicted holds values other than 0, for ham, and 1.")
    labels = messages.label[rows].to_numpy()
    if len(rows) and (predicted == labels).mean() > NEARLY_ALL:
        raise NotYet(
            "Nearly all answers are right: are these the labels, or has the filter "
            "learned from these messages? Take one that has not."
        )
    texts = messages.text[rows].tolist()
    chosen = np.array([_is_inside(inside, text) for text in texts], bool)
    for text, before in zip(texts[:FEWEST], chosen, strict=False):
        if _is_inside(inside, text) != before:
            raise NotYet(
                f"inside gives {before}, then {not before} for one message, "
                f"{text[:40]!r}. Let it look at the text alone."
            )
    for place, count in (("inside", chosen.sum()), ("outside", (~chosen).sum())):
        if count < FEWEST:
            raise NotYet(f"{count} messages are {place}; {FEWEST} or more are needed.")
    if a_whole_number(n, "n") != chosen.sum():
        if int(n) == (~chosen).sum():
            raise NotYet("n counts the messages outside; give those inside.")
        places = rows == [*range(len(rows))]
        further = " Are these places, and not row labels of messages?" if places else ""
        raise NotYet(
            f"n is {n}, but the rule picks out {chosen.sum()} of the rows.{further}"
        )
    _check_accuracies(labels, predicted, chosen, accuracy)
    return "A slice with a rule, its size and both accuracies. Now test it on new ones."


def plain_bits(predicted):
    """Return 0 and 1 for booleans, and everything else as it came."""
    values = a_list(predicted, "predicted")
    return [int(v) if isinstance(v, bool) else v for v in values]


def _is_inside(inside, text):
    hint = "Return True or False, as bool(re.search(...)) is."
    try:
        got = inside(text)
    except NotYet as problem:  # re.search finds nothing, and so returns None
        if "returned None" in str(problem):
            raise NotYet(f"inside(text) is None. {hint}") from None
        raise
    got = an_array(got, None, "inside(text)", booleans=True, hint=hint)
    if got.size != 1 or got.item() not in (0, 1):
        raise NotYet("inside(text) must be one True or False.")
    return bool(got.item())


def _check_accuracies(labels, predicted, chosen, accuracy):
    both = a_dict(accuracy, ("inside", "outside"), "accuracy")
    got = [a_number(x, "An accuracy") for x in both]
    TABLES[3].judge([((labels, predicted, chosen), got)])


def _in_both(score):
    """What score(labels, predicted) gives inside and outside."""

    def numbers(labels, predicted, chosen):
        return [score(labels[part], predicted[part]) for part in (chosen, ~chosen)]

    return numbers


def _share(labels, predicted):
    return (labels == predicted).mean()


ACCURACY_MISTAKES = {
    "The accuracies inside and outside are exchanged.": (
        lambda *given: _in_both(_share)(*given)[::-1]
    ),
    "These are the shares of mistakes; give those of right answers.": (
        _in_both(lambda *pair: 1 - _share(*pair))
    ),
    "These are per cent; give shares between 0 and 1.": (
        _in_both(lambda *pair: 100 * _share(*pair))
    ),
}


TABLES = {
    1: Mistakes(
        lambda lost, let_in: lost / (lost + let_in),
        THRESHOLD_MISTAKES,
        "The threshold",
        DIGITS,
    ),
    2: Mistakes(expected_calibration_error, ERROR_MISTAKES, "The error", DIGITS),
    3: Mistakes(_in_both(_share), ACCURACY_MISTAKES, "Each accuracy", DIGITS),
}
