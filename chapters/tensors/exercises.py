"""Checks of the chapter, tensors; PyTorch gives the truth."""

import torch
import torch.nn.functional as F

from helpers.exercises import NotYet
from helpers.exercises.asking import (
    a_dict,
    a_function,
    a_list,
    a_number,
    a_whole_number,
    an_array,
    came,
    is_right_to,
    name_mistake,
    name_rounding,
)
from helpers.exercises.running import SOFTMAX, without
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
SLIPS = {
    ("x - m", (4, 2)): "x - m: from the right, 2 stands against 4, and neither is 1. "
    "A missing axis is put in on the left, never on the right.",
    ("c - m", "error"): "c - m: from the right, 1 goes with 4; then 4 stands over a "
    "missing axis, which counts as 1. Nothing stops.",
    ("c - m", (4, 1)): "c - m: a length of 1 is repeated until it fits; m has 4.",
    ("c - m", (4,)): "c - m: the result has as many axes as the longer shape.",
    ("x.sum(dim=1)", (2,)): "x.sum(dim=1): the axis that is named disappears; axis 1 "
    "is the one of length 2.",
    ("x.sum(dim=1)", (4, 1)): "x.sum(dim=1): the axis stays, with length 1, only with "
    "keepdim=True.",
    ("x[:, None] - x", (4, 2)): "x[:, None] - x: None puts a new axis of length 1 "
    "behind the first, so x[:, None] has three.",
    ("x[:, None] - x", (4, 1, 2)): "x[:, None] - x: this is the shape of x[:, None]; "
    "against x its 1 is repeated.",
    ("t @ x.T", (5, 2, 2)): "t @ x.T: the last axis of t meets the first of x.T; both "
    "have length 2 and are summed over.",
    ("t @ x.T", (4, 4)): "t @ x.T: the first axis of t is a batch and stays.",
    ("t.mean(dim=1) * x[0]", (4, 2)): "t.mean(dim=1): axis 0 has length 5, axis 1 has "
    "length 4; the axis that is named disappears.",
    ("t.mean(dim=1) * x[0]", (5, 1, 2)): "t.mean(dim=1): the axis stays, with length "
    "1, only with keepdim=True.",
}


def check_1(answer):
    """A dict: six expressions -> the shape of each, or "error"."""
    given = dict(zip(ASKED, a_dict(answer, ASKED), strict=True))
    given = {name: _shape(shape, name) for name, shape in given.items()}
    wrong = {name: shape for name, shape in given.items() if shape != truth(name)}
    for name, shape in wrong.items():
        if said := SLIPS.get((name, shape)):
            raise NotYet(said)
    for name, shape in wrong.items():
        named = "an error" if shape == "error" else shape
        raise NotYet(
            f"{name} is not {named}. Write the two shapes under each other, the right "
            "ends aligned; an axis that is summed or averaged is gone before."
        )
    return "All six, the error included. Shapes are read from the right."


def truth(name):
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
    a_function(answer, "cross_entropy_by_hand")
    generator = torch_rng(2)
    for n, classes, size in ((5, 3, 1.0), (4, 6, 3.0), (6, 6, 1.0)):
        scores = size * torch.randn(n, classes, generator=generator)
        right = torch.randint(classes, (n,), generator=generator)
        right[:2] = torch.tensor([0, classes - 1])
        _compare_losses(_loss(answer, scores, right), scores, right)
    for height in (1000.0, -1000.0):
        scores = torch.randn(4, 3, generator=generator) + height
        _stable(_loss(answer, scores, torch.tensor([0, 1, 2, 1])), scores, height)
    scores = torch.tensor([[1000.0, 0.0, -1000.0], [0.0, 0.0, 0.0]])
    _stable(_loss(answer, scores, torch.tensor([1, 2])), scores, "1000, 0 and -1000")
    return "Equal to PyTorch's, for scores of 1000 too."


def _loss(answer, scores, right):
    with without("torch.cross_entropy", "torch.nll_loss", *SOFTMAX):
        result = answer(scores, right)
    hint = "Return the mean over the rows."
    return a_number(result, "The loss", finite=False, hint=hint)


def _stable(got, scores, height):
    right = torch.tensor([0, 1, 2, 1] if len(scores) == 4 else [1, 2])
    loss = F.cross_entropy(scores.double(), right).item()
    if abs(got - loss) <= 1e-3 * max(1, abs(loss)):
        return
    if not abs(got) < float("inf"):
        raise NotYet(
            f"For scores of {height} the loss is {got:.3g}: a power was infinite, or a "
            "logarithm of 0 was taken. Take the largest score of each row from the "
            "row, and the logarithm of the sum before you divide."
        )
    raise NotYet(
        f"For scores of {height} the loss is {loss:.4g}, yours is {got:.4g}. Is one "
        "number taken from all rows, or is something cut off or added near 0?"
    )


def _compare_losses(got, scores, right):
    loss = F.cross_entropy(scores, right).item()
    if is_right_to(got, loss, 4, slack=1e-4 * loss):
        return
    rows, n = torch.arange(len(right)), len(right)
    log_shares, shares = scores.log_softmax(1), scores.softmax(1)
    of_right = log_shares[rows, right]
    mistakes = [
        (LOSS_SLIPS[0], -of_right.sum()),
        (LOSS_SLIPS[1], of_right.mean()),
        (LOSS_SLIPS[2], -of_right.mean() / torch.tensor(2.0).log()),
        (LOSS_SLIPS[2], -of_right.mean() / torch.tensor(10.0).log()),
        (LOSS_SLIPS[3], -scores.log_softmax(0)[rows, right].mean()),
        (LOSS_SLIPS[4], -log_shares.mean()),
        (LOSS_SLIPS[4], -log_shares.sum() / n),
        (LOSS_SLIPS[4], -log_shares.sum()),
        (LOSS_SLIPS[5], -log_shares[:, right].mean()),
        (LOSS_SLIPS[6], 1 - shares[rows, right].mean()),
        (LOSS_SLIPS[6], shares[rows, right].mean()),
        (LOSS_SLIPS[7], -shares[rows, right].mean().log()),
        (LOSS_SLIPS[8], -scores[rows, right].mean()),
        (LOSS_SLIPS[9], -shares.log_softmax(1)[rows, right].mean()),
        (LOSS_SLIPS[10], scores.logsumexp(1).mean()),
        (LOSS_SLIPS[11], -scores.flatten().log_softmax(0)[right].mean()),
        (LOSS_SLIPS[12], -of_right[0]),
    ]
    mistakes = [(said, float(wrong)) for said, wrong in mistakes]
    name_mistake(got, mistakes, rtol=1e-4)
    name_rounding(got, loss, 4, "The loss")
    raise NotYet(f"For the shape {tuple(scores.shape)} the loss is off: {got:.6g}.")


LOSS_SLIPS = (
    "This is the sum over the rows; asked for is their mean.",
    "The sign is missing: the logarithm of a share is negative, the loss is not.",
    "This is a logarithm to another base; the loss takes the natural one.",
    "The columns were made to sum to 1, not the rows: the classes are the last axis.",
    "These are the logarithms of all shares; only the one of the right class counts.",
    "scores[:, right] takes the columns `right` of every row. For one number a row "
    "index both axes: scores[range(n), right].",
    "There is no logarithm: this is the mean of the shares, or of what they lack.",
    "The mean was taken before the logarithm. Each row has a loss of its own; their "
    "mean comes last.",
    "These are the scores of the right classes themselves; the sum over all classes "
    "is missing.",
    "The softmax was done twice.",
    "The score of the right class is not taken away from the logarithm of the sum.",
    "All scores of the table share one sum; each row needs its own.",
    "This is the loss of the first row alone.",
)


def check_3(answer):
    """A function: W, x, right, rate -> the weights after one step."""
    a_function(answer, "one_step")
    generator = torch_rng(3)
    for classes, numbers, n, rate in ((3, 2, 4, 0.1), (4, 4, 4, 0.5), (2, 5, 7, 1.0)):
        W = torch.randn(classes, numbers, generator=generator)
        x = torch.randn(n, numbers, generator=generator) + 0.5
        right = torch.randint(classes, (n,), generator=generator)
        result = answer(W, x, right, rate)
        got = torch.from_numpy(
            an_array(result, (classes, numbers), "The new weights")
        ).float()
        _compare_steps(got, W, x, right, rate)
    before = F.cross_entropy(x @ W.T, right)
    after = F.cross_entropy(x @ got.T, right)
    return (
        f"The last of three steps took the loss from {before:.3f} to {after:.3f}, "
        "straight down the gradient."
    )


def _compare_steps(got, W, x, right, rate):
    gradient = _gradient(W, x, right)
    if torch.allclose(got, W - rate * gradient, atol=5e-3 * rate, rtol=1e-6):
        return
    n, classes = len(x), len(W)
    shares = (x @ W.T).softmax(1)
    by_column = (x @ W.T).softmax(0)
    one_hot = F.one_hot(right, classes).float()
    mistakes = [
        (STEP_SLIPS[0], W + rate * gradient),
        (STEP_SLIPS[1], W - rate * n * gradient),
        (STEP_SLIPS[2], W - gradient),
        (STEP_SLIPS[3], gradient),
        (STEP_SLIPS[3], rate * gradient),
        (STEP_SLIPS[3], -rate * gradient),
        (STEP_SLIPS[4], W - rate * shares.T @ x / n),
        (STEP_SLIPS[5], W + rate * one_hot.T @ x / n),
        (STEP_SLIPS[6], W - rate * gradient / classes),
        (STEP_SLIPS[7], W - rate * (by_column - one_hot).T @ x / n),
        (STEP_SLIPS[8], W - rate * _gradient(W, x[:1], right[:1])),
        (STEP_SLIPS[9], _two_steps(W, x, right, rate)),
        (STEP_SLIPS[10], W),
        (STEP_SLIPS[11], W - rate * gradient.sign()),
        (STEP_SLIPS[12], W - rate * gradient / gradient.norm()),
        (STEP_SLIPS[9], W - rate * 2 * gradient),
    ]
    name_mistake(got, mistakes, rtol=1e-6, atol=5e-3 * rate)
    name_rounding(got, W - rate * gradient, 4, "Each weight")
    off = (got - (W - rate * gradient)).abs().max()
    raise NotYet(
        f"For {n} words, {classes} classes and the rate {rate} your weights differ "
        f"from those expected by up to {off:.3g}."
    )


def _gradient(W, x, right):
    W = W.clone().requires_grad_()
    with torch.enable_grad():
        return torch.autograd.grad(F.cross_entropy(x @ W.T, right), W)[0]


def _two_steps(W, x, right, rate):
    once = W - rate * _gradient(W, x, right)
    return once - rate * _gradient(once, x, right)


STEP_SLIPS = (
    "The step goes up the gradient, and the loss grows: subtract it.",
    "The step is n times too long: this is the gradient of the sum of the losses, and "
    "the loss is their mean.",
    "The learning rate is missing: the step is the rate times the gradient.",
    "This is the gradient, or the step, alone; asked for are the weights after it.",
    "The right class is missing: from its share 1 is subtracted before the step.",
    "Only the right class is pulled. The others have to give up their shares as well.",
    "The step is divided by the number of classes too: is the mean taken over the "
    "whole table?",
    "The softmax went down the columns: the shares of one word sum to 1.",
    "This is the step for the first word alone.",
    "The step is twice too long. Are these two steps, or was backward called twice? "
    "It adds to the gradient that is there.",
    "The weights are what they were.",
    "Only the sign of the gradient was used; its size counts as well.",
    "The gradient was scaled to length 1; its own length counts.",
)
