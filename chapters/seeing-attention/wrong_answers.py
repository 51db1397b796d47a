"""Wrong answers that the tables of mistakes do not hold, and words of the reply."""

import numpy as np

from helpers.exercises.checks import mistakes_of

SPECIAL = ("[CLS]", "[SEP]", "[PAD]")


def wrong_1(names):
    def of_row(reduce):
        return lambda attention, layer, head, i: reduce(attention[layer, head, i])

    def but(place):
        return of_row(lambda row: (row * (np.arange(len(row)) != place)).argmax())

    yield of_row(lambda row: -1), "from 0 to"
    for answer in (
        of_row(lambda row: row.argsort()[-2]),
        but(0),
        lambda att, layer, head, i: att[0, head, i].argmax(),
        lambda att, layer, head, i: att[layer, 0, i].argmax(),
        lambda att, layer, head, i: att[layer, head, i - 1].argmax(),
    ):
        yield answer, "another token gets more"


def wrong_2(names):
    right = mistakes_of("seeing-attention.2").right

    def own_share(att, tokens):
        att = att * ~np.isin(tokens, SPECIAL)
        return right(att / att.sum(axis=-1, keepdims=True), tokens)

    for answer in (
        own_share,
        lambda att, tokens: right(att, tokens) * 0,
    ):
        yield answer, "not the mean weight"
    yield (lambda att, tokens: right(att, tokens).T), "(layers, heads)"


def wrong_3(names):
    right = mistakes_of("seeing-attention.3").right
    unknown = "not the exponential of the entropy"
    yield (lambda a: right(a).mean(axis=-1)), "(layers, heads, tokens)"
    yield (lambda a: 2 ** np.log(right(a))), unknown
