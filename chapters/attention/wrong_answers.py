"""Wrong answers that the tables of mistakes do not hold, and words of the reply."""

import math
from types import FunctionType

import torch
import torch.nn.functional as F
from scipy import special

from helpers.exercises.checks import mistakes_of


def wrong_1(names):
    yield (
        lambda scores: scores.exp() / scores.exp().sum(-1, keepdim=True),
        "is infinite",
    )
    yield lambda scores: softmax(scores, scores.max()), "whole table"
    yield lambda scores: softmax(scores.clamp(-85, 85)), "10,000"
    yield lambda scores: softmax(scores, scores.mean(-1, True)), "nan"
    yield lambda scores: softmax(scores.masked_fill(scores < -1e9, -1e4)), "-10,000"
    yield lambda scores: softmax(scores) / 0, "Ordinary scores give"
    yield lambda scores: softmax(scores) / 2, "your rows sum to 0.5"
    yield lambda scores: scores.softmax(-1), "calls softmax"
    yield lambda scores: special.softmax(scores.numpy(), axis=-1), "calls softmax"
    yield lambda scores: softmax(scores)[0], "shape"


def softmax(scores, subtracted=None):
    """Softmax of rows; `subtracted` takes the place of their maxima."""
    if subtracted is None:
        subtracted = scores.amax(dim=-1, keepdim=True)
    shares = (scores - subtracted).exp()
    return shares / shares.sum(dim=-1, keepdim=True)


def wrong_2(names):
    yield attending(closed=-math.inf, axis=-2), "on the wrong axis?"
    yield attending(closed=-1e-9), "e to the 0 is 1"
    yield attending(closed=-20.0), "the padding still wins"
    yield attending(own=True), "is nan"
    yield attending(infinite=True), "multiplied by 0"
    yield ready(attention_of_the_notebook()), "calls attention"
    yield ready(F.scaled_dot_product_attention), "calls scaled_dot_product_attention"
    yield lambda query, key, value, lengths: value.transpose(1, 2), "shape"
    yield lambda query, key, value, lengths: 0 * query, "differs from PyTorch's"


def attending(closed=-1e9, axis=-1, own=False, infinite=False):
    """Attention for a padded batch, with one thing done otherwise."""

    def attend(query, key, value, lengths):
        real = (torch.arange(key.shape[2]) < lengths[:, None])[:, None, None]
        scores = query @ key.mT / math.sqrt(query.shape[-1])
        if infinite:
            scores = scores + ~real * -math.inf
        scores = scores.masked_fill(~real, closed)
        shares = scores.exp() / scores.exp().sum(-1, keepdim=True)
        return (shares if own else scores.softmax(axis)) @ value

    return attend


def attention_of_the_notebook():
    def attention(query, key, value, mask):
        return value

    return FunctionType(attention.__code__, {"__name__": "__main__"})


def ready(attention):
    def attend(query, key, value, lengths):
        real = (torch.arange(key.shape[2]) < lengths[:, None])[:, None, None]
        return attention(query, key, value, real)

    return attend


def wrong_3(names):
    table = mistakes_of("attention.3")
    answer = table.answer(table.right)
    order = answer["order"]
    given = answer["with_positions"]
    yield answer | {"without_positions": 1.0}, "Are all positions 1"
    yield answer | {"without_positions": given}, "numbers are alike"
    yield answer | {"with_positions": 1e-6}, "travelled"
    yield answer | {"with_positions": given / 60}, "not a mean"
    yield answer | {"with_positions": given * 1.2}, "two significant digits"
    yield answer | {"order": sorted(order)}, "as it was"
    yield answer | {"order": order[:-1]}, "exactly once"
    yield answer | {"order": [*order[:-1], order[0]]}, "exactly once"
    yield answer | {"sentence": "too short for it"}, "five words"
    yield answer | {"sentence": "far too long " * 200}, "longer than the model"
