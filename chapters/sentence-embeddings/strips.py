"""Marks on lines under each other: all values of a kind, not their mean alone."""

from helpers.plotting.pictures.svg import FACES, FONT, HALO, dot, drawing, letters

WIDE, STEP, LETTER = 290, 38, 7.2  # of the lines; between them; of a name


def strips(rows, words, axis, low=0.0, high=1.0, title="", named=None):
    """Return a line of marks for each row, all on one scale, as a picture.

    rows: {name: values}. axis: what the scale counts. low, high: where the lines begin
    and end; what lies outside stands at the end. named: {name of a row: (value, text)},
    a word at a mark.

    >>> strips({"cats": [1, 3], "dogs": [2]}, "pets", "years", high=4).count("<circle")
    3
    """
    left, top = 16 + LETTER * max(map(len, rows)), 26 if title else 6
    bottom = top + STEP * len(rows)

    def at(value):
        share = (float(value) - low) / (high - low)
        return left + WIDE * min(1, max(0, share))

    parts = [letters(left + WIDE / 2, 15, title, FONT, bold=True)]
    for part in range(3):
        value = low + (high - low) * part / 2
        parts.append(
            f'<path d="M{at(value):.1f} {top}V{bottom}" stroke="currentColor"'
            ' stroke-opacity="0.15"/>'
        )
        parts.append(letters(at(value), bottom + 16, f"{value:g}", 12))
    parts.append(letters(left + WIDE / 2, bottom + 34, axis, 13))
    for number, (name, values) in enumerate(rows.items()):
        y, hue = top + STEP * (number + 0.5), FACES[number % len(FACES)]
        parts.append(letters(left - 12, y + 4, name, 13, "end"))
        parts += [dot(at(value), y, hue, filled=False) for value in values]
        if named and name in named:
            value, text = named[name]
            parts += [HALO, letters(at(value), y - 9, text, 12, "end"), "</g>"]
    return drawing(parts, left + WIDE + 14, bottom + 42, words)
