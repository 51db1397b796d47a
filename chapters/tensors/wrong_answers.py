"""Wrong answers that the tables of mistakes do not hold, and words of the reply."""

import torch
import torch.nn.functional as F

from helpers.exercises.checks import mistakes_of


def wrong_1(names):
    shapes = mistakes_of("tensors.1").truth()
    yield shapes | {"x.sum(dim=1)": 4}, "with a comma: (4,)"
    yield shapes | {"x[:, None] - x": (2, 4, 4)}, "is not (2, 4, 4)"
    yield shapes | {"x[:, None] - x": "error"}, "is not an error"
    yield shapes | {"t @ x.T": "five by four"}, "must be a tuple"
    yield shapes | {"t @ x.T": (5, 4.5, 4)}, "whole number"


def wrong_2(names):
    yield unshifted, "infinite"
    yield by_hand(torch.log), "logarithm of 0"
    yield by_hand(lambda share: (share + 1e-9).log()), "added near 0"
    yield by_hand(lambda share: share.clamp_min(1e-12).log()), "cut off"
    yield lambda *given: F.cross_entropy(*given), "calls cross_entropy"
    yield lambda scores, right: -of(scores.log_softmax(1), right).mean(), "log_softmax"
    yield lambda scores, right: -of(scores.softmax(1), right).log(), "calls softmax"
    yield lambda scores, right: scores.logsumexp(1) - of(scores, right), "a number"


def of(table, right):
    return table[range(len(right)), right]


def by_hand(log):
    """The logarithm of a share that was computed first."""

    def answer(scores, right):
        powers = (scores - scores.amax(1, keepdim=True)).exp()
        return -log(of(powers / powers.sum(1, keepdim=True), right)).mean()

    return answer


def unshifted(scores, right):
    return (scores.exp().sum(1).log() - of(scores, right)).mean()


def wrong_3(names):
    right = mistakes_of("tensors.3").right
    yield lambda *given: right(*given) + 0.1, "differ from"
    yield lambda *given: right(*given).T, "shape"
    yield lambda *given: right(*given).round(decimals=1), "to two decimals"
    yield in_place, "still hold the gradient of the first"


def in_place(W, x, right, rate):
    W.requires_grad_()
    F.cross_entropy(x @ W.T, right).backward()
    with torch.no_grad():
        W -= rate * W.grad
    return W
