"""Other forms of the exercises, for a class."""

import torch

from helpers.exercises.variants import Variant, on_result


def sizes(n, width, batch):
    lengths = {n: 4, width: 2, batch: 5, 1: 1}  # as the book has them

    def in_the_book(shape):
        if not isinstance(shape, tuple | list):
            return shape
        return tuple(lengths.get(length, 99) for length in shape)

    def undo(answer):
        return {name: in_the_book(shape) for name, shape in dict(answer).items()}

    edits = (
        (
            "Let `x` have the shape `(4, 2)`, `m` the shape `(4,)`, `c` the shape "
            "`(4, 1)` and `t` the shape `(5, 4, 2)`",
            f"Let `x` have the shape `({n}, {width})`, `m` the shape `({n},)`, `c` the "
            f"shape `({n}, 1)`\nand `t` the shape `({batch}, {n}, {width})`",
        ),
        ("such as (4, 2),", f"such as ({n}, {width}),"),
        ("# (4, 2) and (4,): 2 against 4", f"# {width} against {n}"),
        ('"c - m": (4, 4),', f'"c - m": ({n}, {n}),'),
        ("# (4, 1) and (1, 4)", f"# ({n}, 1) and (1, {n})"),
        ('"x.sum(dim=1)": (4,),', f'"x.sum(dim=1)": ({n},),'),
        ('"x[:, None] - x": (4, 4, 2),', f'"x[:, None] - x": ({n}, {n}, {width}),'),
        ("# (4, 1, 2) and (1, 4, 2)", f"# ({n}, 1, {width}) and (1, {n}, {width})"),
        ('"t @ x.T": (5, 4, 4),', f'"t @ x.T": ({batch}, {n}, {n}),'),
        (
            "# (4, 2) @ (2, 4), five times",
            f"# ({n}, {width}) @ ({width}, {n}), {batch} times",
        ),
        ('x[0]": (5, 2),', f'x[0]": ({batch}, {width}),'),
        ("# (5, 2) and (2,)", f"# ({batch}, {width}) and ({width},)"),
    )
    return Variant(f"x of shape ({n}, {width}), t of {batch}", edits, undo)


def logarithm(base):
    edits = (
        (
            "the mean loss, one number, right to four decimals.",
            f"the mean loss with logarithms to base {base}, one number, right to four\n"
            "decimals.",
        ),
        (
            "(shifted.exp().sum(dim=1).log() - of_right).mean()",
            "(shifted.exp().sum(dim=1).log() - of_right).mean() "
            f"/ torch.tensor({base}.0).log()",
        ),
    )
    back = on_result(lambda loss, *_: loss * torch.tensor(float(base)).log().item())
    return Variant(f"logarithms to base {base}", edits, back)


def decay(share):
    edits = (
        (
            "Return the weights after one step against the gradient, "
            "`(classes, numbers)`, right to four decimals.",
            "Return the weights after one step against the gradient with weight\n"
            f"decay, `(classes, numbers)`: `rate` times {share} times `W` is taken "
            "away, too. Give them right to four decimals.",
        ),
        (
            "return W - rate * pull.T @ x / len(x)",
            f"return W - rate * (pull.T @ x / len(x) + {share} * W)",
        ),
    )

    def back(changed, W, x, right, rate):
        return torch.as_tensor(changed) + rate * share * W

    return Variant(f"a step with weight decay {share}", edits, on_result(back))


VARIANTS = {
    1: [sizes(6, 3, 2), sizes(5, 3, 7), sizes(3, 6, 8)],
    2: [logarithm(2), logarithm(10), logarithm(3)],
    3: [decay(0.1), decay(0.05), decay(0.2)],
}
