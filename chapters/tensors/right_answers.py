"""Right answers by other ways than the solutions: shapes, a step."""

import numpy as np
import torch
import torch.nn.functional as F

from helpers.exercises.checks import mistakes_of


def right_1(names):
    for said in ("Error", "an error!", "ERROR "):
        yield mistakes_of("tensors.1").truth() | {"x - m": said}


def right_3(names):
    yield by_autograd
    yield by_differences


def by_autograd(W, x, right, rate):
    W.requires_grad_()
    F.cross_entropy(x @ W.T, right).backward()
    return W - rate * W.grad


def by_differences(W, x, right, rate):
    def loss(W):
        return F.cross_entropy(x @ W.T, right)

    gradient = torch.zeros_like(W)
    for place in np.ndindex(*W.shape):
        nudge = torch.zeros_like(W)
        nudge[place] = 0.001
        gradient[place] = (loss(W + nudge) - loss(W)) / 0.001
    return W - rate * gradient
