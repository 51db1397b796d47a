"""Typical wrong answers of the chapter and the words that name each mistake."""

import numpy as np
import torch

from helpers.attention import heads_off


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
    yield lambda a, t: score(a, t, left_out=("[PAD]",)), "[CLS] and [SEP] are still"
    yield lambda a, t: score(a, t, left_out=special[:2]), "[PAD] still counts"
    yield lambda a, t: np.diagonal(a, -1, 2, 3).mean(axis=-1), "still in the mean"
    yield lambda a, t: score(a, t, key=False), "still looked at"
    yield lambda a, t: score(a, t) * len(places(t)), "sum over the words"
    yield lambda a, t: score(a, t) * len(places(t)) / len(t), "number of all tokens"
    yield lambda a, t: score(a, t).mean(axis=-1), "(layers, heads)"
    yield lambda a, t: "high", "one array of numbers"
    yield lambda a, t: score(a, t) * 0, "not the mean weight"


def wrong_3(names):
    bert, measure = names["bert"], names["word_log_probability"]
    text, word, head = "She drank a cup of [MASK].", "tea", (0, 2)
    others = [(layer, 3) for layer in range(bert.n_layers)]
    others += [(layer, 7) for layer in range(10 - len(others))]
    intact = measure(text, word)

    def value(*heads):
        with heads_off(bert, heads):
            return measure(text, word)

    changes = [value(other) - intact for other in others]
    right = {
        "sentence": text,
        "word": word,
        "head": head,
        "change": value(head) - intact,
        "others": others,
        "other_changes": changes,
    }
    probability = np.exp(value(head)) - np.exp(intact)
    together = [value(*others[: i + 1]) - intact for i in range(10)]
    yield right | {"change": -right["change"]}, "sign is turned"
    yield right | {"change": value(head)}, "subtract"
    yield right | {"change": probability}, "not of its log"
    yield right | {"change": right["change"] + 1}, "not what this model gives"
    yield right | {"other_changes": changes[::-1]}, "same order"
    yield right | {"other_changes": together}, "one at a time"
    yield right | {"other_changes": changes[:3]}, "Expected 10 other_changes"
    yield right | {"other_changes": changes[:9] + ["none"]}, "must be a number"
    yield right | {"others": [head, *others[1:]]}, "its own control"
    yield right | {"others": others[:1] * 10}, "same head twice"
    yield right | {"others": others[:4]}, "Expected 10 other heads"
    yield right | {"head": (bert.n_layers, 0)}, "There is no head"
    yield right | {"head": 4}, "a pair (layer, head)"
    yield right | {"word": "Tea-time"}, "not one piece"
    yield right | {"sentence": "She drank tea."}, "exactly one [MASK]"
    yield [1, 2], "Pass a dict"
