"""What "Judging a classifier" draws: two folders, and curves."""

import numpy as np
import pandas as pd

from chapters.judging_a_classifier.mail import rates
from helpers.plotting import lines, show
from helpers.plotting.pictures import curve, draw, slide
from helpers.plotting.pictures.svg import drawing, letters, stroke_in

COLUMNS, STEP, LEFT, GAP, TOP = 7, 17, 14, 30, 50
SHOWN = [0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.97]
MAILS = {50: "the test, half spam", 13: "an inbox, 13 spam"}


def folders(title, called_spam, called_ham, words):
    """Return two heaps of marks: what was called spam and what stays in the inbox.

    called_spam, called_ham: (number of spam, number of ham) each. Spam is a full mark,
    ham a ring, so that a ring on the left is a message lost.

    >>> picture = folders("a test", (3, 1), (2, 4), "ten messages")
    >>> picture.count("<circle"), picture.count("fill:none")
    (10, 5)
    """
    parts = [letters(LEFT - 4, 16, title, 14, "start", bold=True)]
    across = COLUMNS * STEP + GAP
    for i, (name, (spam, ham)) in enumerate(
        (("called spam", called_spam), ("left in the inbox", called_ham))
    ):
        x = LEFT + i * across
        parts.append(letters(x - 4, TOP - 14, f"{name}: {spam + ham}", 12, "start"))
        for n in range(spam + ham):
            full = n < spam
            at = f'cx="{x + n % COLUMNS * STEP}" cy="{TOP + n // COLUMNS * STEP}"'
            look = stroke_in("key" if full else "query", full)
            parts.append(f'<circle {at} r="5.5" {look} stroke-width="2"/>')
    rows = -(-100 // COLUMNS)
    return drawing(parts, LEFT + 2 * across - GAP, TOP + rows * STEP, words)


def sorted_hundred(p, labels, spam, threshold):
    """Spam and ham called spam, spam and ham left, of a hundred messages."""
    found, lost = rates(p, labels, threshold)
    a, b = round(spam * found), round((100 - spam) * lost)
    return (a, b), (spam - a, 100 - spam - b)


def draw_folders(p, labels):
    """The same filter in a test and in an inbox, by threshold."""
    frames = []
    for step in SHOWN:
        drawn, said = "", []
        for spam, name in MAILS.items():
            called, left = sorted_hundred(p, labels, spam, step)
            said.append(f"{called[0]} of {sum(called)}")
            words = (
                f"{name}: of those called spam {said[-1]} are spam; {left[0]} stay in "
                "the inbox"
            )
            drawn += folders(name, called, left, words)
        sentence = (
            f"Threshold {step}. Of those called spam, {said[0]} are spam in the test, "
            f"{said[1]} in the inbox."
        )
        frames.append((sentence, drawn))
    slide("threshold:", frames, start=2)


def draw_precision(p, labels, precision):
    """Precision against recall in a test and in an inbox, a threshold at each point."""
    sweep = [rates(p, labels, t) for t in np.linspace(0, 1, 201)]
    sweep = [(a, b) for a, b in sweep if a > 0]
    drawn = {
        f"{spam:.0%} spam": (
            [a for a, _ in sweep],
            [precision(a, b, spam) for a, b in sweep],
        )
        for spam in (0.5, 0.13)
    }
    words = (
        "Precision against recall, a threshold at every point: the curve for an inbox "
        "with 13 % spam lies below the test's."
    )
    draw(
        curve(
            drawn | {"_zero": ([0], [0])},
            words,
            "stricter to the left",
            ("recall", "precision"),
            size=(520, 300),
        )
    )


def _bins(p, labels):
    place = np.minimum((10 * p).astype(int), 9)
    of = pd.DataFrame({"p": p, "spam": labels}).groupby(place).mean()
    return of.p, of.spam


def draw_reliability(plain, tempered, labels):
    show(
        lines(
            {
                "fine-tuned": _bins(plain, labels),
                "tempered": _bins(tempered, labels),
                "perfect": ([0, 1], [0, 1]),
            },
            "Reliability",
            "mean probability of spam in the bin",
            "share of spam in the bin",
        )
    )
