"""Other forms of the exercises, for a class."""

from helpers.exercises.variants import Variant, both, on_arguments, on_result


def bytes_taken(each, kind):
    edits = (
        (
            "the number of parameters of one encoder layer.",
            f"the bytes\nthat the parameters of one encoder layer take in {kind}, "
            f"{each} for each.",
        ),
        (
            "return (1 + cross_attention) * attention + feed_forward",
            f"return {each} * ((1 + cross_attention) * attention + feed_forward)",
        ),
        (":,} in a layer of Base", ":,} bytes in a layer of Base"),
    )

    def back(count, *_):
        count = count.replace(",", "").replace("_", "") if type(count) is str else count
        return float(count) / each

    return Variant(f"bytes in {kind}", edits, on_result(back))


def layer(transposed, batch_second):
    edits, said = [], []
    undo = None
    if transposed:
        said.append("matrices transposed")
        edits += [
            (
                "with the names listed under *Loading the weights*. Return",
                "with the names listed under *Loading the weights*, but\nthe matrix of "
                "every linear layer is transposed, `(in, out)`. Return",
            ),
            (
                'F.linear(x, weights[f"{name}.weight"], weights[f"{name}.bias"])',
                'F.linear(x, weights[f"{name}.weight"].T, weights[f"{name}.bias"])',
            ),
        ]
        undo = on_arguments(_transposed)
    if batch_second:
        said.append("the batch is the second axis")
        edits += [
            (
                "`(batch, n, hidden)` and no padding",
                "`(n, batch, hidden)` and no padding",
            ),
            (
                "layer returns, `(batch, n, hidden)`",
                "layer returns, `(n, batch, hidden)`",
            ),
            (
                "def encoder_layer_solution(x, weights, n_heads):",
                "def encoder_layer_solution(x, weights, n_heads):\n"
                "    x = x.transpose(0, 1)\n",
            ),
            (
                'return norm("output.LayerNorm", x + dense("output.dense", wide))',
                'x = norm("output.LayerNorm", x + dense("output.dense", wide))\n'
                "    return x.transpose(0, 1)",
            ),
        ]
        turned = both(
            on_result(lambda x, *_: x.transpose(0, 1)),
            on_arguments(lambda x, *rest: (x.transpose(0, 1), *rest)),
        )
        undo = both(undo, turned)
    return Variant(" and ".join(said), tuple(edits), undo)


def _transposed(x, weights, n_heads):
    turned = {k: w.T.contiguous() if w.ndim == 2 else w for k, w in weights.items()}
    return x, turned, n_heads


def budget(millions):
    edits = (
        ("You may spend 30 million", f"You may spend {millions} million"),
        ("if total > 30_000_000:", f"if total > {millions}_000_000:"),
        ("more than three times as deep as Base", "deeper than Base"),
    )
    given = {"budget": millions * 10**6}
    return Variant(f"{millions} million parameters", edits, given=given)


VARIANTS = {
    1: [
        bytes_taken(2, "bfloat16"),
        bytes_taken(4, "float32"),
        bytes_taken(8, "float64"),
    ],
    2: [layer(True, False), layer(False, True), layer(True, True)],
    3: [budget(20), budget(25), budget(40)],
}
