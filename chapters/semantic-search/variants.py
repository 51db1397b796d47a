"""Other forms of the exercises, for a class."""

import numpy as np

from helpers.exercises.variants import Variant, both, on_arguments, on_result


def judging(missed=False, marked=False):
    edits, said, undo = [], [], None
    if missed:
        said.append("the share missed in place of the recall")
        edits += [
            (
                "Return two numbers: the recall at *k*, which is the share of the "
                "right "
                "texts that are among the first *k*, and",
                "Return two numbers: the share of the\nright texts that are *not* "
                "among "
                "the first *k*, and",
            ),
            ("# return recall, reciprocal_rank", "# return missed, reciprocal_rank"),
            ("return np.mean(places < k),", "return np.mean(places >= k),"),
        ]
        undo = on_result(lambda two, *_: _first_from_1(*two))
    if marked:
        said.append("the right texts as a mask")
        edits += [
            (
                "`right` is a list of the places of the right texts, one or more.",
                "`right` is an array\nas long, True for the right texts, one or more.",
            ),
            (
                "is_right = np.isin(np.arange(len(scores)), right)",
                "is_right = np.asarray(right)",
            ),
        ]
        turned = on_arguments(
            lambda scores, right, k: (scores, np.isin(np.arange(len(scores)), right), k)
        )
        undo = both(undo, turned)
    return Variant(" and ".join(said), tuple(edits), undo)


def _first_from_1(missed, rank):
    return 1 - missed, rank


def rescoring(columns=False, divided=False):
    edits, said, undo = [], [], None
    if columns:
        said.append("a column a text")
        edits += [
            (
                "`vectors` are float32 of shape `(n, hidden)`;",
                "`vectors` are float32 of\nshape `(hidden, n)`, a column a text;",
            ),
            (
                "best = np.argsort(-rough)[:m]",
                "best = np.argsort(-rough)[:m]\n    vectors = vectors.T",
            ),
        ]
        undo = on_arguments(lambda q, v, s, scale, k, m: (q, v.T, s.T, scale, k, m))
    if divided:
        said.append("the scale divides")
        edits += [("and `small * scale` gives", "and `small / scale` gives")]
        turned = on_arguments(lambda q, v, s, scale, k, m: (q, v, s, 1 / scale, k, m))
        undo = both(undo, turned)
    turned, sign = ".T" * columns, "/" if divided else "*"
    edits += [
        (
            "rough = (small * scale) @ query",
            f"rough = (small{turned} {sign} scale) @ query",
        )
    ]
    return Variant(" and ".join(said), tuple(edits), undo)


def windows(asks, said, example, code, back):
    edits = (
        (
            "the windows over a text of `n` pieces, as a list of `(start, end)`, `end` "
            "excluded.",
            said,
        ),
        ("# return [(start, end), ...]", f"# return {example}"),
        (
            "        start = end - overlap\n    return found",
            f"        start = end - overlap\n    return {code}",
        ),
    )
    return Variant(asks, edits, on_result(back))


def _ends(places):
    start, *_ = places = list(places)
    if places != list(range(start, start + len(places))):
        raise ValueError("no window")
    return start, start + len(places)


VARIANTS = {
    1: [judging(True), judging(marked=True), judging(True, True)],
    2: [rescoring(True), rescoring(divided=True), rescoring(True, True)],
    3: [
        windows(
            "windows as lists of places",
            "the windows over a text of `n`\npieces, each as the list of its places, "
            "in "
            "a list. In what follows a window ends after its last place.",
            "[[0, 1, 2], ...]",
            "[list(range(*window)) for window in found]",
            lambda found, *_: [_ends(places) for places in found],
        ),
        windows(
            "the last window first",
            "the windows over a text of `n`\npieces, as a list of `(start, end)`, "
            "`end` "
            "excluded, the last window of the text first in the list.",
            "[(start, end), ...]",
            "found[::-1]",
            lambda found, *_: list(found)[::-1],
        ),
        windows(
            "places counted behind [CLS]",
            "the windows over a text of `n`\npieces, as a list of `(start, end)`, "
            "`end` "
            "excluded. Once they are found, 1 is added to both, for `[CLS]` in front.",
            "[(start + 1, end + 1), ...]",
            "[(start + 1, end + 1) for start, end in found]",
            lambda found, *_: [(start - 1, end - 1) for start, end in found],
        ),
    ],
}
