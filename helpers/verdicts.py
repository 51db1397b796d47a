"""Which of two results is ahead, and whether a sentence holds in this run."""

import math
import re
import time
from dataclasses import dataclass

import numpy as np
import torch
from scipy.stats import binomtest, t, wilcoxon

from helpers import CLAIM, glue
from helpers._support.this_run import what_differs
from helpers._support.valid_numbers import finite_numbers

AHEAD, BEHIND, LEVEL = "ahead", "behind", "not told apart"
FEW = range(6, 26)  # differences, for which one odd value can decide a mean
DRAWS = 4000
NAME = re.compile("[a-z0-9]+(-[a-z0-9]+)*")
ABOUT = ("model", "mathematics", "data", "results")


def claim(name, holds, found="", about="model"):
    """Hold the sentence of the page that bears this name to the run; shows nothing.

    A person wrote it, `[BERT reads both ways]{.claim-both-ways}`; where it does not
    hold, the page and its notebook mark it. name: small letters, digits and hyphens.
    holds: a bool, or a tensor or array of one. found: what was found instead, plain
    text for whoever runs another model. about: "model", what the trained model has
    learned, which a random one of the same size must fail; "mathematics", true of any
    network; "data", the texts and the set-up; "results", what `data/results` keeps.
    Raises ValueError for a name that is none, for another `about`, and for what is
    neither true nor false, such as nan or a function, which Python takes for true.

    >>> claim("both-ways", True)
    >>> claim("twelve-layers", 6 == 12, "It has 6.")
    """
    if not NAME.fullmatch(str(name)):
        raise ValueError(
            f"{name!r} is no name of a claim: give small letters, digits and hyphens"
        )
    if about not in ABOUT:
        raise ValueError(f"about {about!r} is none of {', '.join(ABOUT)}")
    if hasattr(holds, "item") and math.prod(holds.shape) == 1:
        holds = holds.item()
    if not isinstance(holds, bool):
        raise ValueError(f"a claim is true or false, and no {type(holds).__name__}")
    why = "" if holds else what_differs()
    record = {"about": about, "holds": holds, "found": str(found), "why": why}
    glue(f"{CLAIM}{name}", record)


@dataclass(frozen=True)
class Verdict:
    """A difference of means, the interval around it, and the word that follows.

    >>> Verdict(0.2, 0.1, 0.3, "ahead", n=40).interval()
    '+0.10 to +0.30'
    """

    difference: float
    low: float
    high: float
    word: str
    n: int  # pairs

    def interval(self, form="+.2f"):
        """Return the interval as text, each end in the format `form`.

        >>> compare([3, 4, 5, 4], 1).interval()
        '+1.70 to +4.30'
        """
        return f"{self.low:{form}} to {self.high:{form}}"


def compare(ours, theirs, groups=None, level=0.95, family=1):
    """Say whether ours are higher than theirs, from results that belong together.

    ours, theirs: n numbers each, the same item or the same seed at the same place;
    theirs may be one number, such as chance. groups: what was drawn, n labels; the
    differences of a group, for example the sentences of one word, count as one, their
    mean. Where an item was made of several draws, as a question of two pairs, its
    label is a tuple of them; each is then drawn anew in all its places. family: how
    many comparisons a page makes together; each is judged at Bonferroni's level.

    The interval is Student's for the mean of the differences, at the share `level`; for
    tuples the standard error is that of 4,000 seeded draws with return. The word is
    "ahead" or "behind" where it excludes 0, else "not told apart". Where the
    differences are only hits and misses, the exact sign test, which is McNemar's, must
    agree: three hits more out of three prove nothing. Of 6 to 25 others Wilcoxon's
    signed ranks must, at the level of one comparison, since one odd value can decide a
    mean. Raises ValueError for fewer than two pairs (or groups), unequal lengths, nan,
    infinity, a label that is nan and a level that is no share.

    >>> verdict = compare([0.81, 0.79, 0.84, 0.80], [0.72, 0.75, 0.74, 0.71])
    >>> verdict.word, round(verdict.difference, 2)
    ('ahead', 0.08)
    >>> compare([1, 0, 1, 1], [1, 1, 0, 1]).word
    'not told apart'
    """
    if not (0 < level < 1 and family >= 1):
        raise ValueError(f"level {level} for {family}; give a share, and 1 or more")
    alone, level = level, 1 - (1 - level) / family
    labels = None if groups is None else _labels(groups)
    differences = once = _differences(ours, theirs, labels)  # a group counts once
    if labels and isinstance(labels[0], tuple):
        differences = _differences(ours, theirs, None)
        error, n = _drawn_error(differences, labels)
    else:
        n = len(differences)
        error = differences.std(ddof=1) / np.sqrt(n)
    mean, reach = differences.mean(), t.ppf((1 + level) / 2, n - 1) * error
    low, high = mean - reach, mean + reach
    word = AHEAD if low > 0 else BEHIND if high < 0 else LEVEL
    if _signs(once) > 1 - level or _ranks(once) > 1 - alone:
        word = LEVEL
    return Verdict(float(mean), float(low), float(high), word, n)


def _labels(groups):
    """Return the labels as a list of names or tuples; ValueError where one is nan.

    Tensors and arrays become numbers, for each tensor of a row is a name of its own.
    """
    labels = groups.tolist() if hasattr(groups, "tolist") else list(groups)
    rows = [label if isinstance(label, tuple) else (label,) for label in labels]
    if any(name != name for row in rows for name in row):
        raise ValueError("groups: a label is nan; give each pair its group")
    return labels


def _drawn_error(differences, labels):
    """Standard error of the mean where each label is drawn anew, in all its places."""
    names = {name: i for i, name in enumerate(dict.fromkeys(sum(labels, ())))}
    places = np.array([[names[name] for name in label] for label in labels])
    times = np.random.default_rng(0).multinomial(
        len(names), np.full(len(names), 1 / len(names)), size=DRAWS
    )
    weights = times[:, places].prod(axis=2)  # (draws, n)
    weights = weights[weights.sum(axis=1) > 0]
    means = weights @ differences / weights.sum(axis=1)
    return means.std(), len(names)


def _differences(ours, theirs, groups):
    ours = np.array(finite_numbers(ours, "ours"))
    if np.ndim(theirs) == 0:
        theirs = [theirs] * len(ours)
    theirs = np.array(finite_numbers(theirs, "theirs"))
    if len(ours) != len(theirs):
        raise ValueError(
            f"{len(ours)} results cannot be paired with {len(theirs)}; give the same "
            "items in the same order"
        )
    differences = ours - theirs
    if groups is not None:
        differences = _means_of_groups(differences, list(groups))
    if len(differences) < 2:
        raise ValueError("one pair has no interval; give two pairs or more")
    return differences


def _means_of_groups(differences, labels):
    if len(labels) != len(differences):
        pairs = f"{len(labels)} groups for {len(differences)} pairs"
        raise ValueError(f"{pairs}; give each pair its group")
    number = {label: i for i, label in enumerate(dict.fromkeys(labels))}
    places = [number[label] for label in labels]
    return np.bincount(places, weights=differences) / np.bincount(places)


def _signs(differences):
    """Return p of the sign test for hits and misses; 0 for other differences."""
    moved = differences[differences != 0]
    if not len(moved):
        return 1.0
    if len(set(np.abs(moved))) > 1:
        return 0.0
    return binomtest(int((moved > 0).sum()), len(moved)).pvalue


def _ranks(differences):
    """Return p of Wilcoxon's signed ranks for few differences; 0 for others."""
    few = len(differences) in FEW and len(set(np.abs(differences))) > 2
    return wilcoxon(differences).pvalue if few else 0.0


def in_turn(ways, rounds=7):
    """Call every way once a round; return {name: seconds of each round}, to compare.

    ways: {name: function without arguments}. Taking turns spreads a busy second over
    all of them. A round to warm up is not counted, and the clock waits for a GPU.

    >>> seconds = in_turn({"sum": lambda: sum(range(9)), "none": lambda: None}, 3)
    >>> [len(taken) for taken in seconds.values()]
    [3, 3]
    """
    seconds = {name: [] for name in ways}
    for turn in range(rounds + 1):
        for name, way in ways.items():
            start = time.perf_counter()
            way()
            if torch.cuda.is_available():
                torch.cuda.synchronize()
            if turn:
                seconds[name].append(time.perf_counter() - start)
    return seconds
