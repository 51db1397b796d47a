"""A text whose words carry two scores: where something may begin, where it may end."""

from helpers.plotting.pictures.svg import FONT, drawing, letters, mixed, stroke_in

SIZE, LINE, LETTER = 15, 27, 8.0  # of words; between lines; of a letter


def marked(title, words, starts, ends, span=None, said="", width=470, lines=1):
    """Return a text as boxes: blue on the left is a start, orange on the right an end.

    starts, ends: a share for each word, 0 to 1. span: (first, last) word, underlined.
    said: a line below the text. lines: for which there is room at least, so that
    pictures of the same height can take turns.

    >>> picture = marked("Who?", ["Ann", "ran"], [0.9, 0], [0.8, 0.1], (0, 0), "Ann")
    >>> picture.count("<rect"), picture.count('class="span"')
    (4, 1)
    """
    x, y, parts = 2.0, 46, [letters(width / 2, 17, title, FONT, bold=True)]
    for i, word in enumerate(words):
        wide = LETTER * max(2, len(word)) + 6
        if x + wide > width - 2 and x > 2:
            x, y = 2.0, y + LINE
        halves = (("query", starts[i], x), ("key", ends[i], x + wide / 2))
        for hue, share, left in halves:
            parts.append(
                f'<rect x="{left:.1f}" y="{y - 16}" width="{wide / 2:.1f}" height="22"'
                f" {mixed(hue, share)}/>"
            )
        parts.append(letters(x + wide / 2, y, word, SIZE))
        if span and span[0] <= i <= span[1]:
            parts.append(
                f'<path class="span" d="M{x:.1f} {y + 8}H{x + wide:.1f}"'
                f' {stroke_in("weights")} stroke-width="3"/>'
            )
        x += wide + 2
    y = max(y, 46 + LINE * (lines - 1)) + 30
    parts.append(letters(width / 2, y, said, SIZE, bold=True))
    words = f"{title} {' '.join(words)} {said}"
    return drawing(parts, width, y + 10, words)
