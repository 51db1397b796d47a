"""Curves on common axes, with points that walk along them: a loss and its steps."""

import math

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
        parts.append(letters(place(x, bottom)[0], low + 15, f"{x:g}", SMALL))
    for y in (bottom, top):
        parts.append(
            letters(left - 5, place(min(xs), y)[1] + 4, f"{y:.2g}", SMALL, "end")
        )
    drawn = {n: [place(*point) for point in line] for n, line in lines.items() if line}
    for index, name in enumerate(lines):
        if name in drawn:
            parts.append(_path(drawn[name], FACES[index % len(FACES)]))
    named = {n: p[-1] for n, p in drawn.items() if len(lines) > 1 and n[:1] != "_"}
    heights = _apart({name: y - 7 for name, (_, y) in named.items()})
    for name, (x, _) in named.items():
        parts.append(letters(x - 4, heights[name], name, 12, "end"))
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


def _apart(heights, room=15):
    """Move names upwards that would be written over one another: {name: height}.

    >>> _apart({"a": 100, "b": 96, "c": 40})
    {'a': 100, 'b': 85, 'c': 40}
    """
    placed = {}
    for name, y in sorted(heights.items(), key=lambda item: -item[1]):
        placed[name] = min([y, *(below - room for below in placed.values())])
    return placed


def _finite(points):
    """The points that have a place, as floats."""
    points = [tuple(map(float, point)) for point in points]
    return [point for point in points if all(map(math.isfinite, point))]
