"""Other forms of the exercises, for a class."""

from helpers.exercises.variants import Variant, both, on_arguments, on_result


def masks(padding=False, words=False):
    edits, said, undo = [], [], None
    if padding:
        said.append("mask is 1 for padding")
        edits += [("`mask` is 1 for real pieces,", "`mask` is 1 for padding,")]
        undo = on_arguments(lambda states, mask, special: (states, 1 - mask, special))
    if words:
        said.append("special is 0 for [CLS] and [SEP]")
        edits += [
            (
                "`special` is 1 for `[CLS]` and `[SEP]`.",
                "`special` is 0 for `[CLS]` and\n`[SEP]`, 1 elsewhere.",
            )
        ]
        turned = on_arguments(lambda states, mask, special: (states, mask, 1 - special))
        undo = both(undo, turned)
    edits += [
        (
            "(mask.bool() & ~special.bool())",
            f"({'~' * padding}mask.bool() & {'~' * (not words)}special.bool())",
        )
    ]
    return Variant(" and ".join(said), tuple(edits), undo)


def searching(columns=False, from_end=False):
    edits, said, undo = [], [], None
    if columns:
        said.append("a column a vector")
        edits += [
            (
                "the indices of the *k* rows of `vectors`, shape `(n, hidden)`,",
                "the indices of the *k* columns of `vectors`,\nshape `(hidden, n)`,",
            ),
            ("Where there are fewer than *k* rows,", "Where there are fewer than *k*,"),
            ("# return a list of row numbers", "# return a list of indices"),
            (
                "def search_solution(query, vectors, k):",
                "def search_solution(query, vectors, k):\n    vectors = vectors.T",
            ),
        ]
        undo = on_arguments(lambda query, vectors, k: (query, vectors.T, k))
    if from_end:
        said.append("counted from the end")
        edits += [
            (
                "the smaller index comes first.",
                "the one that stands first in\n`vectors` comes first. The indices are "
                "counted from the end, where −1 is the last.",
            ),
            (
                'return np.argsort(-cosine, kind="stable")[:k].tolist()',
                'found = np.argsort(-cosine, kind="stable")[:k]\n'
                "    return (found - len(cosine)).tolist()",
            ),
        ]
        turned = on_result(
            lambda found, query, vectors, k: _from_0(found, len(vectors))
        )
        undo = both(turned, undo) if undo else turned
    return Variant(" and ".join(said), tuple(edits), undo)


def _from_0(found, n):
    return [int(i) + n if int(i) < 0 else n for i in found]


VARIANTS = {
    1: [masks(True), masks(words=True), masks(True, True)],
    2: [searching(True), searching(from_end=True), searching(True, True)],
}
