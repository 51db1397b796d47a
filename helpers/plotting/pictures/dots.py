"""Scores as dots on lines under each other, a line for each method."""

from helpers.plotting.pictures.svg import drawing, letters, stroke_in

LEFT, WIDE, STEP, TOP = 190, 330, 30, 30


def dots(rows, words, ticks, series=("", ""), line=None, form=".0%"):
    """Return a line for each row with its scores on it, as a picture.

    rows: {name: (scores drawn as discs, scores drawn as rings)}; a tuple may be empty.
    ticks: the places named below, from the first to the last of the axis, in `form`.
    series: what discs and rings are, for the legend. line: (place, its name), dashed.

    >>> picture = dots({"a": ([0.5, 0.6], [0.4])}, "a row", [0, 0.5, 1])
    >>> picture.count("<circle"), "50%" in picture
    (3, True)
    """
    first, last, bottom = ticks[0], ticks[-1], TOP + STEP * len(rows)

    def at(value):
        return LEFT + WIDE * (value - first) / (last - first)

    parts = []
    for tick in ticks:
        parts.append(_upright(at(tick), TOP, bottom, 'stroke-opacity="0.18"'))
        parts.append(letters(at(tick), bottom + 17, f"{tick:{form}}", 12))
    if line:
        parts.append(_upright(at(line[0]), TOP - 5, bottom, 'stroke-dasharray="5 4"'))
        parts.append(letters(at(line[0]), TOP - 11, line[1], 12))
    for i, (name, marks) in enumerate(rows.items()):
        y = TOP + STEP * (i + 0.5)
        parts.append(letters(LEFT - 14, y + 5, name, 14, "end"))
        for filled, scores in zip((True, False), marks, strict=True):
            parts += [_mark(at(score), y, filled) for score in scores]
    x = 14
    for filled, name in zip((True, False), series, strict=True):
        if name:
            parts.append(_mark(x, bottom + 37, filled))
            parts.append(letters(x + 13, bottom + 42, name, 14, "start"))
            x += 40 + 7.5 * len(name)
    height = bottom + (52 if any(series) else 26)
    return drawing(parts, LEFT + WIDE + 24, height, words)


def _upright(x, top, bottom, look):
    return f'<path d="M{x:.1f} {top}V{bottom}" stroke="currentColor" {look}/>'


def _mark(x, y, filled):
    hue = "query" if filled else "key"
    look = f'{stroke_in(hue, filled)} stroke-width="2.5" fill-opacity="0.6"'
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="6" {look}/>'
