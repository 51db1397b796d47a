"""Other forms of the exercises, for a class."""

import math

import numpy as np

from helpers.exercises.variants import Variant

ROWS, COLUMNS = ("coin", "boat", "the"), ("pay", "row", "of")
OF_THE = [4, 4, 8]  # so that every table has the same sums, and *the* no surprise


def table(*counts):
    counts = np.array([*counts, OF_THE])
    expected = np.outer(counts.sum(1), counts.sum(0)) / counts.sum()
    by_hand = [
        ", ".join(
            f"{max(0, math.log2(n / e)) if n else 0:.2f}"
            for n, e in zip(*row, strict=True)
        )
        for row in zip(counts, expected, strict=True)
    ]
    i, j = np.argwhere((counts > 0) & (counts < expected))[0]
    edits = (
        ("| *coin* | 3 | 0 | 5 |", _line("coin", counts[0])),
        ("| *boat* | 1 | 4 | 3 |", _line("boat", counts[1])),
        (
            "by_hand = [[0.58, 0.00, 0.32],      # log2(3 / 2); 0 / 2; log2(5 / 4)",
            f"by_hand = [[{by_hand[0]}],      # log2 of counted / expected",
        ),
        ("[0.00, 1.00, 0.00],      # 1 / 2; log2(4 / 2); 3 / 4", f"[{by_hand[1]}],"),
        (
            "*boat* met *of* three times, where chance predicts four.",
            f"For *{ROWS[i]}* and *{COLUMNS[j]}* {counts[i, j]} was counted, where "
            "chance"
            f"\npredicts {expected[i, j]:.0f}.",
        ),
    )
    said = "; ".join(
        f"{name} {row.tolist()}" for name, row in zip(ROWS, counts, strict=True)
    )
    return Variant(f"counts: {said}", edits, given={"counts": counts})


def _line(name, row):
    return f"| *{name}* | " + " | ".join(map(str, row)) + " |"


VARIANTS = {
    1: [
        table([4, 1, 3], [0, 3, 5]),
        table([1, 3, 4], [3, 1, 4]),
        table([2, 0, 6], [2, 4, 2]),
    ]
}
