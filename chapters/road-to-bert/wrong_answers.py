"""Typical wrong answers of the chapter and the words that name each mistake."""

import numpy as np
import torch


def wrong_1(names):
    def right(model, n):
        everything = np.ones((n, n), dtype=bool)
        if model == "bert":
            return ~np.eye(n, dtype=bool)
        backward = model == "elmo backward"
        return np.triu(everything, 1) if backward else np.tril(everything, -1)

    yield lambda model, n: right(model, n).T, "transposed"
    yield lambda model, n: right(model, n) | np.eye(n, dtype=bool), "diagonal"
    yield (
        lambda model, n: (
            np.tril(right(model, n)) if model == "bert" else right(model, n)
        ),
        "both sides",
    )
    yield lambda model, n: right(model, n) | (model == "bert"), "masked"
    yield lambda model, n: ~np.eye(n, dtype=bool), "still to come"
    yield lambda model, n: np.zeros((n, n)), "may be used for"
    yield lambda model, n: ~right(model, n), "exchanged"
    yield lambda model, n: right(model, n) | first_cell(n), "predict itself"
    yield lambda model, n: right("ulmfit", n), "wrong one"
    yield lambda model, n: right(model, n) & ~last_row(n), "may be used for"
    yield lambda model, n: np.eye(n, k=-1), "may be used for"
    yield lambda model, n: right(model, n + 1), "shape"
    yield lambda model, n: [[True], [True, False]], "shape"
    yield lambda model, n: right(model, n) * 0.5, "True or False"
    yield right("bert", 4), "without brackets"


def first_cell(n):
    return np.arange(n * n).reshape(n, n) == 0


def last_row(n):
    return np.arange(n)[:, None] == n - 1


def wrong_2(names):
    yield elmo(weigh=lambda w: w), "softmax, positive"
    yield elmo(weigh=lambda w: w / w.sum()), "divided by its sum"
    yield elmo(first=1), "layer 0, are missing"
    yield elmo(scaled=False), "gamma"
    yield elmo(weigh=lambda w: np.exp(w) / np.exp(w).sum()), "overflows"
    yield elmo(weigh=lambda w: softmax(w)[::-1]), "reverse order"
    yield elmo(weigh=lambda w: shares_of(w - w.mean())), "not finite"
    yield elmo(weigh=lambda w: shares_of(w - 700)), "not finite"
    yield elmo(weigh=lambda w: shares_of(w.clip(-500, 500))), "should be"
    yield elmo(weigh=lambda w: np.exp(w - w.max())), "not divided by their sum"
    yield elmo(weigh=lambda w: np.roll(softmax(w), 1)), "come last"
    yield lambda x, f, b, w, g: elmo()(x, f, b, g * w, 1), "into the softmax"
    yield lambda x, f, b, w, g: elmo()(0 * x, f, b, w, g), "left out of the sum"
    yield lambda x, f, b, w, g: elmo()(x, f, b[:, ::-1], w, g), "turned round"
    yield lambda x, f, b, w, g: elmo()(x, f, f, w, g), "both halves"
    yield lambda x, f, b, w, g: elmo()(x, b, f, w, g), "exchanged"
    yield lambda x, f, b, w, g: elmo()(x, f, b, w, g)[:, : x.shape[1]], "side by side"
    yield lambda x, f, b, w, g: elmo()(x, f, b, w, g) + 1, "numbers are not"
    yield lambda x, f, b, w, g: elmo()(x, f, b, w, g) / 0, "small numbers w as well"
    yield lambda x, f, b, w, g: x @ f, "stopped with"
    yield np.zeros((3, 4)), "without brackets"
    yield lambda *parts: elmo()(*parts).round(2), "right to four decimals"


def softmax(w):
    shares = np.exp(w - w.max())
    return shares / shares.sum()


def shares_of(w):
    return np.exp(w) / np.exp(w).sum()


def elmo(weigh=softmax, first=0, scaled=True):
    """ELMo's sum, with one thing done otherwise."""

    def vectors(word_vectors, forward, backward, w, gamma):
        twice = np.concatenate([word_vectors, word_vectors], axis=-1)
        states = np.concatenate([forward, backward], axis=-1)
        layers = np.concatenate([twice[None], states])
        total = np.tensordot(weigh(w[first:]), layers[first:], axes=1)
        return gamma * total if scaled else total

    return vectors


def wrong_3(names):
    bert, sentence = names["bert"], "We hung the new [MASK] on the kitchen wall."
    sides = "left", "right", "both"
    shares = {side: names["distributions"]([sentence], side)[0] for side in sides}
    cut = names["distributions"](["We hung the new [MASK]."])[0]
    bits = {side: float(-(p * np.log2(p)).sum()) for side, p in shares.items()}
    surest, doubtful = sorted(bits, key=bits.get)[0], sorted(bits, key=bits.get)[-1]
    answer = {
        "sentence": sentence,
        "distributions": shares,
        "bits": bits,
        "surest": surest,
    }
    encoding = bert.tokenizer(sentence, return_tensors="pt")
    with torch.inference_mode():
        logits = bert.mlm(**encoding).logits[0, 4].numpy()
    nats = {side: value * np.log(2) for side, value in bits.items()}
    flipped = {side: -value for side, value in bits.items()}
    same = dict.fromkeys(shares, shares["both"])
    yield answer | {"distributions": shares | {"both": logits}}, "softmax"
    yield answer | {"distributions": same}, "hide its own side"
    yield answer | {"distributions": shares | {"left": cut}}, "text left whole"
    yield answer | {"distributions": shares | {"left": shares["left"][:9]}}, "shape"
    yield answer | {"distributions": {"left": shares["left"]}}, "keys left"
    uniform = np.full(len(bert.tokenizer), 1 / len(bert.tokenizer))
    yield answer | {"distributions": shares | {"right": uniform}}, "this model"
    yield answer | {"bits": nats}, "nats"
    yield answer | {"bits": flipped}, "minus sign"
    yield answer | {"bits": dict.fromkeys(bits, 1.0)}, "two decimals"
    yield answer | {"bits": {side: round(bits[side]) for side in bits}}, "two decimals"
    yield answer | {"bits": {side: 2 ** bits[side] for side in bits}}, "the power"
    turned = {"left": bits["right"], "right": bits["left"], "both": bits["both"]}
    yield answer | {"bits": turned}, "of the context 'right'"
    rounded = {side: share.round(3) for side, share in shares.items()}
    yield answer | {"distributions": rounded}, "not rounded"
    yield answer | {"surest": "wall"}, "surest must be"
    comma = "A new , [MASK] hung on the wall."
    yield answer | {"sentence": comma}, "three words"
    yield answer | {"bits": dict.fromkeys(bits, "low")}, "must be a number"
    yield answer | {"bits": shares}, "single number"
    yield answer | {"surest": doubtful}, "lowest entropy"
    yield answer | {"sentence": "No mask in this sentence."}, "exactly one [MASK]"
    yield answer | {"sentence": "We hung the [MASK]."}, "full stop"
    yield answer | {"sentence": "We [MASK] the picture on the wall."}, "three words"
    yield [sentence], "keys sentence"
