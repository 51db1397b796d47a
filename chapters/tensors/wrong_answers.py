"""Typical wrong answers of the chapter and the words that name each mistake."""

import numpy as np
import torch
import torch.nn.functional as F

SHAPES = {
    "x - m": "error",
    "c - m": (4, 4),
    "x.sum(dim=1)": (4,),
    "x[:, None] - x": (4, 4, 2),
    "t @ x.T": (5, 4, 4),
    "t.mean(dim=1) * x[0]": (5, 2),
}


def wrong_1(names):
    yield SHAPES | {"x - m": (4, 2)}, "put in on the left"
    yield SHAPES | {"c - m": "error"}, "Nothing stops"
    yield SHAPES | {"c - m": (4, 1)}, "repeated until it fits"
    yield SHAPES | {"c - m": (4,)}, "as many axes"
    yield SHAPES | {"x.sum(dim=1)": (2,)}, "disappears"
    yield SHAPES | {"x.sum(dim=1)": (4, 1)}, "keepdim"
    yield SHAPES | {"x.sum(dim=1)": 4}, "with a comma: (4,)"
    yield SHAPES | {"x[:, None] - x": (4, 2)}, "behind the first"
    yield SHAPES | {"x[:, None] - x": (4, 1, 2)}, "its 1 is repeated"
    yield SHAPES | {"x[:, None] - x": (2, 4, 4)}, "is not (2, 4, 4)"
    yield SHAPES | {"x[:, None] - x": "error"}, "is not an error"
    yield SHAPES | {"t @ x.T": (5, 2, 2)}, "summed over"
    yield SHAPES | {"t @ x.T": (4, 4)}, "is a batch"
    yield SHAPES | {"t.mean(dim=1) * x[0]": (4, 2)}, "axis 0 has length 5"
    yield SHAPES | {"t.mean(dim=1) * x[0]": (5, 1, 2)}, "keepdim"
    yield SHAPES | {"t @ x.T": "five by four"}, "must be a tuple"
    yield SHAPES | {"t @ x.T": (5, 4.5, 4)}, "whole number"
    yield list(SHAPES.values()), "a dict with the keys"


def wrong_2(names):
    yield by_hand(mean=torch.sum), "the sum over the rows"
    yield lambda *given: -by_hand()(*given), "sign is missing"
    yield by_hand(log=torch.log2), "another base"
    yield by_hand(log=torch.log10), "another base"
    yield by_hand(axis=0), "The columns"
    yield by_hand(chosen=lambda table, right: table), "logarithms of all shares"
    yield by_hand(chosen=lambda table, right: table[:, right]), "index both axes"
    yield by_hand(log=lambda share: 1 - share, sign=1), "no logarithm"
    yield mean_first, "before the logarithm"
    yield lambda scores, right: -of(scores, right).mean(), "sum over all classes"
    yield by_hand(before=lambda scores: softmax(scores, 1)), "done twice"
    yield lambda scores, right: scores.logsumexp(1).mean(), "not taken away"
    yield lambda scores, right: by_hand()(scores[:1], right[:1]), "first row alone"
    yield unshifted, "infinite"
    yield by_hand(), "logarithm of 0"
    yield by_hand(log=lambda share: (share + 1e-9).log()), "added near 0"
    yield by_hand(log=lambda share: share.clamp_min(1e-12).log()), "cut off"
    yield F.cross_entropy, "calls cross_entropy"
    yield lambda *given: F.cross_entropy(*given), "calls cross_entropy"
    yield lambda scores, right: -of(scores.log_softmax(1), right).mean(), "log_softmax"
    yield lambda scores, right: -of(scores.softmax(1), right).log(), "calls softmax"
    yield lambda scores, right: scores.logsumexp(1) - of(scores, right), "a number"
    yield 1.1, "without brackets"
    yield lambda *given: by_hand()(*given).round(decimals=2), "to four decimals"


def of(table, right):
    return table[range(len(right)), right]


def softmax(scores, axis):
    powers = (scores - scores.amax(axis, keepdim=True)).exp()
    return powers / powers.sum(axis, keepdim=True)


def by_hand(
    mean=torch.mean,
    log=torch.log,
    axis=1,
    chosen=of,
    sign=-1,
    before=lambda scores: scores,
):
    """The logarithm of a share that was computed first, with one thing otherwise."""

    def answer(scores, right):
        shares = softmax(before(scores), axis)
        return sign * mean(log(chosen(shares, right)))

    return answer


def mean_first(scores, right):
    return -of(softmax(scores, 1), right).mean().log()


def unshifted(scores, right):
    return (scores.exp().sum(1).log() - of(scores, right)).mean()


def wrong_3(names):
    yield step(lambda W, move: W + move), "up the gradient"
    yield step(scale=lambda n, classes: n), "n times too long"
    yield lambda W, x, right, rate: step()(W, x, right, 1), "rate is missing"
    yield step(lambda W, move: move), "alone"
    yield step(lambda W, move: -move), "alone"
    yield lambda W, x, right, rate: step(lambda W, m: m)(W, x, right, 1), "alone"
    yield step(pull=lambda shares, hot: shares), "right class is missing"
    yield step(pull=lambda shares, hot: -hot), "Only the right class"
    yield step(scale=lambda n, classes: 1 / classes), "number of classes"
    yield step(axis=0), "down the columns"
    yield lambda W, x, right, rate: step()(W, x[:1], right[:1], rate), "first word"
    yield twice, "twice too long"
    yield lambda W, x, right, rate: W, "what they were"
    yield step(lambda W, move: W - move.sign() * 0.1), "Only the sign"
    yield step(lambda W, move: W - move / move.norm()), "differ from"
    yield backward_twice, "twice too long"
    yield step(lambda W, move: (W - move).T), "shape"
    yield lambda W, x, right, rate: rate, "one array"
    yield lambda W, x, right, rate: W.backward(), "stopped with"
    yield step, "this is a function"
    yield np.ones((3, 2)), "without brackets"
    yield lambda *given: step()(*given).round(decimals=1), "to four decimals"


def step(
    moved=lambda W, move: W - move,
    scale=lambda n, classes: 1,
    pull=lambda shares, hot: shares - hot,
    axis=1,
):
    """One step by the formula, with one thing done otherwise."""

    def answer(W, x, right, rate):
        n, classes = len(x), len(W)
        pulled = pull((x @ W.T).softmax(axis), F.one_hot(right, classes).float())
        return moved(W, rate * pulled.T @ x / n * scale(n, classes))

    return answer


def twice(W, x, right, rate):
    return step()(step()(W, x, right, rate), x, right, rate)


def backward_twice(W, x, right, rate):
    weight = W.clone().requires_grad_()
    for _ in range(2):
        F.cross_entropy(x @ weight.T, right).backward()
    return W - rate * weight.grad
