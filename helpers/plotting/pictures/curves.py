"""Curves on common axes, with points that walk along them: a loss and its steps."""

import math
from itertools import pairwise

from helpers.plotting.pictures.svg import (
    FACES,
    FONT,
    SMALL,
    drawing,
    letters,
    stroke_in,
)

DASHES = {"plain": "2 4", "key": "8 4", "value": "8 4 2 4"}


def curve(lines, words, title="", axes=("", ""), marks=(), size=(330, 230)):
    """Return curves on common axes, and points that have walked along them.

    lines: {name: (xs, ys)}; a name starting with "_" is not written. marks: (x, y)
    points, joined in their order, the last one large. The axes reach as far as the
    lines do, so that pictures of one series should share their lines. What is nan or
    infinite is left out. Raises ValueError where nothing is left.

    >>> picture = curve({"loss": ([0, 1], [1, 0])}, "falls", marks=[(0, 1), (1, 0)])
    >>> picture.count("<circle")
    2
    """
    (width, height), left, low = size, 46, size[1] - 40
    lines = {n: _finite(zip(*line, strict=True)) for n, line in lines.items()}
    if not (there := sum(lines.values(), [])):
        raise ValueError("no point of the lines is a finite number")
    xs, ys = zip(*there, strict=True)
    bottom, top = min(ys), max(ys)

    def place(x, y):
        share = (y - bottom) / ((top - bottom) or 1)
        across = (x - min(xs)) / ((max(xs) - min(xs)) or 1)
        return left + across * (width - left - 12), low - share * (low - 30)

    parts = _axes(title, axes, (left, low, width))
    for x in (min(xs), max(xs)):
        parts.append(letters(place(x, bottom)[0], low + 15, f"{x:.4g}", SMALL))
    for y in (bottom, top):
        parts.append(
            letters(left - 5, place(min(xs), y)[1] + 4, f"{y:.2g}", SMALL, "end")
        )
    drawn = {n: [place(*point) for point in line] for n, line in lines.items() if line}
    for index, name in enumerate(lines):
        if name in drawn:
            parts.append(_path(drawn[name], FACES[index % len(FACES)]))
    if len(lines) > 1:
        for name, (x, y) in _spots(drawn, left).items():
            parts.append(letters(x, y, name, 12, "end"))
    parts += _walk([place(*mark) for mark in _finite(marks)])
    return drawing(parts, width, height, words)


def _axes(title, axes, place):
    """The title, the two axes and their names; place: left, low and width."""
    left, low, width = place
    return [
        letters((left + width) / 2, 16, title, FONT, bold=True),
        f'<path d="M{left} 26V{low}H{width - 8}" stroke="currentColor"'
        ' stroke-opacity="0.4" fill="none"/>',
        letters((left + width) / 2, low + 32, axes[0], 13),
        letters(14, (low + 30) / 2 + 30, axes[1], 13, upright=True),
    ]


def _path(points, face):
    dash = f' stroke-dasharray="{DASHES[face]}"' if face in DASHES else ""
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    return f'<path d="M{path}" {stroke_in(face)} stroke-width="2.5"{dash}/>'


def _walk(points):
    """Points joined in their order, the last one large."""
    parts = []
    if len(points) > 1:
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        parts.append(f'<path d="M{path}" {stroke_in("key")} stroke-opacity="0.7"/>')
    for number, (x, y) in enumerate(points, start=1):
        radius = 6 if number == len(points) else 3
        parts.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" {stroke_in("key", True)}/>'
        )
    return parts


def _spots(drawn, left):
    """A place over each line that is named, as far right as there is room for it.

    There is room below the title, right of the axis, and where no other line runs and
    no other name stands. Without room a name stands at the right end of its line.

    >>> spots = _spots({"a": [(50, 60), (300, 60)], "b": [(50, 90), (300, 62)]}, 46)
    >>> {name: round(x) for name, (x, y) in spots.items()}
    {'a': 296, 'b': 125}
    """
    paths = {name: _dense(points) for name, points in drawn.items()}
    spots, taken = {}, []
    for name in (name for name in drawn if name[:1] != "_"):
        others = taken + [p for n, path in paths.items() if n != name for p in path]
        chosen = None
        for end, _ in sorted(paths[name], reverse=True):
            x, wide = end - 4, 7 * len(name)
            y = min(y for a, y in paths[name] if x - wide - 4 <= a <= end) - 7
            free = not any(
                x - wide - 4 <= a <= x + 4 and y - 14 <= b <= y + 5 for a, b in others
            )
            chosen = chosen or (x, y)
            if free and y > 32 and x - wide > left:
                chosen = (x, y)
                break
        spots[name] = x, y = chosen
        taken += _dense([(x - 7 * len(name), y), (x, y)])
        taken += _dense([(x - 7 * len(name), y - 9), (x, y - 9)])
    return spots


def _dense(points, step=4):
    """The points of a path, no two of them further apart than step.

    >>> _dense([(0, 0), (8, 4)])
    [(0.0, 0.0), (4.0, 2.0), (8.0, 4.0)]
    """
    dense = [tuple(map(float, points[0]))]
    for (x, y), (to_x, to_y) in pairwise(points):
        n = max(1, math.ceil(max(abs(to_x - x), abs(to_y - y)) / step))
        dense += [
            (x + (to_x - x) * k / n, y + (to_y - y) * k / n) for k in range(1, n + 1)
        ]
    return dense


def _finite(points):
    """The points that have a place, as floats."""
    points = [tuple(map(float, point)) for point in points]
    return [point for point in points if all(map(math.isfinite, point))]
