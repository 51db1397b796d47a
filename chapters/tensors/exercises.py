"""Checks of the chapter, tensors; PyTorch gives the truth."""

import torch
import torch.nn.functional as F

from helpers.exercises import NotYet
from helpers.exercises.asking import (
    a_dict,
    a_list,
    a_whole_number,
    an_array,
    came,
    is_right_to,
)
from helpers.exercises.mistakes import Choices, Mistakes
from helpers.exercises.running import SOFTMAX
from helpers.exercises.seeds import torch_rng

SHAPES = {"x": (4, 2), "m": (4,), "c": (4, 1), "t": (5, 4, 2)}
ASKED = {
    "x - m": lambda x, m, c, t: x - m,
    "c - m": lambda x, m, c, t: c - m,
    "x.sum(dim=1)": lambda x, m, c, t: x.sum(dim=1),
    "x[:, None] - x": lambda x, m, c, t: x[:, None] - x,
    "t @ x.T": lambda x, m, c, t: t @ x.T,
    "t.mean(dim=1) * x[0]": lambda x, m, c, t: t.mean(dim=1) * x[0],
}
SHAPE_MISTAKES = {
    "x - m: from the right, 2 stands against 4, and neither is 1. A missing axis "
    "is put in on the left, never on the right.": {"x - m": (4, 2)},
    "c - m: from the right, 1 goes with 4; then 4 stands over a missing axis, "
    "which counts as 1. Nothing stops.": {"c - m": "error"},
    "c - m: a length of 1 is repeated until it fits; m has 4.": {"c - m": (4, 1)},
    "x.sum(dim=1): the axis that is named disappears; axis 1 is the one of length 2.": {
        "x.sum(dim=1)": (2,)
    },
    "x.sum(dim=1): the axis stays, with length 1, only with keepdim=True.": {
        "x.sum(dim=1)": (4, 1)
    },
    "x[:, None] - x: None puts a new axis of length 1 behind the first, so x[:, "
    "None] has three.": {"x[:, None] - x": (4, 2)},
    "x[:, None] - x: this is the shape of x[:, None]; against x its 1 is repeated.": {
        "x[:, None] - x": (4, 1, 2)
    },
    "t @ x.T: the last axis of t meets the first of x.T; both have length 2 and "
    "are summed over.": {"t @ x.T": (5, 2, 2)},
    "t.mean(dim=1): axis 0 has length 5, axis 1 has length 4; the axis that is "
    "named disappears.": {"t.mean(dim=1) * x[0]": (4, 2)},
}


def check_1(answer):
    """A dict: six expressions -> the shape of each, or "error"."""
    given = dict(zip(ASKED, a_dict(answer, ASKED), strict=True))
    given = {name: _shape(shape, name) for name, shape in given.items()}
    TABLES[1].judge(given, _not_so)
    return "All six, the error included. Shapes are read from the right."


def _not_so(name, shape):
    named = "an error" if shape == "error" else shape
    return (
        f"{name} is not {named}. Write the two shapes under each other, the right "
        "ends aligned; an axis that is summed or averaged is gone before."
    )


def _truth(name):
    """The shape of an expression, or "error"."""
    try:
        return tuple(ASKED[name](*map(torch.zeros, SHAPES.values())).shape)
    except RuntimeError:
        return "error"


def _shape(shape, name):
    if isinstance(shape, str) and "error" in shape.lower():
        return "error"
    if isinstance(shape, str):
        raise NotYet(
            f'{name} must be a tuple, such as (4, 2), or the text "error"; this is '
            f"{came(shape)}."
        )
    if isinstance(shape, int):
        raise NotYet(
            f"{name} must be a tuple; this is a number. A shape of one axis is written "
            f"with a comma: ({shape},)."
        )
    return tuple(a_list(shape, name, each=a_whole_number))


def check_2(answer):
    """A function: scores (n, classes), right (n,) -> the mean cross-entropy."""
    generator, cases = torch_rng(2), []
    for n, classes, size in ((5, 3, 1.0), (4, 6, 3.0), (1, 4, 1.0), (6, 6, 1.0)):
        scores = size * torch.randn(n, classes, generator=generator)
        right = torch.randint(classes, (n,), generator=generator)
        right[:2] = torch.tensor([0, classes - 1])[:n]
        cases.append((scores, right))
    scores, right = torch.randn(4, 3, generator=generator), torch.tensor([0, 1, 2, 1])
    unlike = torch.tensor([[1000.0, 0.0, -1000.0], [0.0, 0.0, 0.0]])
    large = [(scores + 1000, right), (scores - 1000, right)]
    large.append((unlike, torch.tensor([1, 2])))
    forbid = ("torch.cross_entropy", "torch.nll_loss", *SOFTMAX)
    name = "cross_entropy_by_hand"
    TABLES[2].ask(name, answer, cases, large, forbid=forbid, otherwise=_loss_off)
    return "Equal to PyTorch's, for scores of 1000 too."


def _is_large(scores):
    return scores.abs().max() > 100


def _loss_off(got, wanted, scores, right):
    if not _is_large(scores):
        return TABLES[2].told(got, wanted, scores, right)
    return (
        f"For scores from {scores.min():.0f} to {scores.max():.0f} the loss is "
        f"{wanted:.4g}; yours is {got:.4g}. Is a power infinite, or a logarithm of 0 "
        "taken? Take the largest score of each row from the row, and the logarithm of "
        "the sum before dividing."
    )


def _near_loss(got, wanted, scores, right):
    if _is_large(scores):
        return abs(got - wanted) <= 1e-3 * max(1, abs(wanted))
    return is_right_to(got, wanted, 4, slack=1e-4 * abs(wanted))


def _of(table, right):
    return table[range(len(right)), right]


LOSS_MISTAKES = {
    "This is the sum over the rows; asked for is their mean.": (
        lambda scores, right: F.cross_entropy(scores, right, reduction="sum")
    ),
    "The sign is missing: the logarithm of a share is negative, the loss is not.": (
        lambda scores, right: -F.cross_entropy(scores, right)
    ),
    "The columns were made to sum to 1, not the rows: the classes are the last axis.": (
        lambda scores, right: -_of(scores.log_softmax(0), right).mean()
    ),
    "These are the logarithms of all shares; only the one of the right class counts.": (
        lambda scores, right: -scores.log_softmax(1).mean(),
        lambda scores, right: -scores.log_softmax(1).sum(1).mean(),
        lambda scores, right: -scores.log_softmax(1).sum(),
    ),
    "scores[:, right] takes the columns `right` of every row. For one number a row "
    "index both axes: scores[range(n), right].": (
        lambda scores, right: -scores.log_softmax(1)[:, right].mean()
    ),
    "There is no logarithm: this is the mean of the shares, or of what they lack.": (
        lambda scores, right: 1 - _of(scores.softmax(1), right).mean(),
        lambda scores, right: _of(scores.softmax(1), right).mean(),
    ),
    "The mean was taken before the logarithm. Each row has a loss of its own; their "
    "mean comes last.": (
        lambda scores, right: -_of(scores.softmax(1), right).mean().log()
    ),
    "These are the scores of the right classes themselves; the sum over all classes "
    "is missing.": lambda scores, right: -_of(scores, right).mean(),
    "The score of the right class is not taken away from the logarithm of the sum.": (
        lambda scores, right: scores.logsumexp(1).mean()
    ),
}


def check_3(answer):
    """A function: W, x, right, rate -> the weights after one step."""
    generator, cases = torch_rng(3), []
    for classes, numbers, n, rate in ((3, 2, 4, 0.5), (4, 4, 4, 2.0), (3, 4, 1, 0.5)):
        W = torch.randn(classes, numbers, generator=generator)
        x = torch.randn(n, numbers, generator=generator) + 0.5
        cases.append((W, x, torch.randint(classes, (n,), generator=generator), rate))
    TABLES[3].ask("one_step", answer, cases)
    W, *others = cases[0]
    _repeat(answer, answer(W, *others), *others)
    before, after = (
        F.cross_entropy(others[0] @ weights.T, others[1])
        for weights in (W, _moved(W, *others))
    )
    return (
        f"The first of our steps took the loss from {before:.3f} to {after:.3f}, "
        "straight down the gradient."
    )


def _repeat(answer, W, x, right, rate):
    """Use a step on what it returned, which may hold the gradient of the first."""
    if getattr(W, "is_leaf", False) and W.grad is not None:
        got = an_array(answer(W, x, right, rate), tuple(W.shape), "The new weights")
        if not is_right_to(got, _moved(W.detach(), x, right, rate), STEP_DIGITS):
            raise NotYet(
                "One step is right, a second one on the weights that it returned is "
                "not: they still hold the gradient of the first, and backward adds to "
                "it."
            )


def _pull(W, x, right, dim=1):
    """The gradient of the mean loss: shares less one at the right class, times x."""
    shares = (x @ W.T).softmax(dim)
    return (shares - _one_hot(right, W)).T @ x / len(x)


def _moved(W, x, right, rate):
    return W - rate * _pull(W, x, right)


def _one_hot(right, W):
    return F.one_hot(right, len(W)).float()


STEP_DIGITS = 2  # as many as differences of 32 bits are sure to have
STEP_MISTAKES = {
    "The step goes up the gradient, and the loss grows: subtract it.": (
        lambda W, x, right, rate: W + rate * _pull(W, x, right)
    ),
    "The step is n times too long: this is the gradient of the sum of the losses, and "
    "the loss is their mean.": (
        lambda W, x, right, rate: W - rate * len(x) * _pull(W, x, right)
    ),
    "The learning rate is missing: the step is the rate times the gradient.": (
        lambda W, x, right, rate: W - _pull(W, x, right)
    ),
    "This is the gradient, or the step, alone; asked for are the weights after it.": (
        lambda W, x, right, rate: _pull(W, x, right),
        lambda W, x, right, rate: rate * _pull(W, x, right),
        lambda W, x, right, rate: -rate * _pull(W, x, right),
    ),
    "The right class is missing: from its share 1 is subtracted before the step.": (
        lambda W, x, right, rate: W - rate * (x @ W.T).softmax(1).T @ x / len(x)
    ),
    "Only the right class is pulled. The others have to give up their shares as "
    "well.": lambda W, x, right, rate: W + rate / len(x) * _one_hot(right, W).T @ x,
    "The softmax went down the columns: the shares of one word sum to 1.": (
        lambda W, x, right, rate: W - rate * _pull(W, x, right, dim=0)
    ),
    "The step is twice too long. Are these two steps, or was backward called twice? "
    "It adds to the gradient that is there.": (
        lambda W, x, right, rate: _moved(_moved(W, x, right, rate), x, right, rate),
        lambda W, x, right, rate: _moved(W, x, right, 2 * rate),
    ),
}

TABLES = {
    1: Choices(lambda: {name: _truth(name) for name in ASKED}, SHAPE_MISTAKES),
    2: Mistakes(F.cross_entropy, LOSS_MISTAKES, "The loss", near=_near_loss),
    3: Mistakes(_moved, STEP_MISTAKES, "Each weight", digits=STEP_DIGITS),
}
