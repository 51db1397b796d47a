"""The test of meaning that runs through the part: same sense against other sense."""

from helpers.plotting.pictures.svg import dot, drawing, letters


def same_and_other(stages, words, low=0.0):
    """Return cosines as marks on a line for each stage: same sense and other sense.

    stages: {name: (cosines of the same sense, cosines of another sense)}. low: where
    the lines begin; they end at 1.

    >>> picture = same_and_other({"table": ([1.0], [1.0])}, "One vector for both.")
    >>> picture.count("<circle")  # one of each, and two in the legend
    4
    """
    left, wide, step, top = 108, 196, 40, 20

    def at(value):
        return left + (max(low, float(value)) - low) / (1 - low) * wide

    bottom = top + step * len(stages)
    parts = []
    for tick in range(3):
        value = low + (1 - low) * tick / 2
        parts.append(
            f'<path d="M{at(value):.1f} {top}V{bottom}" stroke="currentColor"'
            ' stroke-opacity="0.15"/>'
        )
        parts.append(letters(at(value), bottom + 16, f"{value:.2g}", 12))
    parts.append(
        letters(left + wide / 2, bottom + 34, "cosine of two of its vectors", 13)
    )
    for number, (name, (same, other)) in enumerate(stages.items()):
        y = top + step * (number + 0.5)
        parts.append(letters(left - 14, y + 4, name, 13, "end"))
        parts += [dot(at(value), y - 6, "query", filled=True) for value in same]
        parts += [dot(at(value), y + 6, "key", filled=False) for value in other]
    y = bottom + 56
    parts += [
        dot(left, y - 4, "query", True),
        letters(left + 11, y, "same sense", 13, "start"),
    ]
    parts += [
        dot(left + 112, y - 4, "key", False),
        letters(left + 123, y, "other sense", 13, "start"),
    ]
    return drawing(parts, left + wide + 20, y + 10, words)
