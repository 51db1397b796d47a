"""Other forms of the exercises, for a class."""

import numpy as np

from helpers.exercises.variants import Variant, on_arguments


def counted(name, said, change):
    edits = (
        ("Write `majority_scores(labels)`:", f"Write `majority_scores({name})`:"),
        (
            "the commonest of `labels`, names or numbers, to three decimals.",
            f"the commonest sense, to three decimals. `{name}` is a list of\n{said}.",
        ),
        ("def majority_scores(labels):", f"def majority_scores({name}):"),
        (
            "def majority_scores_solution(labels):",
            f"def majority_scores_solution({name}):",
        ),
        (
            "counts = np.unique(labels, return_counts=True)[1]",
            f"counts = np.asarray({name})",
        ),
    )

    def of_labels(labels):
        counts = np.unique(labels, return_counts=True)[1]
        return (change(counts).tolist(),)

    return Variant(f"from the {name} of the senses", edits, on_arguments(of_labels))


VARIANTS = {
    1: [
        counted("counts", "how many sentences each sense has", lambda n: n),
        counted("shares", "the share of each sense", lambda n: n / n.sum()),
        counted(
            "per_cent",
            "the share of each sense in per cent",
            lambda n: 100 * n / n.sum(),
        ),
    ]
}
