"""Arrows in a plane: vectors from zero."""

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
            parts.append(arrow(start, tip, stroke, dashed=True))
        parts.append(arrow(start, end, stroke))
        at = [end[0] + 8, end[1] - 8] if end != start else [edge + 12, low + 18]
        while any(abs(at[0] - u) < 48 and abs(at[1] - v) < 16 for u, v in labels):
            at[1] -= 8
        labels.append(at)
        names.append(letters(*at, name, FONT, "start"))
    return drawing([*parts, HALO, *names, "</g>"], size + 34, size, words)


def arrow(start, end, stroke, dashed=False):
    """A line with a head at its end, in SVG; a dot where it has no length.

    start, end: places (x, y). stroke: from `svg.stroke_in`.

    >>> arrow((0, 0), (0, 0), 'stroke="red"').startswith("<circle")
    True
    """
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
