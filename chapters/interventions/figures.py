"""Words under each other, step by step: what a model would say after each layer."""

from helpers.plotting.pictures.svg import drawing, letters, mixed

LEFT, WIDE, HIGH, LINE = 62, 92, 27, 15


def ladder(columns, rows, words, hues=None):
    """Return a column of words for each text, a row for each step, as a picture.

    columns: {heading: n words}; a heading may have several lines. rows: n names. hues:
    {word: query, key, value, weights or plain}; other words have no colour. Three
    columns fit on a phone.

    >>> picture = ladder({"a dog": [",", "is"]}, ["0", "1"], "is", {"is": "key"})
    >>> picture.count("<rect"), picture.count("color-mix")
    (2, 1)
    """
    hues = hues or {}
    lines = max(heading.count("\n") for heading in columns) + 1
    top = 8 + lines * LINE
    parts = []
    for i, name in enumerate(rows):
        parts.append(letters(LEFT - 7, top + (i + 0.5) * HIGH + 4, name, 12, "end"))
    for j, (heading, said) in enumerate(columns.items()):
        x = LEFT + j * WIDE
        for k, line in enumerate(heading.split("\n")):
            y = 12 + LINE * k
            parts.append(letters(x + WIDE / 2, y, line, 12, bold=k == 0))
        for i, word in enumerate(said):
            y = top + i * HIGH
            fill = mixed(hues[word], 0.8) if word in hues else 'fill="none"'
            parts.append(
                f'<rect x="{x + 3}" y="{y + 2}" width="{WIDE - 6}" height="{HIGH - 4}"'
                f' rx="4" {fill} stroke="currentColor" stroke-opacity="0.25"/>'
            )
            parts.append(letters(x + WIDE / 2, y + HIGH / 2 + 5, word, 14))
    width, height = LEFT + WIDE * len(columns) + 2, top + HIGH * len(rows) + 4
    return drawing(parts, width, height, words)
