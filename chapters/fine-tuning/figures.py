"""What "Fine-tuning" draws and tabulates; what it teaches stands in the page."""

import numpy as np
import pandas as pd

from chapters.fine_tuning.answers import (
    ALL,
    METHODS,
    RANDOM,
    hits,
    share,
)
from helpers.plotting import lines, show
from helpers.plotting.pictures import Matrix, draw, matrices, slide
from helpers.plotting.pictures.dots import dots
from helpers.verdicts import compare

TICKS = [0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]
LOOKS = 80  # steps between two looks at the model that learns


def shares_of_twins(twins):
    """{method: its shares of right answers in three folds}, both controls included."""
    return {m: share(twins, m) for m in [*METHODS, *RANDOM]}


def draw_twins(twins):
    """A line a filter: a disc a fold, a ring for the same with random weights."""
    of = shares_of_twins(twins)
    rows = {m: (of[m], of.get(f"random {m}", [])) for m in METHODS}
    said = "; ".join(f"{m} {np.mean(marks):.2f}" for m, marks in of.items())
    words = f"Share of right answers on messages that come as twins: {said}."
    series = ("a fold of the messages", "the same network, random weights")
    draw(dots(rows, words, TICKS, series, (0.5, "a coin")))


def draw_training(seen, judge):
    """A frame a look: the probability of spam of six messages."""
    six = judge.sort_values("twin")[:6]
    places = [judge.index.get_loc(row) for row in six.index]
    names = tuple(
        f"{kind}: {text[:38]}…" for kind, text in zip(six.kind, six.text, strict=True)
    )
    frames = []
    for turn, p in enumerate(seen):
        step, right = LOOKS * turn, ((p > 0.5) == judge.label).sum()
        said = (
            f"After {step} steps {right} of {len(judge)} new messages are answered "
            "rightly."
        )
        title = f"probability of spam, step {step}"
        matrix = Matrix(title, p[places, None], names, hue="value", cell=44, high=1)
        frames.append((said, matrices(matrix, words=said)))
    slide("steps of training:", frames, start=len(frames) - 1)


def table_of_twins(twins):
    """Shares of right answers by fold, and how far all of BERT leads, twin by twin."""
    rows = {}
    for method, marks in shares_of_twins(twins).items():
        rows[method] = {f"fold {n + 1}": f"{got:.2f}" for n, got in enumerate(marks)}
        rows[method]["mean"] = f"{np.mean(marks):.2f}"
        ahead = "–" if method == ALL else lead(twins, method).interval("+.3f")
        rows[method]["all of BERT leads by"] = ahead
    return pd.DataFrame(rows).T


def lead(twins, method):
    """How far all of BERT is ahead: an interval wide enough for eight comparisons."""
    return compare(hits(twins, ALL), hits(twins, method), twins.family, family=8)


def draw_labels(curve):
    """curve: a row a number of labels, a column a filter."""
    series = {}
    for name in curve:
        known = curve[name].dropna()
        series[name] = (known.index, known)
    title = "Right answers by number of labels"
    axes = ("labelled messages", "share right, mean of the draws")
    show(lines(series, title, *axes, [("a coin", 0.5)]))


def draw_old(free, alike):
    """Discs: all old messages. Rings: those of like length."""
    rows = {m: (share(free, m), share(alike, m)) for m in [*METHODS, *RANDOM]}
    said = "; ".join(
        f"{m} {np.mean(a):.2f}, {np.mean(b):.2f}" for m, (a, b) in rows.items()
    )
    words = (
        "Share of right answers on messages as they came to mind, and on those among "
        f"them whose length does not tell: {said}"
    )
    series = ("as they came to mind", "of like length")
    draw(dots(rows, words, TICKS, series, (0.5, "a coin")))


def draw_mistakes(official):
    """A line a filter that reads something: its mistakes in 5,170 messages."""
    wrong = official.mistakes
    rows = {m: ([wrong[m]], []) for m in METHODS[1:] if m in wrong}
    said = "; ".join(f"{m} {wrong[m]:.0f}" for m in rows)
    words = f"Mistakes in 5,170 official messages: {said}"
    series = ("mistakes in 5,170, few is good", "")
    draw(dots(rows, words, [0, 20, 40, 60, 80, 100, 120], series, form=".0f"))
