"""Checks of the chapter; the truth is recomputed with the running model."""

from functools import lru_cache, partial

import numpy as np

from helpers.datasets import coarse_wsd_senses, coarse_wsd_words, load_coarse_wsd
from helpers.embeddings import embed_words
from helpers.exercises import NotYet
from helpers.exercises.asking import (
    a_dict,
    a_list,
    a_number,
    a_text,
    a_whole_number,
    is_right_to,
    is_rounded_too_far,
    right_to,
)
from helpers.exercises.mistakes import Mistakes
from helpers.exercises.seeds import rng
from helpers.models import load_bert
from helpers.senses import majority, nearest_sense, score, sense_centroids, unit

LAST_K = (1, 2, 3, 4)
NEAR = 4e-4  # cosines that another batch or precision makes change places


DIGITS = 3  # to which shares are asked for
READY = ("sklearn.f1_score", "sklearn.precision_recall_fscore_support", "helpers.score")


def check_1(answer):
    """A function: labels -> (accuracy, macro-F1) of always answering the commonest."""
    cases = [(labels,) for labels in _labels()]
    hint = "Return two numbers: accuracy, macro_f1."
    TABLES[1].ask("majority_scores", answer, cases, hint=hint, forbid=READY)
    return "Two numbers, and the second shows what the first hides."


def _labels():
    """Labels of all kinds; in most of them the commonest is neither first nor last."""
    draw = rng(1)
    shares = draw.permutation([0.15, 0.5, 0.25, 0.1])
    drawn = draw.choice([2, 3, 5, 9], 60, p=shares)
    return [
        np.array([0, 0, 1]),
        np.array([2, 1, 2, 2, 0]),
        np.array([4, 7, 7, 9, 7, 4]),
        np.array([8] + [3] * 7 + [5] * 4 + [1]),
        drawn,
        np.array([6, 6, 6]),
        np.array([5]),
        np.array(["Sea", "sea"]),
        np.array(["sea", "bird", "bird", "steel", "bird", "steel"]),
    ]


def _scores(labels):
    found = score(labels, majority(labels, len(labels)))
    return found["accuracy"], found["macro_f1"]


def _from_counts(way):
    """way: share of the commonest, number of senses, number of labels -> two scores."""

    def scores(labels):
        counts = np.unique(labels, return_counts=True)[1]
        return way(counts.max() / counts.sum(), len(counts), len(labels))

    return scores


SCORE_MISTAKES = {
    "Your F1 is that of the commonest sense alone. Macro-F1 averages over all senses, "
    "and those never answered count as 0.": (
        _from_counts(lambda p, k, n: (p, 2 * p / (1 + p)))
    ),
    "Macro-F1 divides the sum of the F1 by the number of senses; yours divides by "
    "another number.": (
        _from_counts(lambda p, k, n: (p, p / (1 + p))),  # by 2
        _from_counts(lambda p, k, n: (p, 2 * p / (1 + p) / n)),
    ),
    "Your macro-F1 equals the accuracy: that is micro-F1. Take the F1 of each sense "
    "first, then their mean.": _from_counts(lambda p, k, n: (p, p)),
    "Your F1 is weighted by how common a sense is; macro-F1 counts all senses alike.": (
        _from_counts(lambda p, k, n: (p, p * 2 * p / (1 + p)))
    ),
    "Accuracy and macro-F1 are exchanged.": (
        _from_counts(lambda p, k, n: (2 * p / (1 + p) / k, p))
    ),
}


def check_2(answer):
    """A dict: word, and for the last k layers accuracy and lead, {k: number} each."""
    word, *by_k = a_dict(answer, ("word", *MEASURES))
    if a_text(word, "word") not in coarse_wsd_words():
        raise NotYet(f"{word!r} is not one of the 20 words.")
    got = []
    for what, numbers in zip(MEASURES, by_k, strict=True):
        values = a_dict(numbers, LAST_K, what, only=True)
        pairs = zip(LAST_K, values, strict=True)
        got += [a_number(value, f"{what}[{k}]") for k, value in pairs]
    TABLES[2].judge([((word,), got)], _wrong_measure)
    return "On one word a few test sentences decide which k comes out best."


def _are_right(got, truth, *given):
    """The accuracies, and the leads but for what another precision rounds."""
    n = len(LAST_K)
    return is_right_to(got[:n], truth[:n], DIGITS) and is_right_to(
        got[n:], truth[n:], LEAD_DIGITS, LEAD_SLACK
    )


def _wrong_measure(got, truth, word):
    n = len(LAST_K)
    rules = ("accuracy", slice(n), DIGITS, 0), ("lead", slice(n, None), *LEAD)
    for what, own, digits, slack in rules:
        wrong = [
            not is_right_to(a, b, digits, slack)
            for a, b in zip(got[own], truth[own], strict=True)
        ]
        if not any(wrong):
            continue
        k = LAST_K[wrong.index(True)]
        mine = got[own][k - 1]
        if is_rounded_too_far(got[own], truth[own], digits):
            right_to(mine, truth[own][k - 1], digits, f"{what}[{k}]", slack=slack)
        rule = "nearest_sense" if what == "accuracy" else OF_A_LEAD
        return (
            f"The {what} for k = {k}, {mine:.4f}, is not the one that this model "
            f"gives: {rule}, with the mean of the last {k} of its hidden states, on "
            f"{len(load_coarse_wsd(word, 'test'))} test sentences."
        )


MEASURES = ("accuracy", "lead")
LEAD = LEAD_DIGITS, LEAD_SLACK = 4, 5e-5
OF_A_LEAD = "the cosine with the right sense's centroid less the highest with another's"
MEASURE_MISTAKES = {
    "These average layers from the front; the last k count from the end, [-k:].": (
        "first k",
        "layers 1 to k",
    ),
    "Your slice is one layer off: the last k are [-k:].": ("all but last", "one more"),
    "These are the accuracies of one layer alone; average the last k.": (
        "layer -k",
        "last layer",
    ),
    "Centroids come from the training sentences, accuracy and lead from those of the "
    "test, which the centroids must not have seen.": (
        "test centroids",
        "training sentences",
    ),
    "This is the lead of the sense that is answered; take that of the right one, which "
    "is below 0 where the answer is wrong.": ("of the answer",),
}
MIXES = {
    "first k": lambda part, k: part[:, :k].mean(1),
    "layers 1 to k": lambda part, k: part[:, 1 : k + 1].mean(1),
    "all but last": lambda part, k: part[:, -k - 1 : -1].mean(1),
    "one more": lambda part, k: part[:, -k - 1 :].mean(1),
    "layer -k": lambda part, k: part[:, -min(k, part.shape[1])],
    "last layer": lambda part, k: part[:, -1],
}


@lru_cache(maxsize=50)
def _measured(word, how="right"):
    """Four accuracies, then four leads; how: by which mistake."""
    train, test = (load_coarse_wsd(word, split) for split in ("train", "test"))
    learn, evaluate = (_all_layers(word, part) for part in ("train", "test"))
    labels, truth = train.label.to_numpy(), test.label.to_numpy()
    if how == "test centroids":
        learn, labels = evaluate, truth
    if how == "training sentences":
        evaluate, truth = learn, labels
    mix = MIXES.get(how, lambda part, k: part[:, -k:].mean(1))
    shares, leads = [], []
    for k in LAST_K:
        names, centroids = sense_centroids(mix(learn, k), labels)
        closeness = unit(mix(evaluate, k)) @ unit(centroids).T
        shares.append(np.mean(names[closeness.argmax(axis=1)] == truth))
        leads.append(_lead(closeness, truth[:, None] == names, how))
    return shares + leads


def _lead(closeness, right, how):
    if how == "of the answer":
        first, second = -np.sort(-closeness, axis=1)[:, :2].T
        return float((first - second).mean())
    own = np.where(right, closeness, -np.inf).max(axis=1)
    others = np.where(right, -np.inf, closeness).max(axis=1)
    return float((own - others).mean())


@lru_cache(maxsize=8)
def _all_layers(word, part):
    frame = load_coarse_wsd(word, part)
    return embed_words(load_bert(), frame.sentence, frame.word_pos, "all")


def check_3(answer):
    """A dict: word, sentence (str) of one's own, the sense meant, nearest rows."""
    keys = ("word", "sentence", "sense", "nearest")
    word, sentence, sense, given = a_dict(answer, keys)
    if a_text(word, "word") not in coarse_wsd_words():
        raise NotYet(f"{word!r} is not one of the 20 words.")
    if a_text(sense, "sense") not in coarse_wsd_senses(word).values():
        raise NotYet(
            f"{sense!r} is no sense of {word}: see coarse_wsd_senses({word!r})."
        )
    words = a_text(sentence, "sentence").lower().split()
    if words.count(word) != 1 or len(words) < 5:
        raise NotYet(
            f"The sentence needs five words or more and the word {word} exactly once, "
            "with spaces around it."
        )
    train, test = load_coarse_wsd(word), load_coarse_wsd(word, "test")
    if words in [*train.sentence, *test.sentence]:
        raise NotYet("This is a sentence of the data set; write one of your own.")
    rows, own = _vectors(train, words, word)
    predicted = coarse_wsd_senses(word)[int(nearest_sense(rows, train.label, own)[0])]
    if predicted == sense:
        raise NotYet(f"The model is right: it answers {predicted}. Lead it astray.")
    chosen = np.zeros(len(train))
    chosen[_row_numbers(given, len(train))] = 1
    TABLES[3].judge([((word, rows, own, sense), chosen)], _further_off)
    return (
        f"It answers {predicted}. Now read those three sentences: what do they share?"
    )


def _vectors(train, words, word):
    """The last layer of the training words, and of one's own."""
    bert = load_bert()
    own = embed_words(bert, [words], [words.index(word)], layers=(-1,))
    return embed_words(bert, train.sentence, train.word_pos, layers=(-1,)), own


def _by_cosine(rows, own):
    """Row numbers, the nearest first."""
    return np.argsort(-(unit(rows) @ unit(own)[0]))


def _row_numbers(given, n):
    given = sorted(given, key=str) if isinstance(given, set) else given
    hint = "Give the row numbers of three training sentences."
    if getattr(given, "size", 0) == 3:
        given = np.ravel(given)
    given = a_list(given, "nearest", 3, hint=hint)
    given = [a_whole_number(row, "A row in nearest", 0, n - 1) for row in given]
    if len(set(given)) < 3:
        raise NotYet("nearest names a row twice; three different rows are wanted.")
    return sorted(given)


def _near_rows(got, wanted, word, rows, own, sense):
    """Whether the rows that are 1 are equally near, but for what rounding changes."""
    cosines = unit(rows) @ unit(own)[0]
    ours, theirs = (np.sort(cosines[chosen > 0]) for chosen in (got, wanted))
    return len(ours) == len(theirs) and np.allclose(ours, theirs, rtol=0, atol=NEAR)


def _further_off(got, wanted, word, rows, own, sense):
    order = _by_cosine(rows, own)
    ranks = np.flatnonzero(got[order]) + 1
    return (
        "The model is wrong, as you wanted, but nearest does not hold the three "
        "training rows with the highest cosine (last layer): sorted by it, yours stand "
        f"at places {', '.join(map(str, ranks))}, counted from 1."
    )


def _three(choose):
    """1 for the first three rows of choose(the nearest first, *what is given)."""

    def rows_of(word, rows, own, sense):
        order = _by_cosine(rows, own)
        chosen = np.zeros(len(rows))
        chosen[choose(order, word, rows, own, sense)[:3]] = 1
        return chosen

    return rows_of


def _of_sense(order, word, rows, own, sense):
    return order[(load_coarse_wsd(word).sense == sense).to_numpy()[order]]


NEAREST_MISTAKES = {
    "nearest holds the rows with the lowest cosine; take the highest.": (
        _three(lambda order, *given: order[::-1])
    ),
    "nearest holds the rows with the smallest distance or the largest product; take "
    "the highest cosine.": (
        _three(
            lambda order, word, rows, own, sense: np.argsort(
                np.linalg.norm(rows - own, axis=1)
            )
        ),
        _three(lambda order, word, rows, own, sense: np.argsort(-(rows @ own[0]))),
    ),
    "The rows are one too large: row numbers begin at 0.": (
        _three(lambda order, *given: (order[:3] + 1) % len(order))
    ),
    "nearest leaves out the very nearest; your sentence is not among the rows.": (
        _three(lambda order, *given: order[1:])
    ),
    "nearest holds rows of the sense that you mean; take them from all.": (
        _three(_of_sense)
    ),
}


TABLES = {
    1: Mistakes(_scores, SCORE_MISTAKES, "Each score", DIGITS),
    2: Mistakes(
        _measured,
        {
            said: tuple(partial(_measured, how=how) for how in hows)
            for said, hows in MEASURE_MISTAKES.items()
        },
        "Each number",
        LEAD_DIGITS,
        _are_right,
    ),
    3: Mistakes(
        _three(lambda order, *given: order), NEAREST_MISTAKES, "Each row", 0, _near_rows
    ),
}
