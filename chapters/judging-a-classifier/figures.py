"""A hundred messages in two folders, as a filter has sorted them."""

from helpers.plotting.pictures.svg import drawing, letters, stroke_in

COLUMNS, STEP, LEFT, GAP, TOP = 7, 17, 14, 30, 50


def folders(title, called_spam, called_ham, words):
    """Return two heaps of marks: what was called spam and what stays in the inbox.

    called_spam, called_ham: (number of spam, number of ham) each. Spam is a full mark,
    ham a ring, so that a ring on the left is a message lost.

    >>> picture = folders("a test", (3, 1), (2, 4), "ten messages")
    >>> picture.count("<circle"), picture.count("fill:none")
    (10, 5)
    """
    parts = [letters(LEFT - 4, 16, title, 14, "start", bold=True)]
    across = COLUMNS * STEP + GAP
    for i, (name, (spam, ham)) in enumerate(
        (("called spam", called_spam), ("left in the inbox", called_ham))
    ):
        x = LEFT + i * across
        parts.append(letters(x - 4, TOP - 14, f"{name}: {spam + ham}", 12, "start"))
        for n in range(spam + ham):
            full = n < spam
            at = f'cx="{x + n % COLUMNS * STEP}" cy="{TOP + n // COLUMNS * STEP}"'
            look = stroke_in("key" if full else "query", full)
            parts.append(f'<circle {at} r="5.5" {look} stroke-width="2"/>')
    rows = -(-100 // COLUMNS)
    return drawing(parts, LEFT + 2 * across - GAP, TOP + rows * STEP, words)
