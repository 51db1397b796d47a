"""Other forms of the exercises, for a class."""

import numpy as np

from helpers.exercises.variants import Variant, both, on_arguments, on_result


def added_to_scores(closed, said):
    def filled(code):
        return f"return np.where({code}, 0, {closed})"

    edits = (
        (
            "It returns a boolean array of shape `(n, n)`;",
            "It returns an array of shape\n`(n, n)` that is added to the scores of "
            f"attention, 0 where a word may be used\nand {said} where not;",
        ),
        (
            "# return a boolean array (n, n)",
            f"# return an array (n, n) of 0 and {said}",
        ),
        ("return np.triu(everything, 1)", filled("np.triu(everything, 1)")),
        ("return ~np.eye(n, dtype=bool)", filled("~np.eye(n, dtype=bool)")),
        ("return np.tril(everything, -1)", filled("np.tril(everything, -1)")),
    )

    def back(mask, *_):
        mask = np.asarray(mask, float)
        if not np.isin(mask, (0, float(closed.replace("np.", "")))).all():
            raise ValueError("other numbers")
        return mask == 0

    return Variant(f"a mask of 0 and {said}", edits, on_result(back))


def elmo(words_first=False, transposed=False):
    edits, said, undo = [], [], None
    if words_first:
        said.append("states as (words, layers, width)")
        edits += [
            ("each `(layers, words, width)`", "each `(words, layers, width)`"),
            (
                "states = np.concatenate([forward, backward], axis=-1)",
                "states = np.concatenate([forward, backward], axis=-1).swapaxes(0, 1)",
            ),
        ]
        undo = on_arguments(
            lambda x, f, b, w, gamma: (x, f.swapaxes(0, 1), b.swapaxes(0, 1), w, gamma)
        )
    if transposed:
        said.append("a column a word")
        edits += [
            (
                "The result has the shape `(words, 2 * width)` and is",
                "The result has a column for each word, `(2 * width, words)`, and is",
            ),
            ("# return (words, 2 * width)", "# return (2 * width, words)"),
            (
                "return gamma * np.tensordot(s, layers, axes=1)",
                "return gamma * np.tensordot(s, layers, axes=1).T",
            ),
        ]
        turned = on_result(lambda found, *_: np.asarray(found).T)
        undo = both(undo, turned)
    return Variant(" and ".join(said), tuple(edits), undo)


VARIANTS = {
    1: [
        added_to_scores("-np.inf", "minus infinity"),
        added_to_scores("-10000", "−10000"),
        added_to_scores("-1e9", "−1e9"),
    ],
    2: [elmo(True), elmo(transposed=True), elmo(True, True)],
}
