"""Wrong answers that the tables of mistakes do not hold, and words of the reply."""

import numpy as np
import torch

from helpers.exercises.checks import mistakes_of

SPECIAL = ("[CLS]", "[SEP]", "[PAD]")


def wrong_1(names):
    def of_row(reduce):
        return lambda attention, layer, head, i: reduce(attention[layer, head, i])

    def but(place):
        return of_row(lambda row: (row * (np.arange(len(row)) != place)).argmax())

    def both_ways(attention, layer, head, i):
        return (attention[layer, head] + attention[layer, head].T)[i].argmax()

    yield of_row(lambda row: row.max()), "whole number"
    yield of_row(lambda row: "the"), "whole number"
    yield of_row(lambda row: -1), "from 0 to"
    yield of_row(lambda row: row.argmax() + 1), "from 0 to"
    yield (lambda att, layer, head, i: att[layer, head].argmax()), "from 0 to"
    for answer in (
        of_row(lambda row: 0),
        of_row(lambda row: row.argsort()[-2]),
        but(0),
        of_row(lambda row: row[:-1].argmax()),
        lambda att, layer, head, i: att[0, head, i].argmax(),
        lambda att, layer, head, i: att[layer, 0, i].argmax(),
        lambda att, layer, head, i: att[layer, head, i - 1].argmax(),
        both_ways,
    ):
        yield answer, "another token gets more"


def wrong_2(names):
    right = mistakes_of("seeing-attention.2").right

    def places(tokens):
        word = ~np.isin(tokens, SPECIAL)
        return 1 + np.flatnonzero(word[1:] & word[:-1])

    def own_share(att, tokens):
        att = att * ~np.isin(tokens, SPECIAL)
        return right(att / att.sum(axis=-1, keepdims=True), tokens)

    def crossed(att, tokens):
        at = places(tokens)
        return att[:, :, at][..., at - 1].mean(axis=(-2, -1))

    def over_pairs(reduce, step=1, choose=slice(None)):
        def score(att, tokens):
            at = places(tokens)[choose]
            return reduce(att[:, :, at, at - step], axis=-1)

        return score

    for answer in (
        own_share,
        crossed,
        over_pairs(np.mean, choose=slice(1, None)),
        over_pairs(np.mean, choose=slice(-1)),
        over_pairs(np.mean, step=0),
        over_pairs(np.mean, step=2),
        over_pairs(np.max),
        over_pairs(np.median),
        lambda att, tokens: right(att, tokens) * 0,
    ):
        yield answer, "not the mean weight"
    yield (lambda att, tokens: right(att, tokens).round(1)), "right to three decimals"
    yield (lambda att, tokens: right(att, tokens).round(2)), "right to three decimals"
    yield (lambda att, tokens: right(att, tokens).mean(axis=-1)), "(layers, heads)"
    yield (lambda att, tokens: right(att, tokens).T), "(layers, heads)"
    yield (lambda att, tokens: "high"), "one array of numbers"


def wrong_3(names):
    right = mistakes_of("seeing-attention.3").right
    unknown = "not the exponential of the entropy"
    yield (lambda a: right(a).mean(axis=-1)), "(layers, heads, tokens)"
    yield (lambda a: right(a) + 1), unknown
    yield (lambda a: (a > 0.01).sum(axis=-1)), unknown
    yield (lambda a: 2 ** np.log(right(a))), unknown
    yield (lambda a: np.where((a == 0).any(-1), np.inf, right(a))), "no logarithm"
    yield (lambda a: right(a).round(1)), "right to three decimals"
    yield (lambda a: right(a).round(2)), "right to three decimals"
    yield (
        (lambda a: torch.distributions.Categorical(torch.tensor(a)).entropy()),
        ("take its exponential"),
    )
