"""Typical wrong answers of the chapter and the words that name each mistake."""

import math
from types import FunctionType

import numpy as np
import torch
import torch.nn.functional as F
from scipy import special

from helpers.models import load_bert


def wrong_1(names):
    yield (
        lambda scores: scores.exp() / scores.exp().sum(-1, keepdim=True),
        "is infinite",
    )
    yield lambda scores: softmax(scores.T).T, "columns sum to 1"
    yield largest_of_all, "whole table"
    yield lambda scores: softmax(scores.clamp(-85, 85)), "10,000"
    yield lambda scores: softmax(scores, scores.amax(0)), "largest of each column"
    yield lambda scores: softmax(scores, scores.mean(-1, True)), "nan"
    yield lambda scores: softmax(scores.masked_fill(scores < -1e9, -1e4)), "-10,000"
    yield lambda scores: softmax(scores / scores.amax(-1, True)), "Only subtracting"
    yield lambda scores: softmax(scores).log(), "logarithms"
    yield lambda scores: scores.softmax(-1), "calls softmax"
    yield lambda scores: F.softmax(scores, -1), "calls softmax"
    yield torch.nn.Softmax(-1), "calls softmax"
    yield lambda scores: scores.log_softmax(-1).exp(), "calls log_softmax"
    yield lambda scores: special.softmax(scores.numpy(), axis=-1), "calls softmax"
    yield lambda scores: (scores - scores.max(-1, keepdim=True)[0]).exp(), "not divided"
    yield lambda scores: softmax(scores)[0], "shape"
    yield lambda scores: "weights", "one tensor"
    yield torch.ones(3, 3), "without brackets"
    yield lambda scores: softmax(scores).round(decimals=3), "to five decimals"


def largest_of_all(scores):
    shares = (scores - scores.max()).exp()
    return shares / shares.sum(-1, keepdim=True)


def softmax(scores, subtracted=None):
    """Softmax of rows; `subtracted` takes the place of their maxima."""
    if subtracted is None:
        subtracted = scores.amax(dim=-1, keepdim=True)
    shares = (scores - subtracted).exp()
    return shares / shares.sum(dim=-1, keepdim=True)


def wrong_2(names):
    yield mixing(width=lambda heads, d_head: heads * d_head), "hidden size"
    yield mixing(width=lambda heads, d_head: 1), "not been divided"
    yield mixing(late=True), "after the softmax"
    yield mixing(axes=(None, slice(None), None)), "hide keys"
    yield mixing(inverted=True), "wrong way round"
    yield mixing(real=lambda lengths: lengths + 1), "count from 0"
    yield mixing(real=lambda lengths: lengths - 1), "last real piece"
    yield mixing(real=lambda lengths: lengths.max().expand_as(lengths)), "the longest"
    yield mixing(real=lambda lengths: lengths[:1].expand_as(lengths)), "as the first"
    yield mixing(real=lambda lengths: lengths + 99), "all of the padding"
    yield mixing(width=lambda heads, d_head: d_head**2), "not by its root"
    bert = load_bert()
    d_head = bert.hidden_size // bert.n_heads  # which the notebook defines
    yield mixing(width=lambda *sizes: d_head), "running model's d_head"
    yield mixing(closed=0.0), "e to the 0 is 1"
    yield mixing(closed=-1e-9), "e to the 0 is 1"
    yield zero_times_infinity, "multiplied by 0"
    yield mixing(axis=-2), "over the queries"
    yield ready(attention_of_the_notebook()), "calls attention"
    yield ready(F.scaled_dot_product_attention), "calls scaled_dot_product_attention"
    yield mixing(width=lambda heads, d_head: 3 * d_head), "differs from PyTorch's"
    yield lambda query, key, value, lengths: value.transpose(1, 2), "shape"
    yield lambda query, key, value, lengths: query @ key, "stopped with"
    yield lambda query, key, value, lengths: np.zeros(query.shape), "PyTorch's"
    yield mixing(axis=1), "over the heads"
    yield mixing(axis=-2, closed=-math.inf), "on the wrong axis?"
    yield zeroed_keys, "e to the 0 is 1"


def zero_times_infinity(query, key, value, lengths):
    hidden = (torch.arange(key.shape[2]) >= lengths[:, None])[:, None, None]
    scores = query @ key.mT / math.sqrt(query.shape[-1]) + hidden * -math.inf
    return scores.softmax(-1) @ value


def zeroed_keys(query, key, value, lengths):
    real = (torch.arange(key.shape[2]) < lengths[:, None])[:, None, :, None]
    scores = query @ (key * real).mT / math.sqrt(query.shape[-1])
    return scores.softmax(-1) @ value


def attention_of_the_notebook():
    def attention(query, key, value, mask):
        return value

    return FunctionType(attention.__code__, {"__name__": "__main__"})


def ready(attention):
    def attend(query, key, value, lengths):
        real = (torch.arange(key.shape[2]) < lengths[:, None])[:, None, None]
        return attention(query, key, value, real)

    return attend


def mixing(
    width=lambda heads, d_head: d_head,
    late=False,
    axes=None,
    inverted=False,
    real=lambda lengths: lengths,
    closed=-1e9,
    axis=-1,
):
    """Attention for a padded batch, with one thing done otherwise."""
    count = real
    axes = axes or (None, None, slice(None))

    def attend(query, key, value, lengths):
        heads, n, d_head = query.shape[1:]
        real = (torch.arange(n) < count(lengths)[:, None])[(slice(None), *axes)]
        real = ~real if inverted else real
        scores = query @ key.transpose(-2, -1) / math.sqrt(width(heads, d_head))
        if late:
            return (scores.softmax(-1) * real) @ value
        return scores.masked_fill(~real, closed).softmax(axis) @ value

    return attend


def wrong_3(names):
    bert, sentence = names["bert"], "the dog bit the man because he ran"
    ids = bert.tokenizer(sentence, return_tensors="pt").input_ids
    order = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0]  # not its own inverse
    still = torch.ones_like(ids)

    def states(ids, positions=None):
        with torch.inference_mode():
            return bert.model(ids, position_ids=positions).last_hidden_state[0]

    def answer(without, given, **change):
        keys = "sentence", "order", "without_positions", "with_positions"
        values = sentence, order, float(without), float(given)
        return dict(zip(keys, values, strict=True)) | change

    straight, shuffled = states(ids), states(ids[:, order])
    given = (shuffled - straight[order]).abs().max()
    moved, unmoved = states(ids[:, order], still), states(ids, still)
    yield answer((moved - unmoved).abs().max(), given), "same place"
    yield answer((moved[order] - unmoved).abs().max(), given), "once more"
    travelled = states(ids[:, order], torch.tensor([order])) - straight[order]
    yield answer(0, travelled.abs().max()), "travelled"
    yield answer(0, (shuffled - straight[order]).abs().mean()), "mean difference"
    yield answer(1, given), "Are all positions 1"
    yield answer(given, 0), "exchanged"
    yield answer(0, (shuffled - straight).abs().max()), "the same place"
    yield answer(0, float(given) * 1.2), "two significant digits"
    yield answer(0, (shuffled - straight[order]).abs().max(-1)[0].min()), "all pieces"
    yield answer(0, 0, with_positions="much"), "with_positions must be a number"
    yield answer(0, given, order=list(range(10))), "as it was"
    yield answer(0, given, order=order[:-1]), "exactly once"
    yield answer(0, given, order="any"), "whole numbers"
    yield answer(0, given, sentence="too short"), "five words"
    yield (
        answer(0, given, sentence=sentence.split()),
        "must be a string; this is a list",
    )
    yield [0, 0], "keys sentence, order"
