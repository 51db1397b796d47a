"""Typical wrong answers of the chapter and the words that name each mistake."""

import math

import numpy as np
import torch


def wrong_1(names):
    yield lambda scores: scores.exp() / scores.exp().sum(-1, keepdim=True), "overflows"
    yield lambda scores: scores.softmax(dim=0), "columns sum to 1"
    yield largest_of_all, "whole table"
    yield clipped, "10,000"
    yield lambda scores: (scores - scores.max(-1, keepdim=True)[0]).exp(), "rows sum to"
    yield lambda scores: scores.softmax(dim=-1)[0], "shape"
    yield lambda scores: "weights", "one tensor"
    yield torch.ones(3, 3), "without brackets"


def largest_of_all(scores):
    shares = (scores - scores.max()).exp()
    return shares / shares.sum(-1, keepdim=True)


def clipped(scores):
    return scores.clamp(-85, 85).softmax(dim=-1)


def wrong_2(names):
    yield mixing(width=lambda heads, d_head: heads * d_head), "hidden size"
    yield mixing(width=lambda heads, d_head: 1), "not been divided"
    yield mixing(late=True), "after the softmax"
    yield mixing(axes=(None, slice(None), None)), "hide keys"
    yield mixing(inverted=True), "wrong way round"
    yield mixing(width=lambda heads, d_head: 3 * d_head), "differs from PyTorch's"
    yield lambda query, key, value, lengths: value.transpose(1, 2), "shape"
    yield lambda query, key, value, lengths: query @ key, "stopped with"
    yield lambda query, key, value, lengths: np.zeros(query.shape), "PyTorch's"


def mixing(width=lambda heads, d_head: d_head, late=False, axes=None, inverted=False):
    """Attention for a padded batch, with one thing done otherwise."""
    axes = axes or (None, None, slice(None))

    def attend(query, key, value, lengths):
        heads, n, d_head = query.shape[1:]
        real = (torch.arange(n) < lengths[:, None])[(slice(None), *axes)]
        real = ~real if inverted else real
        scores = query @ key.transpose(-2, -1) / math.sqrt(width(heads, d_head))
        if late:
            return (scores.softmax(-1) * real) @ value
        return scores.masked_fill(~real, -1e9).softmax(-1) @ value

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
    yield answer(0, (shuffled - straight[order]).abs().mean()), "over all pieces"
    yield answer(1, given), "Are all positions 1"
    yield answer(0, 0, with_positions="much"), "with_positions must be a number"
    yield answer(0, given, order=list(range(10))), "as it was"
    yield answer(0, given, order=order[:-1]), "exactly once"
    yield answer(0, given, order="any"), "whole numbers"
    yield answer(0, given, sentence="too short"), "five words"
    yield [0, 0], "keys sentence, order"
