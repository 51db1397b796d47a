"""Arrows in a plane: vectors from zero, and from the first to the second word."""

import math

from helpers._support.valid_numbers import finite_numbers
from helpers.plotting.pictures.svg import FACES, FONT, HALO, drawing, letters, stroke_in


def arrows(vectors, axes, words, before=None, title="", unit=78, reach=2.5):
    """Return vectors of two numbers, none negative, as arrows in a plane.

    vectors: {name: (x, y)}. before: the same for where they stood, drawn dashed. unit:
    pixels for 1. reach: how far the axes go. Raises ValueError for nan and infinity.

    >>> "stroke-dasharray" in arrows({"a": (1, 1)}, ("x", "y"), "a")
    False
    """
    edge, size = 44, reach * unit + 70
    low = size - edge
    parts = [letters(size / 2 + 10, 16, title, FONT, bold=True)]
    grid = 'stroke="currentColor" stroke-opacity="0.15"'
    for tick in range(int(reach) + 1):
        at, up = edge + tick * unit, low - tick * unit
        parts.append(f'<path d="M{at} {low}V{low - reach * unit}" {grid}/>')
        parts.append(f'<path d="M{edge} {up}h{reach * unit}" {grid}/>')
        parts.append(letters(at, low + 16, str(tick), 12))
        parts.append(letters(edge - 8, up + 4, str(tick), 12, "end"))
    parts.append(letters(edge + reach * unit / 2, low + 36, axes[0], FONT))
    parts.append(letters(18, low - reach * unit / 2 + 20, axes[1], FONT, upright=True))
    labels, names = [], []
    for index, (name, vector) in enumerate(vectors.items()):
        x, y = finite_numbers(vector, f"arrow {name}")
        stroke = stroke_in(FACES[index % 3])
        start, end = (edge, low), (edge + x * unit, low - y * unit)
        old = before and tuple(map(float, before[name]))
        if old and old != (x, y):
            tip = edge + old[0] * unit, low - old[1] * unit
            parts.append(_arrow(start, tip, stroke, dashed=True))
        parts.append(_arrow(start, end, stroke))
        at = [end[0] + 8, end[1] - 8] if end != start else [edge + 12, low + 18]
        while any(abs(at[0] - u) < 48 and abs(at[1] - v) < 16 for u, v in labels):
            at[1] -= 8
        labels.append(at)
        names.append(letters(*at, name, FONT, "start"))
    return drawing([*parts, HALO, *names, "</g>"], size + 34, size, words)


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
        lines.append(_arrow(start, end, stroke_in(FACES[index % len(FACES)])))
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


def _arrow(start, end, stroke, dashed=False):
    """A line with a head at its end; a dot where it has no length."""
    (a, b), (x, y) = start, end
    length = math.hypot(x - a, y - b)
    if length < 1:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" {stroke} stroke-width="4"/>'
    u, v = (x - a) / length, (y - b) / length
    wings = " ".join(
        f"M{x:.1f} {y:.1f}L{x - 10 * u + s * 5 * v:.1f} {y - 10 * v - s * 5 * u:.1f}"
        for s in (1, -1)
    )
    dash = ' stroke-dasharray="5 4" stroke-opacity="0.6"' if dashed else ""
    return (
        f'<path d="M{a:.1f} {b:.1f}L{x:.1f} {y:.1f}" {stroke}'
        f' stroke-width="{2 if dashed else 3}"{dash}/>'
        f'<path d="{wings}" {stroke} stroke-width="{2 if dashed else 3}"/>'
    )
