"""Checks of the chapter, judging a classifier: a threshold, calibration, a slice."""

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
    is_right_to,
    is_rounded_too_far,
    name_mistake,
    right_to,
)
from helpers.exercises.seeds import rng
from helpers.spam import expected_calibration_error

DIGITS = 3  # to which numbers are asked for
PRICES = [(3, 1), (1, 1), (1, 4), (0.5, 2.0), (10, 3)]


def check_1(answer):
    """A function: what a lost message and spam let in cost -> a probability."""
    a_function(answer, "threshold")
    pairs = [*PRICES, *rng(1).uniform(0.2, 9, (3, 2)).round(2).tolist()]
    got = [a_number(answer(*pair), "The threshold") for pair in pairs]
    truth = [lost / (lost + let_in) for lost, let_in in pairs]
    if is_right_to(got, truth, DIGITS):
        return "Only the ratio of the prices counts; no message was looked at."
    others = [[way(*pair) for pair in pairs] for _, way in OTHER_THRESHOLDS]
    said = [said for said, _ in OTHER_THRESHOLDS]
    name_mistake(got, zip(said, others, strict=True), digits=DIGITS)
    if len(set(got)) == 1:
        raise NotYet(f"Your threshold is {got[0]:.6g} for all prices; it moves.")
    if is_rounded_too_far(got, truth, DIGITS):
        raise NotYet("The threshold must be right to three decimals.")
    wrong = next(i for i, t in enumerate(truth) if not is_right_to(got[i], t, DIGITS))
    lost, let_in = pairs[wrong]
    raise NotYet(
        f"For lost = {lost} and let_in = {let_in} your threshold is {got[wrong]:.4g}. "
        "At the right one (1 - p) times lost equals p times let_in."
    )


OTHER_THRESHOLDS = (
    (
        "The prices are exchanged: the more a lost message costs, the surer the filter "
        "must be before it calls one spam.",
        lambda lost, let_in: let_in / (lost + let_in),
    ),
    (
        "This is the ratio of the prices, the odds at the threshold; the probability "
        "is lost / (lost + let_in).",
        lambda lost, let_in: lost / let_in,
    ),
    (
        "This is right where let_in costs 1 only.",
        lambda lost, let_in: lost / (lost + 1),
    ),
    (
        "At the threshold both answers cost the same: (1 - p) times lost equals p "
        "times let_in. Yours is 1 - let_in / lost.",
        lambda lost, let_in: 1 - let_in / lost,
    ),
    (
        "This is per cent; give a share between 0 and 1.",
        lambda lost, let_in: 100 * lost / (lost + let_in),
    ),
)


def check_2(answer):
    """A function: labels, probabilities, number of bins -> calibration error."""
    a_function(answer, "calibration_error")
    cases = _cases(rng(2))
    got = [
        a_number(answer(labels.copy(), p.copy(), bins), "The error")
        for labels, p, bins in cases
    ]
    truth = [expected_calibration_error(*case) for case in cases]
    if is_right_to(got, truth, DIGITS):
        return "The mean distance from the diagonal, each message with the same weight."
    others = [[way(*case) for case in cases] for _, way in OTHER_ERRORS]
    said = [said for said, _ in OTHER_ERRORS]
    name_mistake(got, zip(said, others, strict=True), digits=DIGITS)
    if is_rounded_too_far(got, truth, DIGITS):
        raise NotYet("The error must be right to three decimals.")
    wrong = next(i for i, t in enumerate(truth) if not is_right_to(got[i], t, DIGITS))
    labels, p, bins = cases[wrong]
    if wrong == 0:
        raise NotYet(
            "For the example of the hint, labels 1, 1, 0 and probabilities 0.7, 0.8, "
            f"0.9 in three bins, 0.133 was expected; yours is {got[0]:.4g}."
        )
    further = " Some of them are exactly 0 or 1." if (p == 1).any() else ""
    raise NotYet(
        f"The example of the hint is right. For {len(p)} messages in {bins} bins "
        f"{truth[wrong]:.4f} was expected; yours is {got[wrong]:.4f}.{further}"
    )


def _cases(draw):
    """Labels, probabilities and bins: the hint's, few bins filled, many, the edges."""
    few = 0.3 + 0.25 * draw.random(40)
    many, sure = draw.random(300) ** 2, draw.choice([0, 0.2, 0.9, 1.0], 60)
    sure_labels = (sure == 0.9) | (sure < 0.9) & (draw.random(60) < 0.5)
    few_labels = draw.random(len(few)) < 0.7
    return [
        (np.array([1, 1, 0]), np.array([0.7, 0.8, 0.9]), 3),
        (few_labels.astype(int), few, 10),
        ((draw.random(300) < many**2).astype(int), many, 7),
        (sure_labels.astype(int), sure, 5),
    ]


def _places(p, bins):
    return np.minimum((p * bins).astype(int), bins - 1)


def _gaps(labels, p, bins):
    """Mean probability less share of each filled bin, and the bin's messages."""
    places = [_places(p, bins) == number for number in range(bins)]
    filled = [here for here in places if here.any()]
    gaps = [p[here].mean() - labels[here].mean() for here in filled]
    return np.array(gaps), np.array([here.sum() for here in filled])


def _unweighted(labels, p, bins):
    return abs(_gaps(labels, p, bins)[0]).mean()


def _over_all_bins(labels, p, bins):
    return abs(_gaps(labels, p, bins)[0]).sum() / bins


def _signed(labels, p, bins):
    gaps, weights = _gaps(labels, p, bins)
    return np.average(gaps, weights=weights)


def _squared(labels, p, bins):
    gaps, weights = _gaps(labels, p, bins)
    return np.average(gaps**2, weights=weights)


def _largest(labels, p, bins):
    return abs(_gaps(labels, p, bins)[0]).max()


def _of_confidence(labels, p, bins):
    right = (p > 0.5) == labels
    return expected_calibration_error(right, np.maximum(p, 1 - p), bins)


def _by_message(labels, p, bins):
    return abs(p - labels).mean()


def _without_ones(labels, p, bins):
    """The error where messages with probability 1 fall into no bin."""
    gaps, weights = _gaps(labels[p < 1], p[p < 1], bins)
    return (abs(gaps) * weights).sum() / len(p)


def _ones_apart(labels, p, bins):
    """The error where probability 1 has a bin of its own."""
    return _without_ones(labels, p, bins) + (1 - labels[p == 1]).sum() / len(p)


def _per_cent(labels, p, bins):
    return 100 * expected_calibration_error(labels, p, bins)


OTHER_ERRORS = (
    ("Weigh each bin by its messages; in yours all bins count alike.", _unweighted),
    (
        "Weigh each bin by its messages; yours divides by the number of bins, empty "
        "ones included.",
        _over_all_bins,
    ),
    (
        "Take the distance of each bin, without its sign: in yours bins that are too "
        "sure cancel bins that are not sure enough.",
        _signed,
    ),
    ("Take the distance itself, not its square.", _squared),
    ("This is the largest distance of a bin; take the weighted mean.", _largest),
    (
        "This is the error of the confidence, as Guo and colleagues take it; asked for "
        "is that of the probability of label 1.",
        _of_confidence,
    ),
    (
        "This is the mean distance of each message from its label. Take the means of a "
        "bin first, then their distance.",
        _by_message,
    ),
    (
        "A probability of exactly 1 belongs to the last bin; in yours it falls into "
        "none.",
        _without_ones,
    ),
    (
        "A probability of exactly 1 belongs to the last bin; in yours it has a bin of "
        "its own.",
        _ones_apart,
    ),
    ("This is per cent; give a share between 0 and 1.", _per_cent),
)


KEYS = ("inside", "rows", "predicted", "n", "accuracy")
FEWEST = 20  # messages inside, and outside


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
    if len(rows) and (predicted == labels).all():
        raise NotYet("predicted holds the true labels ; let a filter answer.")
    chosen = np.array([_is_inside(inside, text) for text in messages.text[rows]], bool)
    for place, count in (("inside", chosen.sum()), ("outside", (~chosen).sum())):
        if count < FEWEST:
            raise NotYet(f"{count} messages are {place}; {FEWEST} or more are needed.")
    if a_whole_number(n, "n") != chosen.sum():
        if int(n) == (~chosen).sum():
            raise NotYet("n counts the messages outside; give those inside.")
        raise NotYet(f"n is {n}, but the rule picks out {chosen.sum()} of the rows.")
    _check_accuracies(labels, predicted, chosen, accuracy)
    return "A slice with a rule, its size and both accuracies. Now test it on new ones."


def plain_bits(predicted):
    """Return 0 and 1 for booleans, and everything else as it came."""
    values = a_list(predicted, "predicted")
    return [int(v) if isinstance(v, bool) else v for v in values]


def _is_inside(inside, text):
    hint = "Return True or False."
    got = an_array(inside(text), None, "inside(text)", booleans=True, hint=hint)
    if got.size != 1 or got.item() not in (0, 1):
        raise NotYet("inside(text) must be one True or False.")
    return bool(got.item())


def _check_accuracies(labels, predicted, chosen, accuracy):
    right = predicted == labels
    truth = np.array([right[chosen].mean(), right[~chosen].mean()])
    both = a_dict(accuracy, ("inside", "outside"), "accuracy")
    got = [a_number(x, "An accuracy") for x in both]
    if is_right_to(got, truth, DIGITS):
        return
    of_spam = [
        f1_score(labels[part], predicted[part], zero_division=0)
        for part in (chosen, ~chosen)
    ]
    spam = [predicted[part].mean() for part in (chosen, ~chosen)]
    name_mistake(
        got,
        {
            "The accuracies inside and outside are exchanged.": truth[::-1],
            "These are the shares of mistakes; give those of right answers.": 1 - truth,
            "These are per cent; give shares between 0 and 1.": 100 * truth,
            "These are the F1 of spam; give the accuracy.": of_spam,
            "These are the shares of answers that are spam; give those of right "
            "answers.": spam,
            "Divide by the messages of each group, not by all of them.": [
                (right & chosen).mean(),
                (right & ~chosen).mean(),
            ],
            "The second is the accuracy over all rows; give that outside.": [
                truth[0],
                right.mean(),
            ],
        },
        digits=DIGITS,
    )
    right_to(got[0], truth[0], DIGITS, "The accuracy inside")
    right_to(got[1], truth[1], DIGITS, "The accuracy outside")
