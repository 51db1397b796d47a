"""Pictures of texts in pieces: a box for each piece, with gaps between the words."""

from helpers.plotting.pictures.svg import FONT, drawing, letters, mixed

SIZE, LINE = 13, 28
LETTER = 0.55 * SIZE  # a letter's usual width


def cut_text(title, cuts, width=330, lines=1, mark="##", unknown="[UNK]"):
    """Return a text as boxes: grey for a word in one piece, purple for parts of one.

    cuts: the pieces of each word, a list a word. lines: for which there is room at
    least, so that pictures of the same height can take turns. What is `unknown` is a
    dashed box with a question mark.

    >>> picture = cut_text("a", [["the"], ["un", "##well"], ["[UNK]"]])
    >>> picture.count("<rect"), picture.count("stroke-dasharray")
    (4, 1)
    """
    x, y, parts = 2.0, 46, [letters(width / 2, 15, title, FONT, bold=True)]
    for cut in cuts:
        shown = ["?" if p == unknown else p.removeprefix(mark) for p in cut]
        widths = [LETTER * max(1, len(piece)) + 6 for piece in shown]
        if x + sum(widths) + 2 * len(cut) > width and x > 2:
            x, y = 2.0, y + LINE
        for piece, name, wide in zip(cut, shown, widths, strict=True):
            if x + wide > width - 2 and x > 2:
                x, y = 2.0, y + LINE
            hidden = piece == unknown
            look = (
                'fill="none" stroke-dasharray="3 3" stroke-opacity="0.7"'
                if hidden
                else mixed("plain" if len(cut) == 1 else "weights", 0.5)
                + ' stroke-opacity="0.4"'
            )
            parts.append(
                f'<rect x="{x:.1f}" y="{y - 16}" width="{wide:.1f}" height="22" rx="3"'
                f' stroke="currentColor" {look}/>'
            )
            parts.append(letters(x + wide / 2, y, name, SIZE))
            x += wide + 2
        x += 6
    shown = " ".join("·".join(p.removeprefix(mark) for p in cut) for cut in cuts)
    height = max(y, 46 + LINE * (lines - 1)) + 14
    return drawing(parts, width, height, f"{title}: {shown}")
