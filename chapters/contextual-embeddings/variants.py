"""Other forms of the exercises, for a class."""

from helpers.exercises.variants import Variant, both, on_arguments, on_result
from helpers.models import load_bert


def spans(name, said, code, example, places):
    edits = (
        (
            "the list of the places of its pieces in",
            f"the pair `{name}` of the places of its pieces, {said}, in",
        ),
        (
            "a list of lists, such as [[2], [5, 6]]",
            f"a list of pairs, such as {example}",
        ),
        (
            "return [[place for place, owner in enumerate(owners) if owner == index]",
            "found = [[place for place, owner in enumerate(owners) if owner == index]",
        ),
        (
            "for index, other in enumerate(words) if other == word]",
            "for index, other in enumerate(words) if other == word]\n"
            f"    return [{code} for own in found]",
        ),
    )

    def back(found, *_):
        return [list(places(*map(int, pair))) for pair in found]

    return Variant(f"pairs {name}", edits, on_result(back))


def counting(layers_down=False, words_back=False):
    edits, undo, said = [], None, []
    if layers_down:
        said.append("layers counted from the last")
        edits += [
            (
                "where 0 is the input embeddings and −1 the last layer",
                "where 0 is the last layer, 1 the one\nbefore it, and −1 the input "
                "embeddings",
            ),
            (
                "states[list(layers)][:, places]",
                "states[[-1 - layer for layer in layers]][:, places]",
            ),
        ]
        undo = on_arguments(
            lambda words, position, layers: (
                words,
                position,
                [_down(n) for n in layers],
            )
        )
    if words_back:
        said.append("the position counted from the end")
        edits += [
            (
                "the vector of the word at `position` in the list `words`,",
                "the vector of the word at `position` in the list `words`, counted "
                "from\n"
                "the end, where 1 is the last word,",
            ),
            ("if owner == position]", "if owner == len(words) - position]"),
        ]
        turned = on_arguments(
            lambda words, position, layers: (words, len(words) - position, layers)
        )
        undo = both(undo, turned)
    return Variant(" and ".join(said), tuple(edits), undo)


def _down(layer):
    """The index of a hidden state, counted from the last."""
    layer = int(layer)
    return load_bert().n_layers - layer if layer >= 0 else -1 - layer


VARIANTS = {
    1: [
        spans(
            "(start, end)",
            "the first and the one after the last",
            "(own[0], own[-1] + 1)",
            "[(2, 3), (5, 7)]",
            range,
        ),
        spans(
            "(start, length)",
            "the first and how many",
            "(own[0], len(own))",
            "[(2, 1), (5, 2)]",
            lambda start, length: range(start, start + length),
        ),
        spans(
            "(length, end)",
            "how many and the one after the last",
            "(len(own), own[-1] + 1)",
            "[(1, 3), (2, 7)]",
            lambda length, end: range(end - length, end),
        ),
    ],
    2: [counting(True), counting(words_back=True), counting(True, True)],
}
