"""Arrows from the first to the second word of pairs, in a plane."""

import math

from helpers.plotting.pictures.arrow import arrow
from helpers.plotting.pictures.svg import FACES, FONT, HALO, drawing, letters, stroke_in


def pair_arrows(points, pairs, words, title="", unit=200):
    """Return an arrow from the first to the second word of each pair, in a plane.

    points: {word: (x, y)}. pairs: (word, word). unit: pixels for 1, the same in all
    pictures that are to be compared. Each arrow has its words at its ends.

    >>> points = {"cow": (0, 0), "calf": (1, 0)}
    >>> pair_arrows(points, [("cow", "calf")], "an arrow").count("<path")
    2
    """
    lines, labels, taken = [], [], []
    for index, pair in enumerate(pairs):
        start, end = ((unit * float(x), -unit * float(y)) for x, y in
                      (points[name] for name in pair))  # fmt: skip
        lines.append(arrow(start, end, stroke_in(FACES[index % len(FACES)])))
        labels.append(_label(pair[0], start, end, taken))
        labels.append(_label(pair[1], end, start, taken))
    left, top = (min(box[i] for box in taken) for i in (0, 2))
    right, bottom = (max(box[i] for box in taken) for i in (1, 2))
    width = max(right - left, 0.58 * FONT * len(title)) + 8
    moved = f'<g transform="translate({4 - left:.1f} {44 - top:.1f})">'
    parts = [letters(width / 2, 15, title, FONT, bold=True), moved, *lines, HALO]
    return drawing([*parts, *labels, "</g></g>"], width, bottom - top + 52, words)


def _label(name, at, other, taken):
    """A word at the end of an arrow, away from its other end and from what is taken."""
    length = math.dist(at, other) or 1
    u, v = ((a - b) / length for a, b in zip(at, other, strict=True))
    anchor = "middle" if abs(u) < 0.4 else "start" if u > 0 else "end"
    x, y, wide = at[0] + 8 * u, at[1] + 4 + 12 * v, 7 * len(name)
    left = x - {"start": 0, "middle": wide / 2, "end": wide}[anchor]

    def free(y):
        beside = (box for box in taken if left < box[1] and box[0] < left + wide)
        return all(abs(y - box[2]) >= 13 for box in beside)

    moves = (0, -7, 7, -14, 14, -21, 21, -28, 28)
    y = next((y + move for move in moves if free(y + move)), y)
    taken.append((left, left + wide, y))
    return letters(x, y, name, 13, anchor)
