"""A text with words covered, and the guesses for one of them."""

from helpers.plotting.pictures.svg import FONT, drawing, letters, mixed, stroke_in


def covered(title, words, hole, seen, guesses, answer="", said="", full=1.0):
    """Return a text with words covered, and what was guessed for the word at `hole`.

    words: of the text. seen: n booleans; a word that may not be seen is a dashed box.
    guesses: {word: share}, drawn as bars that reach the edge at the share `full`; that
    of the `answer` is purple. said: a line below them.

    >>> picture = covered("left", ["a", "b", "c"], 1, [1, 0, 0], {"b": 0.5, "d": 0.2})
    >>> picture.count("stroke-dasharray"), picture.count('class="bar"')
    (1, 2)
    """
    width, x, y, size = 216, 4.0, 42, 14
    parts = [letters(width / 2, 15, title, FONT, bold=True)]
    for i, word in enumerate(words):
        long = 0.56 * size * (3 if i == hole else len(word)) + 4
        if x + long > width - 4:
            x, y = 4.0, y + 26
        box = f'<rect x="{x:.1f}" y="{y - 15}" width="{long:.1f}" height="21" rx="3"'
        if i == hole:
            parts.append(f'{box} {stroke_in("weights")} stroke-width="2"/>')
            parts.append(letters(x + long / 2, y, "?", size, bold=True))
        elif seen[i]:
            parts.append(letters(x + long / 2, y, word, size))
        else:
            dashes = 'fill="none" stroke="currentColor" stroke-opacity="0.7"'
            parts.append(f'{box} {dashes} stroke-dasharray="3 3"/>')
        x += long + 3
    y += 20
    for word, share in guesses.items():
        hue = "weights" if word == answer else "plain"
        reach = min(1, share / full) * (width - 122)
        shown = word.replace("##", "-")  # the end of a word
        parts.append(letters(80, y + 13, shown, 13, "end", bold=word == answer))
        parts.append(
            f'<rect class="bar" x="86" y="{y + 2}" width="{reach:.1f}" height="14"'
            f" {mixed(hue, 1)}/>"
        )
        parts.append(letters(90 + reach, y + 13, f"{share:.2f}", 12, "start"))
        y += 20
    parts.append(letters(width / 2, y + 15, said, 13))
    sight = " ".join(
        "?" if i == hole else w if s else "…"
        for i, (w, s) in enumerate(zip(words, seen, strict=True))
    )
    words = f"{title}: {sight} Guesses: {', '.join(guesses)}. {said}"
    return drawing(parts, width, y + (24 if said else 6), words)
