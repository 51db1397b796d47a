"""Checks of the chapter, question answering: a span, two scores, a threshold."""

import operator
import re
import string
from collections import Counter
from functools import partial

import numpy as np

from helpers.exercises.asking import an_array
from helpers.exercises.mistakes import Mistakes
from helpers.exercises.seeds import rng

DIGITS = 3  # to which shares are asked for


def check_1(answer):
    """A function: start scores, end scores, longest -> first and last piece."""
    TABLES[1].ask("best_span", answer, _rows(rng(1)), hint="Return two places.")
    return "Of all pairs that are spans, the one with the highest sum."


def _rows(draw):
    """Start and end scores: the hint's, and rows in which each rule counts."""
    yield np.array([2.0, 0, 1]), np.array([0.0, 1, 3]), 3
    yield np.array([0.0, 1, 3]), np.array([3.0, 1, 2]), 3
    yield np.array([3.0, 0, 1, 0]), np.array([0.0, 0, 1.5, 3]), 2
    yield np.array([-3.0, -1, -2]), np.array([-1.0, -5, -2]), 3
    yield np.array([0.5, 0.25]), np.array([-1.0, 1.0]), 5
    yield np.array([2.0, -9, 0, 2.03]), np.array([1.0, -9, -9, 1.01]), 3  # nearly equal
    start, end = np.repeat([1.0, 4, 5], [8, 4, 8]), np.repeat([5.0, 4, 1], [8, 4, 8])
    yield start + 0.01 * np.arange(20), end, 4  # the best of each make no span
    for n, longest in [(8, 3), (12, 4), (20, 5), (9, 1), (15, 15), (30, 6)]:
        start, end = draw.normal(0, 2, (2, n)).round(3)
        yield start, end, longest
    for n in (10, 14, 18):  # the two best are a span, but one piece too long
        start, end = draw.normal(0, 0.5, (2, n)).round(3)
        longest, at = 4, int(draw.integers(0, n - 5))
        start[at] += 6
        end[at + longest] += 6
        yield start, end, longest
    for longest in (7, 12):  # the two best are as far apart as may be
        start, end = draw.normal(0, 0.5, (2, 20)).round(3)
        at = int(draw.integers(0, 20 - longest))
        start[at] += 6
        end[at + longest - 1] += 6
        yield start, end, longest


def _best(start, end, allowed, join=operator.add):
    """The pair with the highest sum of those that are allowed(first, last)."""
    pairs = [
        (join(start[i], end[j]), -i, -j)
        for i in range(len(start))
        for j in range(len(end))
        if allowed(i, j)
    ]
    _, i, j = max(pairs)
    return -i, -j


def _span(start, end, longest):
    return _best(start, end, lambda i, j: i <= j < i + longest)


def _from_start(start, end, longest):
    first = int(np.argmax(start))
    return first, first + int(np.argmax(end[first : first + longest]))


def _from_end(start, end, longest):
    last = int(np.argmax(end))
    low = max(0, last - longest + 1)
    return low + int(np.argmax(start[low : last + 1])), last


SPAN_MISTAKES = {
    "The best start and the best end are taken each by itself; take the best pair of "
    "those that are spans.": (
        lambda start, end, longest: (np.argmax(start), np.argmax(end))
    ),
    "You take the best start, then the best end for it; a lower start may belong to "
    "the best pair.": _from_start,
    "You take the best end, then the best start for it; a lower end may belong to the "
    "best pair.": _from_end,
    "In yours a span may end before it begins.": (
        lambda start, end, longest: _best(
            start, end, lambda i, j: abs(j - i) < longest
        ),
        lambda start, end, longest: _best(start, end, lambda i, j: j < i + longest),
    ),
    "In yours spans may be of any length; longest is the most pieces.": (
        lambda start, end, longest: _best(start, end, lambda i, j: i <= j)
    ),
    "In yours the most pieces of a span are one more or one less than longest: from i "
    "to j there are j - i + 1.": (
        lambda start, end, longest: _best(
            start, end, lambda i, j: i <= j <= i + longest
        ),
        lambda start, end, longest: _best(
            start, end, lambda i, j: i <= j < i + max(1, longest - 1)
        ),
    ),
    "Give the place of the last piece, not the one after it.": (
        lambda *given: (_span(*given)[0], _span(*given)[1] + 1)
    ),
    "The scores are multiplied; add them: they are logarithms, up to a constant.": (
        lambda start, end, longest: _best(
            start, end, lambda i, j: i <= j < i + longest, operator.mul
        )
    ),
}


CASES = [  # answer, answers that count
    ("The red fox", ["red fox"]),
    ("at the mill", ["the mill", "mill"]),
    ("a goat", ["a goat"]),
    ("two hours, at most", ["two hours"]),
    ("Ned Tully", ["a retired postman", "Ned Tully, a retired postman"]),
    ("fifty days", ["nine days"]),
    ("a cart of fireworks of paper", ["a cart of fireworks", "fireworks"]),
    ("gulls' eggs", ["potatoes and gulls eggs"]),
    ("PLUMS", ["plums.", "a tart of plums"]),
    ("the theatre an hour", ["theatre hour"]),
    ("of of coal", ["of coal"]),
    ("horse", ["shore"]),
    ("Joan's mill", ["joans mill"]),
    ("old mill", ["mill old"]),
    ("of of coal", ["of of coal mines"]),
    ("bell of the ferry", ["a ferry of bell"]),
    ("goat, goat", ["goat goat red"]),
    ("nine teen", ["nineteen"]),
    ("5,574", ["5574 messages"]),
    ("naïve", ["nave"]),
    ("a goat of paper", ["goat of coal", "a goat of coal", "goat of coal"]),
    ("Ana Finch", ["Finch"]),
    ('"The mill"', ["mill"]),
]
SILENT = [("", []), ("the", []), ("three", []), ("", ["coal"]), ("the", ["coal"])]


def check_2(answer):
    """A function: an answer, those that count -> exact match and F1."""
    forbid = ("chapters.answer_scores",)
    cases = [*CASES, *_drawn(rng(2))]
    TABLES[2].ask("answer_points", answer, cases, SILENT, forbid=forbid, read=_two)
    return "As SQuAD's script counts: the best of all answers that count."


def _two(result, *case):
    hint = "Return two numbers: exact, f1."
    if isinstance(result, list | tuple):  # beside text True would be text
        result = [int(x) if isinstance(x, bool | np.bool_) else x for x in result]
    return an_array(result, (2,), "The answer", finite=False, booleans=True, hint=hint)


def _drawn(draw):
    """Answers that share some words with two that count."""
    words = np.array("red old mill ferry goat onion bell in on of".split())
    for _ in range(6):
        lists = [draw.choice(words, draw.integers(2, 6)).tolist() for _ in range(3)]
        yield " ".join(lists[0]), [" ".join(one) for one in lists[1:]]


def _words(text, articles=True, marks=True, case=True, space=""):
    text = text.lower() if case else text
    if marks:
        text = "".join(space if s in string.punctuation else s for s in text)
    if articles:
        text = re.sub(r"\b(a|an|the)\b", " ", text)
    return text.split()


def _cut_inside(text):
    for article in ("the", "an", "a"):
        text = text.lower().replace(article, "")
    return _words(text, articles=False)


def _articles_first(text):
    kept = [word for word in text.lower().split() if word not in ("a", "an", "the")]
    return _words(" ".join(kept), articles=False)


def _marks_at_ends(text):
    ends = " ".join(word.strip(string.punctuation) for word in text.split())
    return _words(ends, marks=False)


def _f1(ours, theirs):
    common = sum((Counter(ours) & Counter(theirs)).values())
    return 2 * common / (len(ours) + len(theirs)) if common else 0.0


def _scored(said, golds, cut=_words, overlap=_f1, best=max):
    """Exact match and F1; what is changed makes a mistake of it."""
    if not golds:
        return float(not cut(said)), float(not cut(said))
    exact = best([float(cut(said) == cut(gold)) for gold in golds])
    return exact, best([overlap(cut(said), cut(gold)) for gold in golds])


def _with(**changed):
    return partial(_scored, **changed)


def _mean(numbers):
    return sum(numbers) / len(numbers)


def _share(of):
    """The common words by the length of one of the two."""

    def overlap(ours, theirs):
        common = sum((Counter(ours) & Counter(theirs)).values())
        return common / (len((ours, theirs)[of]) or 1)

    return overlap


def _of_sets(ours, theirs):
    common = len(set(ours) & set(theirs))
    return 2 * common / (len(set(ours)) + len(set(theirs)) or 1)


def _common_once(ours, theirs):
    return 2 * len(set(ours) & set(theirs)) / (len(ours) + len(theirs) or 1)


def _silence_is_zero(said, golds):
    return _scored(said, golds) if golds else (0.0, 0.0)


SCORE_MISTAKES = {
    "Articles are kept; drop a, an and the.": _with(
        cut=partial(_words, articles=False)
    ),
    "Punctuation is kept, or becomes a space; drop it, so that Joan's is joans.": (
        _with(cut=partial(_words, marks=False)),
        _with(cut=partial(_words, space=" ")),
        _with(cut=_marks_at_ends),
    ),
    "Capitals count in yours; make all letters small.": (
        _with(cut=partial(_words, case=False))
    ),
    "Articles are cut out of longer words in yours, such as Ana; drop whole words.": (
        _with(cut=_cut_inside)
    ),
    "Articles are dropped before the punctuation in yours; the marks come first.": (
        _with(cut=_articles_first)
    ),
    "Not all answers count in yours, or their mean does; take the best of all.": (
        lambda said, golds: _scored(said, golds[:1]),
        _with(best=_mean),
        _with(best=min),
    ),
    "F1 is the precision or the recall in yours; divide twice the common words by the "
    "words of both.": (
        _with(overlap=_share(0)),
        _with(overlap=_share(1)),
    ),
    "Words are counted once each in yours; a word twice in both is two common words.": (
        _with(overlap=_of_sets),
        _with(overlap=_common_once),
    ),
    "exact and f1 are exchanged.": lambda said, golds: _scored(said, golds)[::-1],
    "Where no answer counts silence is right; in yours it is wrong.": _silence_is_zero,
}


def check_3(answer):
    """A function: leads, right, half to choose on -> threshold, share right."""
    hint, forbid = "Return two numbers.", ("chapters.best_threshold",)
    TABLES[3].ask("chosen_threshold", answer, _tables(rng(3)), hint=hint, forbid=forbid)
    return "Chosen on one half, told of the other."


def _tables(draw):
    """Leads, whether the span is right, whether an answer is there, the half."""
    yield (
        np.array([3.0, 1, 2, -1, 4, 0]),
        np.array([True, True, False, False, True, False]),
        np.array([True, True, False, False, True, False]),
        np.array([True, True, True, True, False, False]),
    )
    for n, shift in [(20, 1.0), (40, 2.0), (61, 0.5), (80, 1.5)]:
        there = draw.random(n) < 0.5
        lead = (draw.normal(0, 2, n) + shift * there + 1.3).round(3)
        right = there & (draw.random(n) < 0.6)
        half = np.arange(n) < n // 2
        draw.shuffle(half)
        yield lead, right, there, half
    half = np.arange(60) % 2 == 0
    few = draw.random(60) < 0.15  # and leads that come again in the other half
    yield (draw.normal(0, 1, 60) + 2 * few).round(1), few, few, half
    for there in (half, ~half):  # all leads of a half are right, or none of them is
        lead = np.where(half, 3 + draw.random(60), 6 * draw.random(60)).round(3)
        yield lead, there, there, half


def _dealt_with(lead, right, there, threshold):
    """Whether each is dealt with: answered rightly, or declined where none is."""
    return np.where(lead > threshold, right, ~there)


def _chosen(lead, right, there, half, judge=_dealt_with, order=1):
    tried = np.sort(lead[half])[::order]
    shares = [judge(*(a[half] for a in (lead, right, there)), t).mean() for t in tried]
    return tried[int(np.argmax(shares))]


def _reported(
    lead, right, there, half, judge=_dealt_with, choose=None, tell=None, order=1
):
    choose, tell = half if choose is None else choose, ~half if tell is None else tell
    threshold = _chosen(lead, right, there, choose, judge, order)
    return threshold, judge(*(a[tell] for a in (lead, right, there)), threshold).mean()


def _judged_by(judge):
    return lambda *given: _reported(*given, judge=judge)


def _of_answered(lead, right, there, half):
    threshold = _chosen(lead, right, there, half)
    answered = (lead > threshold) & ~half
    return threshold, right[answered].mean() if answered.any() else 0.0


THRESHOLD_MISTAKES = {
    "The share is that of the half on which the threshold was chosen, or of all; tell "
    "that of the other half.": (
        lambda *given: _reported(*given, tell=given[3]),
        lambda *given: _reported(*given, tell=np.ones(len(given[3]), bool)),
    ),
    "The threshold is chosen on all questions; the half that is told of may have no "
    "say.": lambda *given: _reported(*given, choose=np.ones(len(given[3]), bool)),
    "The halves are exchanged: choose where half is True.": (
        lambda *given: _reported(*given, choose=~given[3], tell=given[3])
    ),
    "In yours a declined question is always wrong; where no answer is there silence "
    "is right.": _judged_by(lambda lead, right, there, t: (lead > t) & right),
    "In yours any answer is right where one is there; the span must be right, too.": (
        _judged_by(lambda lead, right, there, t: (lead > t) == there)
    ),
    "At the threshold itself yours answers; answer above it.": (
        _judged_by(lambda lead, right, there, t: np.where(lead >= t, right, ~there))
    ),
    "Of thresholds that do equally well take the lowest; yours is the highest.": (
        lambda *given: _reported(*given, order=-1)
    ),
    "The share is that of the answered questions only; count the declined, too.": (
        _of_answered
    ),
}


TABLES = {
    1: Mistakes(_span, SPAN_MISTAKES, "The span"),
    2: Mistakes(_scored, SCORE_MISTAKES, "Each score", DIGITS),
    3: Mistakes(_reported, THRESHOLD_MISTAKES, "Each number", DIGITS),
}
