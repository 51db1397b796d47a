"""Rows of words or numbers in one grid: what a model reads, place by place."""

from helpers.plotting.pictures.svg import drawing, letters, stroke_in

SIZE, HIGH, GAP = 13, 24, 3


def aligned(rows, words, title="", hidden=()):
    """Return rows of boxes, place under place, as a picture.

    rows: {name: texts}, all as long as the first; a name may be (name, hue), with a hue
    of `pictures`. hidden: texts whose boxes are dashed, such as "[PAD]". words: for who
    does not see it. Raises ValueError where rows differ in length.

    >>> picture = aligned({"piece": ["a", "[PAD]"], "mask": [1, 0]}, "a", "", ["[PAD]"])
    >>> picture.count("<rect"), picture.count("stroke-dasharray")
    (4, 1)
    """
    named = [(*name, cells) if isinstance(name, tuple) else (name, "plain", cells)
             for name, cells in rows.items()]  # fmt: skip
    named = [(name, hue, [str(cell) for cell in cells]) for name, hue, cells in named]
    if len({len(cells) for _, _, cells in named}) != 1:
        raise ValueError("rows of different lengths cannot stand place under place")
    columns = [*zip(*(cells for _, _, cells in named), strict=True)]
    widths = [max(_long(cell) for cell in column) + 10 for column in columns]
    left = 10 + max(_long(name) for name, _, _ in named)
    top = 24 if title else 2
    wide = left + sum(widths) + GAP * len(widths)
    parts = [letters(wide / 2, 15, title, 15, bold=True)]
    for number, (name, hue, cells) in enumerate(named):
        y = top + number * (HIGH + GAP)
        parts.append(letters(left - 8, y + 16.5, name, SIZE, "end"))
        x = left
        for cell, width in zip(cells, widths, strict=True):
            dash = ' stroke-dasharray="4 3"' if cell in hidden else ""
            parts.append(
                f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{HIGH}"'
                f' rx="3" {stroke_in(hue)} stroke-width="1.5"{dash}/>'
                + letters(x + width / 2, y + 16.5, cell, SIZE)
            )
            x += width + GAP
    return drawing(parts, wide + 2, top + len(named) * (HIGH + GAP), words)


def _long(text):
    """About how wide a text is: capitals and signs count more."""
    return sum(9.5 if c.isupper() or ord(c) > 0x2000 else 7.2 for c in text)
