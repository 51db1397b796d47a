"""Right answers by other ways than the solutions: shapes, a loss, a step."""

import numpy as np
import torch
import torch.nn.functional as F
from scipy.special import logsumexp

from helpers.exercises.checks import mistakes_of


def right_1(names):
    for said in ("Error", "an error!", "ERROR "):
        yield mistakes_of("tensors.1").truth() | {"x - m": said}


def right_2(names):
    yield lambda scores, right: (scores.logsumexp(1) - of(scores, right)).mean()
    yield by_numpy


def of(table, right):
    return table.gather(1, right[:, None])[:, 0]


def by_numpy(scores, right):
    scores, right = scores.numpy(), right.numpy()
    return np.mean(logsumexp(scores, axis=1) - scores[np.arange(len(right)), right])


def right_3(names):
    yield by_autograd
    yield by_differences
    yield one_word_at_a_time


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


def one_word_at_a_time(W, x, right, rate):
    words = [(x[i : i + 1], right[i : i + 1]) for i in range(len(x))]
    return sum(by_autograd(W.detach(), *word, rate) for word in words) / len(words)
