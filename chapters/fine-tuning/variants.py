"""Other forms of the exercises, for a class."""

import numpy as np

from helpers.exercises.variants import Variant, on_arguments

CELLS = ("ham_kept", "ham_lost", "spam_let_in", "spam_found")
SAID = {
    "ham_kept": "ham that was kept",
    "ham_lost": "ham that was answered spam",
    "spam_let_in": "spam that was let in",
    "spam_found": "spam that was found",
}


def flat(*order):
    names = [CELLS[place] for place in order]
    edits = (
        ("Write `spam_scores(matrix)`.", "Write `spam_scores(cells)`."),
        (
            "`matrix` is a confusion matrix as an array of shape (2, 2): rows are the "
            "truth, columns the answers, first ham, then spam.",
            "`cells` is an array of the four cells of a\nconfusion matrix: "
            + ", ".join(SAID[name] for name in names)
            + ".",
        ),
        ("def spam_scores(matrix):", "def spam_scores(cells):"),
        ("def spam_scores_solution(matrix):", "def spam_scores_solution(cells):"),
        (
            "(ham_kept, ham_lost), (spam_let_in, spam_found) = np.asarray(matrix)",
            f"{', '.join(names)} = np.asarray(cells)",
        ),
        ("np.sum(matrix)", "np.sum(cells)"),
    )

    def change(matrix):
        return (np.asarray(matrix).ravel()[list(order)],)

    return Variant(f"four cells: {', '.join(names)}", edits, on_arguments(change))


VARIANTS = {1: [flat(0, 1, 2, 3), flat(3, 2, 1, 0), flat(3, 1, 2, 0)]}
