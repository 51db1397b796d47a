"""Other forms of the exercises, for a class."""

from helpers.exercises.variants import Variant, on_arguments, on_result


def from_one(layers, heads):
    which = " and ".join(["layers"] * layers + ["heads"] * heads)
    layer, head = "layer - 1" if layers else "layer", "head - 1" if heads else "head"
    edits = (
        (
            "in this layer and head, itself included.",
            f"in this layer and head, itself included.\nHere {which} are counted from "
            "1, "
            "all else from 0.",
        ),
        (
            "return int(attention[layer, head, token].argmax())",
            f"return int(attention[{layer}, {head}, token].argmax())",
        ),
    )

    def change(attention, layer, head, token):
        return attention, layer + layers, head + heads, token

    return Variant(f"{which} counted from 1", edits, on_arguments(change))


def reported(said, code, back, narrowest="argmin"):
    edits = (
        (
            "for every layer, head and token the exponential of the entropy of its "
            "row, "
            "an array",
            f"for every layer, head and token {said},\nwhere *n* is the number of "
            "tokens, "
            "an array",
        ),
        (
            "A row of equal weights gives the number of tokens, a row with all "
            "weight in "
            "one place gives 1.",
            "The exponential is *n* for a row of equal weights, and 1\nfor a row "
            "with all "
            "weight in one place.",
        ),
        (
            "return np.exp(-(attention * np.log(safe)).sum(axis=-1))",
            "looked_at = np.exp(-(attention * np.log(safe)).sum(axis=-1))\n"
            f"    return {code}",
        ),
        ("narrow.argmin()", f"narrow.{narrowest}()"),
    )

    def undo(found, attention):
        return back(found, attention.shape[-1])

    return Variant(said, edits, on_result(undo))


VARIANTS = {
    1: [from_one(True, False), from_one(False, True), from_one(True, True)],
    3: [
        reported(
            "*n* minus the exponential of the entropy of its row",
            "attention.shape[-1] - looked_at",
            lambda found, n: n - found,
            "argmax",
        ),
        reported(
            "the exponential of the entropy of its row, divided by *n*",
            "looked_at / attention.shape[-1]",
            lambda found, n: found * n,
        ),
        reported(
            "the exponential of the entropy of its row, in per cent of *n*",
            "100 * looked_at / attention.shape[-1]",
            lambda found, n: found * n / 100,
        ),
    ],
}
