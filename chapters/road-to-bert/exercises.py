"""Checks of the chapter: what models may see, ELMo's sum, three contexts of a word."""

import numpy as np
import torch

from helpers.exercises import NotYet
from helpers.exercises.asking import (
    a_dict,
    a_function,
    a_number,
    a_text,
    an_array,
    name_mistake,
)
from helpers.models import load_bert

MODELS = ("ulmfit", "elmo forward", "elmo backward", "openai", "bert")
SIDES = ("left", "right", "both")


def check_1(answer):
    """A function: (model, n) -> boolean (n, n), row = predicted, column = used."""
    a_function(answer, "may_use")
    for n in (5, 2, 1):
        for model in MODELS:
            _compare_squares(model, n, answer(model, n))
    return "Five squares without a diagonal: no prediction may use its own word."


def _uses(model, n):
    everything = np.ones((n, n), dtype=bool)
    if model == "bert":
        return ~np.eye(n, dtype=bool)
    return np.triu(everything, 1) if "backward" in model else np.tril(everything, -1)


def _compare_squares(model, n, result):
    square = an_array(result, (n, n), f"may_use({model!r}, {n})", booleans=True)
    if not np.isin(square, (0, 1)).all():
        raise NotYet("Every entry must be True or False.")
    square, truth = square.astype(bool), _uses(model, n)
    if np.array_equal(square, truth):
        return
    problem = f"may_use({model!r}, {n}) is not right yet. "
    if model == "bert":
        if square.all():
            raise NotYet(
                problem + "The predicted word itself is masked, so it cannot be used."
            )
        raise NotYet(problem + "BERT uses all words but the masked one, on both sides.")
    if np.array_equal(square, truth | np.eye(n, dtype=bool)):
        raise NotYet(
            problem + "The diagonal is True: word i would be used to predict word i. "
            "You have given what the vector at i sees."
        )
    if square[truth.T].all() and not square[truth].any():
        raise NotYet(
            problem + "The side is the wrong one. Row i is the predicted word and "
            "column j the word used; is your square transposed?"
        )
    if square[truth.T].any():
        raise NotYet(problem + "It uses words from the side that is still to come.")
    raise NotYet(problem + "Some words that have been read already are missing.")


def check_2(answer):
    """A function: (word_vectors, forward, backward, w, gamma) -> (words, 2 * width)."""
    a_function(answer, "elmo_vectors")
    rng = np.random.default_rng(2)
    for n_layers, words, width in ((2, 5, 3), (1, 2, 4), (3, 4, 2)):
        x = rng.normal(size=(words, width))
        forward, backward = rng.normal(size=(2, n_layers, words, width))
        parts = x, forward, backward, rng.normal(size=n_layers + 1), 1.7
        _compare_vectors(_vectors(answer, parts), parts)
    large = *parts[:3], np.array([1000.0, 0.0, 0.0, 999.0]), 0.5
    _compare_vectors(_vectors(answer, large), large)
    return "One vector a word, mixed from all layers, the word vectors included."


def _vectors(answer, parts):
    with np.errstate(all="ignore"):  # an overflow is told in words below
        result = answer(*parts)
    words, width = parts[0].shape
    what = f"For {words} words of width {width} the answer"
    hint = "The forward and the backward half of a word stand side by side."
    return an_array(result, (words, 2 * width), what, finite=False, hint=hint)


def _elmo(parts, weigh, first=0, gamma=True):
    """ELMo's sum; `weigh` turns w into weights, `first` is the lowest layer used."""
    x, forward, backward, w, scale = parts
    states = np.concatenate([forward, backward], axis=-1)
    layers = np.concatenate([np.hstack([x, x])[None], states])
    total = np.tensordot(weigh(w[first:]), layers[first:], axes=1)
    return scale * total if gamma else total


def _softmax(w):
    shares = np.exp(w - w.max())
    return shares / shares.sum()


def _compare_vectors(result, parts):
    if np.allclose(result, _elmo(parts, _softmax), atol=1e-5):
        return
    x, forward, backward, w, scale = parts
    if not np.isfinite(result).all() and w.max() < 100:
        raise NotYet(
            "The result holds nan or infinity for small numbers w as well. Is there a "
            "division by zero, or an array that was never filled?"
        )
    if not np.isfinite(result).all():
        raise NotYet(
            "For w with numbers near 1000 the result is not finite: the exponential "
            "overflows. What can be subtracted from w without changing the quotient?"
        )
    swapped = x, backward, forward, w, scale
    mistakes = {
        "The numbers w went in as they are. The weights are their softmax, positive "
        "and with sum 1.": _elmo(parts, lambda w: w),
        "The weights are w divided by its sum. ELMo takes the softmax, which makes "
        "them positive first.": _elmo(parts, lambda w: w / w.sum()),
        "The word vectors, layer 0, are missing from the sum.": _elmo(
            parts, _softmax, first=1
        ),
        "The sum is right, but it is not multiplied by gamma.": _elmo(
            parts, _softmax, gamma=False
        ),
        "The halves are exchanged: forward comes first.": _elmo(swapped, _softmax),
        "The weights are in reverse order: w[0] belongs to the word vectors.": _elmo(
            (x, forward, backward, w[::-1], scale), _softmax
        ),
    }
    name_mistake(result, mistakes, atol=1e-5)
    raise NotYet(
        "The shape is right, the numbers are not. Layer 0 is the word vectors written "
        "twice; the other layers are forward and backward joined."
    )


def check_3(answer):
    """A dict: sentence, distributions, bits and surest for left, right and both."""
    keys = ("sentence", "distributions", "bits", "surest")
    sentence, given, bits, named = a_dict(answer, keys)
    _check_sentence(a_text(sentence, "sentence"))
    truth = {side: _distribution(sentence, side) for side in SIDES}
    given = a_dict(given, SIDES, "distributions", only=True)
    for side, distribution in zip(SIDES, given, strict=True):
        _compare_distribution(side, distribution, truth)
    bits = a_dict(bits, SIDES, "bits", only=True)
    for side, number in zip(SIDES, bits, strict=True):
        _compare_bits(side, number, _entropy(truth[side]))
    surest = SIDES[np.argmin([a_number(number, "bits") for number in bits])]
    if named != surest:
        raise NotYet(
            "The surest context is the one with the lowest entropy; look at your bits."
        )
    piece = load_bert().tokenizer.convert_ids_to_tokens(int(truth[surest].argmax()))
    return f"Surest with {surest}, and its first guess is {piece!r}. Is it right?"


def _check_sentence(sentence):
    if sentence.count("[MASK]") != 1:
        raise NotYet("The sentence must be a string with exactly one [MASK].")
    if not sentence.endswith(".") or sentence.endswith("[MASK]."):
        raise NotYet(
            "The sentence needs words after [MASK] and a full stop at the end."
        )
    left, right = sentence.removesuffix(".").split("[MASK]")
    if min(len(left.split()), len(right.split())) < 3:
        raise NotYet("The sentence needs three words or more on each side of [MASK].")


@torch.inference_mode()
def _distribution(sentence, side):
    """What the model says at [MASK] when it may look at one side only, or at both."""
    bert = load_bert()
    encoding = bert.tokenizer(sentence, return_tensors="pt").to(bert.device)
    ids = encoding["input_ids"][0].tolist()
    hidden, stop = ids.index(bert.tokenizer.mask_token_id), len(ids) - 2
    closed = {"left": slice(hidden + 1, stop), "right": slice(1, hidden)}
    if side in closed:
        encoding["attention_mask"][0, closed[side]] = 0
    return bert.mlm(**encoding).logits[0, hidden].softmax(-1).double().cpu().numpy()


def _compare_distribution(side, given, truth):
    what, hint = f"distributions[{side!r}]", "Give each piece of the vocabulary one."
    given = an_array(given, truth[side].shape, what, hint=hint)
    if given.min() < 0 or not np.isclose(given.sum(), 1, atol=1e-2):
        raise NotYet(
            f"distributions[{side!r}] sums to {given.sum():.4g}, not to 1. Are these "
            "logits, before the softmax?"
        )
    if _distance(given, truth[side]) < 1e-3:
        return
    for other in SIDES:
        if _distance(given, truth[other]) < 1e-3:
            raise NotYet(
                f"distributions[{side!r}] is what the model says with the context "
                f"{other!r}. Each context must hide its own side."
            )
    raise NotYet(
        f"distributions[{side!r}] is not what this model gives for your sentence. "
        "Does it come from distributions([sentence], side), with the text left whole?"
    )


def _distance(first, second):
    """Half the sum of absolute differences: 0 for equal distributions, at most 1."""
    return np.abs(first - second).sum() / 2


def _entropy(shares):
    shares = shares[shares > 0]
    return float(-(shares * np.log2(shares)).sum())


def _compare_bits(side, given, truth):
    name, hint = f"bits[{side!r}]", "It is a single number: sum over the pieces."
    given = a_number(given, name, hint=hint)
    if abs(given - truth) < 0.02:
        return
    mistakes = {
        f"{name} is in nats: take the logarithm to base 2.": truth * np.log(2),
        f"{name} is negative: the sum has a minus sign before it.": -truth,
    }
    name_mistake(given, mistakes, rtol=0, atol=0.02)
    raise NotYet(f"{name} is not the entropy of your distribution.")
