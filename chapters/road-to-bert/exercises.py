"""Checks of the chapter: what models may see, ELMo's sum, three contexts of a word."""

import re
from functools import partial
from itertools import permutations

import numpy as np
import torch

from helpers.exercises import NotYet
from helpers.exercises.asking import (
    a_dict,
    a_number,
    a_text,
    an_array,
    first_wrong,
    is_right_to,
    plain,
)
from helpers.exercises.mistakes import Mistakes
from helpers.exercises.seeds import rng
from helpers.models import load_bert

DIGITS = 4  # to which vectors are asked for
MODELS = ("ulmfit", "elmo forward", "elmo backward", "openai", "bert")
SIDES = ("left", "right", "both")


def check_1(answer):
    """A function: (model, n) -> boolean (n, n), row = predicted, column = used."""
    for model in MODELS:  # each by itself, so that a mistake in one is named
        cases = [(model, n) for n in (5, 2, 1, 9)]
        TABLES[1].ask("may_use", answer, cases, read=_square)
    return "Squares without a diagonal: no prediction may use its own word."


def _square(result, model, n):
    square = an_array(result, (n, n), f"may_use({model!r}, {n})", booleans=True)
    if not np.isin(square, (0, 1)).all():
        raise NotYet("Every entry must be True or False.")
    return square


def _uses(model, n):
    everything = np.ones((n, n), dtype=bool)
    if model == "bert":
        return ~np.eye(n, dtype=bool)
    return np.triu(everything, 1) if "backward" in model else np.tril(everything, -1)


def _with_diagonal(square):
    return square | np.eye(len(square), dtype=bool)


def _spoiled(slip, models=MODELS):
    """The squares, with a slip in those of some models."""

    def squares(model, n):
        right = _uses(model, n)
        return slip(right) if model in models else right

    return squares


ONE_WAY = MODELS[:-1]
SQUARE_MISTAKES = {
    "For a model that reads one way the diagonal is True: word i would be used to "
    "predict word i. You have given what the vector at i sees.": _spoiled(
        _with_diagonal, ONE_WAY
    ),
    "The side is the wrong one for a model that reads from the left: row i is the "
    "predicted word and column j the word used. Is your square transposed?": (
        _spoiled(np.transpose, ("ulmfit", "elmo forward", "openai"))
    ),
    "The side is the wrong one for elmo backward: it predicts word i from the words "
    "to its right.": _spoiled(np.transpose, ("elmo backward",)),
    "A model that reads one way uses both sides here, also words that are still to "
    "come.": (
        _spoiled(lambda square: square | square.T, ONE_WAY),
        _spoiled(lambda square: _with_diagonal(square | square.T), ONE_WAY),
    ),
    "The word that BERT predicts is masked itself, so it cannot be used.": (
        _spoiled(_with_diagonal, ("bert",))
    ),
    "True and False are exchanged: True means that a word may be used.": (
        _spoiled(np.logical_not)
    ),
}


def check_2(answer):
    """A function: (word_vectors, forward, backward, w, gamma) -> (words, 2 * width)."""
    random, cases, large = rng(2), [], []
    for n_layers, words, width in ((2, 5, 3), (1, 2, 4), (3, 4, 2)):
        x = random.normal(size=(words, width))
        forward, backward = random.normal(size=(2, n_layers, words, width))
        cases.append((x, forward, backward, random.normal(size=n_layers + 1), 1.7))
    for w in ([3000, 0, 0, 2999], [-3000, -2999, -3001, -3000], [800, 1, 799, 0]):
        w = random.permutation(np.array(w, dtype=float))
        large.append([(x, forward, backward, w, 0.5)])
    hint = "The forward and the backward half of a word stand side by side."
    TABLES[2].ask(
        "elmo_vectors", answer, cases, *large, hint=hint, otherwise=_numbers_off
    )
    return "One vector a word, mixed from all layers, the word vectors included."


def _softmax(w):
    shares = np.exp(w - w.max())
    return shares / shares.sum()


def _elmo(*parts, weigh=_softmax, first=0, scaled=True, twice=np.hstack):
    """ELMo's sum; `weigh` turns w into weights, `first` is the lowest layer used."""
    x, forward, backward, w, gamma = parts
    states = np.concatenate([forward, backward], axis=-1)
    layers = np.concatenate([twice([x, x])[None], states])
    total = np.tensordot(weigh(w[first:]), layers[first:], axes=1)
    return gamma * total if scaled else total


def _near_vectors(got, wanted, *parts):
    return is_right_to(got, wanted, DIGITS, 1e-5 * np.abs(wanted))


def _numbers_off(got, wanted, *parts):
    w = parts[3]
    if np.isfinite(got).all() or w.max() < 100:
        return TABLES[2].told(got, wanted, *parts)
    return (
        f"For w = {np.round(w).tolist()} the result is not finite: the exponential "
        "overflows, or all of them are 0. What can be subtracted from w without "
        "changing the quotient?"
    )


SUM_MISTAKES = {
    "The numbers w went in as they are. The weights are their softmax, positive and "
    "with sum 1.": partial(_elmo, weigh=lambda w: w),
    "The weights are w divided by its sum. ELMo takes the softmax, which makes them "
    "positive first.": partial(_elmo, weigh=lambda w: w / w.sum()),
    "The weights are positive, but not divided by their sum.": (
        partial(_elmo, weigh=np.exp),
        partial(_elmo, weigh=lambda w: np.exp(w - w.max())),
    ),
    "The word vectors, layer 0, are missing from the sum.": partial(_elmo, first=1),
    "The second half of layer 0 is zeros; the word vectors stand there twice.": (
        partial(_elmo, twice=lambda pair: np.hstack([pair[0], 0 * pair[0]]))
    ),
    "The sum is right, but it is not multiplied by gamma.": partial(
        _elmo, scaled=False
    ),
    "The halves are exchanged: forward comes first.": (
        lambda x, f, b, w, gamma: _elmo(x, b, f, w, gamma)
    ),
}


def check_3(answer):
    """A dict: sentence, distributions, bits and surest for left, right and both."""
    keys = ("sentence", "distributions", "bits", "surest")
    sentence, given, bits, named = a_dict(answer, keys)
    sentence = a_text(sentence, "sentence").strip()
    _check_sentence(sentence)
    truth = {side: _distribution(sentence, side) for side in SIDES}
    if getattr(given, "ndim", 1) == 2 and hasattr(given, "columns"):  # a DataFrame
        given = {side: given[side] for side in given.columns}
    given = a_dict(given, SIDES, "distributions", only=True)
    for side, distribution in zip(SIDES, given, strict=True):
        _compare_distribution(side, distribution, truth)
    bits = a_dict(bits, SIDES, "bits", only=True)
    hint = "It is a single number: sum over the pieces."
    bits = [
        a_number(number, f"bits[{side!r}]", hint=hint)
        for side, number in zip(SIDES, bits, strict=True)
    ]
    shares = np.array(list(truth.values()))
    TABLES[3].judge([((shares,), bits)], _no_bits)
    surest = SIDES[np.argmin(bits)]
    if (named := str(named).strip().lower()) not in SIDES:
        raise NotYet('surest must be "left", "right" or "both".')
    if named != surest:
        raise NotYet(
            "The surest context is the one with the lowest entropy; look at your bits."
        )
    piece = load_bert().tokenizer.convert_ids_to_tokens(int(truth[surest].argmax()))
    return f"Surest with {surest}, and its first guess is {piece!r}. Is it right?"


def _no_bits(got, wanted, shares):
    [at] = first_wrong(got, wanted, 2, 0.005)
    return f"bits[{SIDES[at]!r}] must be right to two decimals; yours is {got[at]:.6g}."


def _check_sentence(sentence):
    if sentence.count("[MASK]") != 1:
        raise NotYet("The sentence must be a string with exactly one [MASK].")
    if not sentence.endswith(".") or sentence.endswith("[MASK]."):
        raise NotYet(
            "The sentence needs words after [MASK] and a full stop at the end."
        )
    left, right = sentence.removesuffix(".").split("[MASK]")
    if min(len(re.findall(r"\S*\w\S*", side)) for side in (left, right)) < 3:
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
    given = plain(given)
    if len(given) == 1:  # as distributions([sentence]) returns it
        given = given[0]
    given = an_array(given, truth[side].shape, what, hint=hint)
    if given.min() < 0:
        raise NotYet(f"{what} has negative numbers. Are these from before the softmax?")
    if not np.isclose(given.sum(), 1, atol=1e-2):
        raise NotYet(
            f"{what} sums to {given.sum():.4g}, not to 1. Give all shares as they are, "
            "not rounded."
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
        "Does it come from distributions([sentence], side), with the text left whole "
        "and nothing rounded?"
    )


def _distance(first, second):
    """Half the sum of absolute differences: 0 for equal distributions, at most 1."""
    return np.abs(first - second).sum() / 2


def _entropies(shares):
    """In bits, of the three distributions (3, pieces)."""
    return -(shares * np.log2(np.where(shares > 0, shares, 1))).sum(-1)


def _in_order(order, shares):
    return _entropies(shares)[list(order)]


ENTROPY_MISTAKES = {
    "These are nats, or entropies to base 10: take the logarithm to base 2.": (
        lambda shares: _entropies(shares) * np.log(2),
        lambda shares: _entropies(shares) * np.log10(2),
    ),
    "The entropies are negative: the sum has a minus sign before it.": (
        lambda shares: -_entropies(shares)
    ),
    "These are the right numbers in another order: each belongs to its own context.": (
        *(partial(_in_order, order) for order in [*permutations(range(3))][1:]),
    ),
}

TABLES = {
    1: Mistakes(_uses, SQUARE_MISTAKES, "Each entry"),
    2: Mistakes(_elmo, SUM_MISTAKES, "Each number", DIGITS, _near_vectors),
    3: Mistakes(_entropies, ENTROPY_MISTAKES, "bits", 2, slack=0.005),
}
