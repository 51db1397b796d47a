"""Checks of the chapter: what models may see, ELMo's sum, three contexts of a word."""

import re

import numpy as np
import torch

from helpers.exercises import NotYet
from helpers.exercises.asking import (
    a_dict,
    a_function,
    a_number,
    a_text,
    an_array,
    first_wrong,
    is_right_to,
    name_mistake,
    name_rounding,
    plain,
    right_to,
)
from helpers.exercises.seeds import rng
from helpers.models import load_bert

DIGITS = 4  # to which vectors are asked for
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
    name_mistake(square, {problem + said: wrong for said, wrong in _slips(truth)})
    row, column = np.argwhere(square != truth)[0]
    here = f"{problem}Row {row}, column {column} is {square[row, column]}"
    if truth[row, column]:
        raise NotYet(f"{here}, though word {column} may be used for word {row}.")
    if row == column:
        raise NotYet(f"{here}: word {row} would be used to predict itself.")
    raise NotYet(f"{here}: for this model word {column} is still to come there.")


def _slips(truth):
    """Pairs of a message and the square that it explains."""
    own = np.eye(len(truth), dtype=bool)
    if truth[~own].all():  # BERT
        yield "The predicted word itself is masked, so it cannot be used.", truth | own
        yield "This is a left side alone; BERT uses both sides.", np.tril(truth)
    else:
        yield (
            "The diagonal is True: word i would be used to predict word i. You have "
            "given what the vector at i sees.",
            truth | own,
        )
        yield (
            "The side is the wrong one. Row i is the predicted word and column j the "
            "word used; is your square transposed?",
            truth.T,
        )
        both = "It uses both sides, also words that are still to come."
        yield both, truth | truth.T
        yield both, truth | truth.T | own
    yield "True and False are exchanged: True means that a word may be used.", ~truth


def check_2(answer):
    """A function: (word_vectors, forward, backward, w, gamma) -> (words, 2 * width)."""
    a_function(answer, "elmo_vectors")
    random = rng(2)
    for n_layers, words, width in ((2, 5, 3), (1, 2, 4), (3, 4, 2)):
        x = random.normal(size=(words, width))
        forward, backward = random.normal(size=(2, n_layers, words, width))
        parts = x, forward, backward, random.normal(size=n_layers + 1), 1.7
        _compare_vectors(_vectors(answer, parts), parts)
    for w in ([3000, 0, 0, 2999], [-3000, -2999, -3001, -3000], [800, 1, 799, 0]):
        large = *parts[:3], random.permutation(np.array(w, dtype=float)), 0.5
        _compare_vectors(_vectors(answer, large), large)
    return "One vector a word, mixed from all layers, the word vectors included."


def _vectors(answer, parts):
    with np.errstate(all="ignore"):  # an overflow is told in words below
        result = answer(*parts)
    words, width = parts[0].shape
    what = f"For {words} words of width {width} the answer"
    hint = "The forward and the backward half of a word stand side by side."
    return an_array(result, (words, 2 * width), what, finite=False, hint=hint)


def _elmo(parts, weigh, first=0, gamma=True, zero=np.hstack, join=np.concatenate):
    """ELMo's sum; `weigh` turns w into weights, `first` is the lowest layer used."""
    x, forward, backward, w, scale = parts
    states = join([forward, backward], axis=-1)
    layers = np.concatenate([zero([x, x])[None], states])
    total = np.tensordot(weigh(w[first:]), layers[first:], axes=1)
    return scale * total if gamma else total


def _interleaved(parts, axis=-1):
    return np.stack(parts, axis=axis).reshape(*parts[0].shape[:-1], -1)


def _softmax(w):
    shares = np.exp(w - w.max())
    return shares / shares.sum()


def _compare_vectors(result, parts):
    truth = _elmo(parts, _softmax)
    slack = 1e-5 * np.abs(truth)
    if is_right_to(result, truth, DIGITS, slack):
        return
    w = parts[3]
    if not np.isfinite(result).all() and w.max() < 100:
        raise NotYet(
            "The result holds nan or infinity for small numbers w as well. Is there a "
            "division by zero, or an array that was never filled?"
        )
    if not np.isfinite(result).all():
        raise NotYet(
            f"For w = {np.round(w).tolist()} the result is not finite: the exponential "
            "overflows, or all of them are 0. What can be subtracted from w without "
            "changing the quotient?"
        )
    name_mistake(result, _sum_slips(*parts), atol=1e-5)
    name_rounding(result, truth, DIGITS, "Each number")
    i, j = first_wrong(result, truth, DIGITS, slack)
    raise NotYet(
        "The shape is right, the numbers are not. With "
        f"w = {np.round(w, 2).tolist()} number {j} of word {i} should be "
        f"{truth[i, j]:.4f}, to four decimals, and is {result[i, j]:.6g}."
    )


def _sum_slips(x, forward, backward, w, scale):
    parts = x, forward, backward, w, scale

    def but(x=x, forward=forward, backward=backward, w=w, **change):
        return _elmo((x, forward, backward, w, scale), _softmax, **change)

    return {
        "The numbers w went in as they are. The weights are their softmax, positive "
        "and with sum 1.": _elmo(parts, lambda w: w),
        "The weights are w divided by its sum. ELMo takes the softmax, which makes "
        "them positive first.": _elmo(parts, lambda w: w / w.sum()),
        "The weights are positive, but not divided by their sum.": _elmo(
            parts, lambda w: np.exp(w - w.max())
        ),
        "The word vectors, layer 0, are missing from the sum.": but(first=1),
        "The word vectors, layer 0, got their weight and were left out of the sum.": (
            but(x=0 * x)
        ),
        "The second half of layer 0 is zeros; the word vectors stand there twice.": but(
            zero=lambda pair: np.hstack([pair[0], 0 * pair[0]])
        ),
        "Layer 0 repeats each number; the whole vector stands there twice.": but(
            zero=_interleaved
        ),
        "The numbers of forward and backward alternate; the two halves stand side by "
        "side.": but(join=_interleaved),
        "The sum is right, but it is not multiplied by gamma.": but(gamma=False),
        "gamma went into the softmax; it multiplies the sum.": but(
            w=scale * w, gamma=False
        ),
        "The halves are exchanged: forward comes first.": but(
            forward=backward, backward=forward
        ),
        "The backward states are turned round; they are in the order of the words.": (
            but(backward=backward[:, ::-1])
        ),
        "The forward states stand in both halves.": but(backward=forward),
        "The weights are in reverse order: w[0] belongs to the word vectors.": but(
            w=w[::-1]
        ),
        "The word vectors come last; they are layer 0, and w[0] is theirs.": but(
            w=np.roll(w, 1)
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
    for side, number in zip(SIDES, bits, strict=True):
        _compare_bits(side, number, truth)
    surest = SIDES[np.argmin([a_number(number, "bits") for number in bits])]
    if str(named).strip().lower() not in SIDES:
        raise NotYet('surest must be "left", "right" or "both".')
    if str(named).strip().lower() != surest:
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


def _entropy(shares):
    shares = shares[shares > 0]
    return float(-(shares * np.log2(shares)).sum())


def _compare_bits(side, given, truth):
    name, hint = f"bits[{side!r}]", "It is a single number: sum over the pieces."
    given, right = a_number(given, name, hint=hint), _entropy(truth[side])
    if is_right_to(given, right, 2, SLACK):
        return
    mistakes = {
        f"{name} is in nats: take the logarithm to base 2.": right * np.log(2),
        f"{name} is to base 10: take the logarithm to base 2.": right * np.log10(2),
        f"{name} is negative: the sum has a minus sign before it.": -right,
        f"{name} is 2 to the power of the entropy; give the entropy.": 2**right,
        f"{name} is a mean over the pieces; the entropy is a sum.": (
            right / len(truth[side])
        ),
    }
    others = {
        f"{name} is the entropy of the context {other!r}.": _entropy(truth[other])
        for other in SIDES
        if other != side
    }
    name_mistake(given, mistakes | others, rtol=1e-4, atol=0)
    right_to(given, right, 2, name, slack=SLACK)


SLACK = 0.005  # what rounding in the model may do to an entropy
