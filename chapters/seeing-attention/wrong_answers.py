"""Typical wrong answers of the chapter and the words that name each mistake."""

import numpy as np
import torch


def wrong_1(names):
    yield (
        (lambda att, layer, head, i: int(att[layer, head, :, i].argmax())),
        "exchanged",
    )
    yield (lambda att, layer, head, i: int(att[layer, head, i].argmin())), "least"
    yield (lambda att, layer, head, i: float(att[layer, head, i].max())), "whole number"
    yield (lambda att, layer, head, i: "the"), "whole number"
    yield (lambda att, layer, head, i: 0), "another token gets more"
    yield (lambda att, layer, head, i: -1), "from 0 to"

    def layer_and_head_exchanged(att, layer, head, i):
        if head < att.shape[0] and layer < att.shape[1]:
            return int(att[head, layer, i].argmax())
        return int(att[layer, head, i].argmax())

    yield layer_and_head_exchanged, "first axis is the layer"

    def without(places):
        """Leaves some places of the row out; `places` sees the token's own."""

        def most(att, layer, head, i):
            row = att[layer, head, i].copy()
            row[places(i)] = -1
            return int(row.argmax())

        return most

    yield without(lambda i: i), "leave the token itself out"
    yield without(lambda i: [0, -1]), "first and the last token"
    yield without(lambda i: 0), "another token gets more"
    yield without(lambda i: -1), "another token gets more"
    yield lambda att, layer, head, i: att.mean(1)[layer, i].argmax(), "over the heads"
    yield lambda att, layer, head, i: att.mean(0)[head, i].argmax(), "over the layers"
    yield lambda att, layer, head, i: att[0, head, i].argmax(), "another token gets"
    yield lambda att, layer, head, i: att[layer, 0, i].argmax(), "another token gets"
    yield lambda att, layer, head, i: att[layer, head, i - 1].argmax(), "gets more"
    yield lambda att, layer, head, i: att[layer, head, i].argsort()[-2], "gets more"
    yield lambda att, layer, head, i: att[layer, head].argmax(), "from 0 to"
    yield lambda att, layer, head, i: att[layer, head, i].argmax() + 1, "from 0 to"

    def both_ways(att, layer, head, i):
        return (att[layer, head] + att[layer, head].T)[i].argmax()

    yield both_ways, "another token gets more"
    yield 3, "without brackets"


def wrong_2(names):
    special = ("[CLS]", "[SEP]", "[PAD]")

    def places(tokens, left_out=special, key=True):
        word = [token not in left_out for token in tokens]
        n = range(1, len(tokens))
        return np.array([i for i in n if word[i] and (word[i - 1] or not key)])

    def score(att, tokens, **how):
        at = places(tokens, **how)
        return att[:, :, at, at - 1].mean(axis=-1)

    def next_word(att, tokens):
        at = places(tokens)
        return att[:, :, at - 1, at].mean(axis=-1)

    yield next_word, "next word"
    yield lambda a, t: torch.from_numpy(next_word(a, t)).float(), "next word"
    yield lambda a, t: score(a, t, left_out=("[PAD]",)), "[CLS] or [SEP] is still"
    yield lambda a, t: score(a, t, left_out=special[:2]), "[PAD] still counts"
    yield lambda a, t: np.diagonal(a, -1, 2, 3).mean(axis=-1), "still in the mean"
    yield lambda a, t: score(a, t, key=False), "still looked at"
    yield lambda a, t: score(a, t) * len(places(t)), "sum over the words"
    yield lambda a, t: score(a, t) * len(places(t)) / len(t), "number of all tokens"
    yield lambda a, t: score(a, t).mean(axis=-1), "(layers, heads)"

    def taken_out_first(att, tokens):
        words = np.flatnonzero(~np.isin(tokens, special))
        return np.diagonal(att[:, :, words][..., words], -1, 2, 3).mean(axis=-1)

    def own_share(att, tokens):
        words = ~np.isin(tokens, special)
        att = att * words
        return score(att / att.sum(axis=-1, keepdims=True), tokens)

    def over_pairs(reduce, choose=lambda at: at, step=1):
        def score(att, tokens):
            at = choose(places(tokens))
            return reduce(att[:, :, at, at - step])

        return score

    def mean(weights):
        return weights.mean(axis=-1)

    def crossed(att, tokens):
        at = places(tokens)
        return att[:, :, at][..., at - 1].mean(axis=(-2, -1))

    def looks(att, tokens):
        at = np.array(
            [i for i in range(1, len(tokens)) if tokens[i - 1] not in special]
        )
        return att[:, :, at, at - 1].mean(axis=-1)

    def brackets(tokens):
        return (*special, *(t for t in tokens if t.startswith("[")))

    def parts(tokens):
        return (*special, *(t for t in tokens if t.startswith("##")))

    def words(tokens):
        return sum(token not in special for token in tokens)

    yield taken_out_first, "take the special tokens out first"
    yield looks, "not looked at, but they still look"
    yield lambda a, t: score(a, t, left_out=("[SEP]", "[PAD]")), "[CLS] or [SEP] is"
    yield lambda a, t: score(a, t, left_out=("[CLS]", "[PAD]")), "[CLS] or [SEP] is"
    yield lambda a, t: score(a, t, left_out=brackets(t)), "the token [ or [MASK]"
    yield lambda a, t: score(a, t, left_out=parts(t)), "begins with ##"
    yield lambda a, t: score(a, t) * len(places(t)) / words(t), "number of all words"
    yield own_share, "not the mean weight"
    yield crossed, "not the mean weight"
    yield over_pairs(mean, lambda at: at[1:]), "not the mean weight"
    yield over_pairs(mean, lambda at: at[:-1]), "not the mean weight"
    yield over_pairs(mean, step=0), "not the mean weight"
    yield over_pairs(mean, step=2), "not the mean weight"
    yield over_pairs(lambda weights: weights.max(axis=-1)), "not the mean weight"
    yield over_pairs(lambda w: np.median(w, axis=-1)), "not the mean weight"
    yield lambda a, t: score(a, t).round(1), "right to three decimals"
    yield lambda a, t: score(a, t).T, "(layers, heads)"
    yield lambda a, t: "high", "one array of numbers"
    yield lambda a, t: score(a, t) * 0, "not the mean weight"
    yield lambda a, t: score(a, t).round(2), "right to three decimals"


def wrong_3(names):
    def entropy(attention, axis=-1, log=np.log):
        safe = np.where(attention > 0, attention, 1)
        return -(attention * log(safe)).sum(axis=axis)

    def careless(attention):
        with np.errstate(all="ignore"):
            return np.exp(-(attention * np.log(attention)).sum(axis=-1))

    yield careless, "a weight of 0 has no logarithm"
    yield lambda a: entropy(a), "take its exponential"
    yield lambda a: np.exp(-entropy(a)), "sign is turned"
    yield lambda a: np.exp(entropy(a, axis=-2)), "You take columns"
    yield lambda a: np.exp(entropy(a, log=np.log2)), "natural"
    yield lambda a: 1 / (a**2).sum(axis=-1), "sum of squares"
    yield lambda a: np.exp(entropy(a)).mean(axis=-1), "(layers, heads, tokens)"
    yield lambda a: np.exp(entropy(a)) + 1, "not the exponential of the entropy"
    yield lambda a: (a > 0.01).sum(axis=-1), "not the exponential of the entropy"
    yield lambda a: np.exp(entropy(a)).round(1), "right to three decimals"
    yield lambda a: np.exp(entropy(a)).round(2), "right to three decimals"
