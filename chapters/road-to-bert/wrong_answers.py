"""Wrong answers that the tables of mistakes do not hold, and words of the reply."""

import numpy as np
import torch

from helpers.exercises.checks import mistakes_of


def wrong_1(names):
    right = mistakes_of("road-to-bert.1").right
    yield lambda model, n: ~np.eye(n, dtype=bool), "still to come"
    yield lambda model, n: np.zeros((n, n)), "may be used for"
    yield lambda model, n: right(model, n) | first_cell(n), "predict itself"
    yield lambda model, n: right("ulmfit", n), "may_use('elmo backward', n) is not"
    yield lambda model, n: right(model, n + 1), "shape"
    yield lambda model, n: right(model, n) * 0.5, "True or False"


def first_cell(n):
    return np.arange(n * n).reshape(n, n) == 0


def wrong_2(names):
    right = mistakes_of("road-to-bert.2").right
    yield weighed(lambda w: w), "overflows"
    yield weighed(lambda w: w - w.mean()), "not finite"
    yield weighed(lambda w: w - 700), "not finite"
    yield weighed(lambda w: w.clip(-500, 500)), "should be"
    yield lambda *parts: right(*parts)[:, : parts[0].shape[1]], "side by side"
    yield lambda *parts: right(*parts) + 1, "numbers are not"
    yield lambda *parts: right(*parts) / 0, "small numbers w as well"


def weighed(shift):
    """ELMo's sum with the exponentials of another shift of w."""

    def vectors(word_vectors, forward, backward, w, gamma):
        shares = np.exp(shift(w)) / np.exp(shift(w)).sum()
        twice = np.concatenate([word_vectors, word_vectors], axis=-1)
        states = np.concatenate([forward, backward], axis=-1)
        layers = np.concatenate([twice[None], states])
        return gamma * np.tensordot(shares, layers, axes=1)

    return vectors


def wrong_3(names):
    table = mistakes_of("road-to-bert.3")
    answer = table.answer(table.right)
    shares, bits = answer["distributions"], answer["bits"]
    bert, sentence = names["bert"], answer["sentence"]
    encoding = bert.tokenizer(sentence, return_tensors="pt")
    with torch.inference_mode():
        logits = bert.mlm(**encoding).logits[0, 4].numpy()
    cut = names["distributions"](["We hung the new [MASK]."])[0]
    rounded = {side: share.round(3) for side, share in shares.items()}
    uniform = np.full(len(logits), 1 / len(logits))
    for given, said in (
        (shares | {"both": logits}, "softmax"),
        (dict.fromkeys(shares, shares["both"]), "hide its own side"),
        (shares | {"left": cut}, "text left whole"),
        (shares | {"left": shares["left"][:9]}, "shape"),
        ({"left": shares["left"]}, "keys left"),
        (shares | {"right": uniform}, "this model"),
        (rounded, "not rounded"),
    ):
        yield answer | {"distributions": given}, said
    for side in bits:
        yield (
            answer | {"bits": bits | {side: bits[side] + 0.02}},
            f"bits[{side!r}] must",
        )
    yield answer | {"bits": {side: round(bits[side]) for side in bits}}, "two decimals"
    yield answer | {"bits": shares}, "single number"
    yield answer | {"surest": "wall"}, "surest must be"
    yield answer | {"surest": max(bits, key=bits.get)}, "lowest entropy"
    yield answer | {"sentence": "No mask in this sentence."}, "exactly one [MASK]"
    yield answer | {"sentence": sentence + " [MASK] was it."}, "exactly one [MASK]"
    yield answer | {"sentence": "We hung the [MASK]."}, "full stop"
    yield answer | {"sentence": sentence.removesuffix(".")}, "full stop"
    yield answer | {"sentence": "We [MASK] the picture on the wall."}, "three words"
    yield answer | {"sentence": "We hung the new [MASK] on walls."}, "three words"
    yield answer | {"sentence": "A new , [MASK] hung on the wall."}, "three words"
