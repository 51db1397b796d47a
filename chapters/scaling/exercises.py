"""Checks of the chapter, scaling: padding, order and agreement; no time is judged."""

import math
import reprlib
from functools import lru_cache
from itertools import pairwise

import numpy as np
import pandas as pd
import torch

from helpers.exercises import NotYet
from helpers.exercises.asking import (
    a_dict,
    a_function,
    a_list,
    a_number,
    a_text,
    an_array,
    is_right_to,
    name_mistake,
    right_to,
)
from helpers.exercises.seeds import rng
from helpers.models import load_bert
from helpers.senses import unit

DIGITS = 3  # of a share, as the exercise says
MEDIAN_DIGITS = 3  # as the chapter's `report` prints it
LONGEST = 86_400  # seconds of a round
FEWEST_TEXTS = 16
MOST_PIECES = 100_000
LOWEST_COSINE = 0.999
SENTENCES = (
    "the crane waits",
    "a heron stood in the reeds and watched the water for a long time",
    "rain",
    "the steel beam swung over the harbour , and nobody looked up",
    "she read the letter twice",
    "no train",
    "the old bridge was closed in spring because its bearings had rusted through",
)


def check_1(answer):
    """A function: (lengths, batches of places) -> share of padding, 0 to 1."""
    a_function(answer, "padding_share")
    drawn = rng(1).integers(3, 60, 23).tolist()
    cases = [
        ([7, 3, 9, 5, 4, 6], [[3], [5, 2, 0], [4, 1]]),
        ([4, 4, 4], [[0, 1], [2]]),
        ([2, 9, 5, 4], [[0, 3], [1, 2]]),
        (drawn, [list(range(i, min(i + 5, 23))) for i in range(0, 23, 5)]),
        (drawn, [[3], list(range(4, 23)), [0, 1, 2]]),
    ]
    for lengths, batches in cases:
        hint = "Return one number, the share of padding."
        got = a_number(answer(lengths, batches), "The answer", hint=hint)
        if not is_right_to(got, _shares(lengths, batches)["right"], DIGITS):
            _explain_share(got, lengths, batches)
    return "All padding over all places: the one share that times can follow."


def _shares(lengths, batches):
    """The right share and those of typical mistakes."""
    inside = [[lengths[place] for place in places] for places in batches]
    filled = sum(map(sum, inside))
    computed = sum(len(part) * max(part) for part in inside)
    whole = len(lengths) * max(lengths)
    each = [1 - sum(part) / (len(part) * max(part)) for part in inside]
    return {
        "right": 1 - filled / computed,
        "filled": filled / computed,
        "per piece": computed / filled - 1,
        "batches alike": float(np.mean(each)),
        "longest of all": 1 - filled / whole,
        "count": computed - filled,
        "per cent": 100 * (1 - filled / computed),
        "first": 1 - filled / sum(len(part) * part[0] for part in inside),
        "places": 1 - filled / _misread(lengths, batches),
        "last lost": 1
        - sum(map(sum, inside[:-1]))
        / sum(len(part) * max(part) for part in inside[:-1]),
    }


def _misread(lengths, batches):
    """All places, were a batch only a number of texts, taken as they come."""
    rest = iter(lengths)
    taken = [[next(rest) for _ in places] for places in batches]
    return sum(len(part) * max(part) for part in taken)


SHARE_MISTAKES = {
    "filled": "This is the share of real pieces; the padding is the rest.",
    "per piece": "This is padding per real piece. A share divides by all places that "
    "are computed, padding included.",
    "batches alike": "This is the mean of the shares of the batches, which counts a "
    "small batch as much as a large one. Sum first, divide once.",
    "longest of all": "This pads every text to the longest of all; each batch is "
    "padded to its own longest.",
    "count": "This is the number of padded places; divide it by all places.",
    "first": "This pads to the first text of each batch; pad to its longest.",
    "places": "The batches hold places in `lengths`; yours takes the lengths as they "
    "come.",
    "last lost": "The last batch is missing.",
    "per cent": "This is in per cent; give a share between 0 and 1.",
}


def _explain_share(got, lengths, batches):
    shares = _shares(lengths, batches)
    mistakes = ((said, shares[name]) for name, said in SHARE_MISTAKES.items())
    name_mistake(got, mistakes, digits=DIGITS)
    if any(is_right_to(got, round(shares["right"], n), 9) for n in (1, 2)):
        right_to(got, shares["right"], DIGITS, "The share")
    given = f"lengths {reprlib.repr(lengths)} and batches {reprlib.repr(batches)}"
    raise NotYet(
        f"For {given} yours is {got:.4f}. Expected padding over all places, between 0 "
        "and 1."
    )


def check_2(answer):
    """A function: (function, rows, size) -> results in the order of rows."""
    a_function(answer, "run_sorted")
    draw = rng(2)
    lengths = draw.permutation(np.r_[5:26, 9, 9])
    # short rows of high numbers: the order of the lengths is no other order
    rows = [draw.integers(500 // n, 1500 // n, n).tolist() for n in lengths]
    for size in (5, 1, 40):
        calls = []

        def describe(batch, calls=calls):
            calls.append([len(row) for row in batch])
            return _described(batch)

        got = _table(answer(describe, rows, size), (len(rows), 3), size)
        _check_calls(calls, lengths, size)
        _check_order(got, rows, lengths)
    own = load_bert().tokenizer(list(SENTENCES))["input_ids"]
    shape = len(own), load_bert().hidden_size
    got = _table(answer(_padded_means, own, 3), shape, 3)
    if not np.allclose(got, _loop(SENTENCES)[0], atol=1e-3):
        raise NotYet(
            "With the model as `function` the vectors differ from those of a loop over "
            "the rows: each result must stand at the place of its own row."
        )
    return "Sorted in secret: the caller sees the order it gave."


def _described(rows):
    """A made-up result: length, first number and mean of each row."""
    return np.array([[len(row), row[0], np.mean(row)] for row in rows], float)


def _table(value, shape, size):
    hint = "It holds a line for each row."
    table = an_array(value, (None, shape[1]), "The answer", hint=hint)
    if len(table) != shape[0]:
        rest = len(table) == shape[0] - shape[0] % size
        raise NotYet(
            f"Expected a line for each of {shape[0]} rows; yours has {len(table)}."
            + (" Is a last, smaller batch lost?" if rest else "")
        )
    return table


def _check_calls(calls, lengths, size):
    """Raise NotYet unless the batches were full, of like length, longest first."""
    if any(len(call) > size for call in calls):
        raise NotYet(f"`function` got more than size = {size} rows in one call.")
    if sum(map(len, calls)) != len(lengths):
        raise NotYet("`function` must get every row exactly once.")
    if len(calls) > math.ceil(len(lengths) / size):
        raise NotYet(
            f"{len(calls)} calls for {len(lengths)} rows of at most {size} a call: "
            "fill the batches."
        )
    seen = [length for call in calls for length in call]
    if seen == lengths.tolist() and size < len(lengths):
        raise NotYet(
            "The rows came unsorted. Batches of like length waste less padding."
        )
    if sorted(seen) != sorted(lengths.tolist()):
        raise NotYet("`function` must get the rows as they are, not padded or cut.")
    spans = [(max(call), min(call)) for call in calls]
    falling = sorted(spans, reverse=True)
    if any(low < high for (_, low), (high, _) in pairwise(falling)):
        raise NotYet("The batches hold rows of unlike length: sort all rows first.")
    if spans == falling[::-1] != falling:
        raise NotYet("The shortest rows came first; begin with the longest.")
    if spans != falling:
        raise NotYet("The longest rows are to come first, then ever shorter ones.")


def _check_order(got, rows, lengths):
    truth = _described(rows)
    if np.allclose(got, truth):
        return
    if np.allclose(got, truth.astype(int)):
        raise NotYet("Your results are whole numbers; those of `function` are not.")
    if np.allclose(got[np.lexsort(got.T)], truth[np.lexsort(truth.T)]):
        message = "All results are there, but in another order than `rows`. "
        if (np.diff(got[:, 0]) <= 0).all():
            raise NotYet(message + "They still stand in the order of their lengths.")
        order = np.argsort(-lengths, kind="stable")
        if np.allclose(got, truth[order][order]):
            message += "The sorting order was applied twice, where its inverse is due."
        raise NotYet(message)
    raise NotYet("The results are not those that `function` gave for these rows.")


@torch.inference_mode()
def _padded_means(rows):
    """Mean vectors of one padded batch, as the chapter computes them."""
    bert = load_bert()
    longest = max(map(len, rows))
    mask = np.array([[1] * len(row) + [0] * (longest - len(row)) for row in rows])
    ids = [list(row) + [0] * (longest - len(row)) for row in rows]
    mask = torch.as_tensor(mask, device=bert.device)
    states = bert.model(
        torch.tensor(ids, device=bert.device), attention_mask=mask
    ).last_hidden_state
    shares = mask / mask.sum(dim=1, keepdim=True)
    return (shares.unsqueeze(1) @ states).squeeze(1).cpu().numpy()


def _loop(texts):
    """One text at a time: mean vectors and [CLS] vectors, each (n, hidden)."""
    return _loop_cached(load_bert().name, tuple(texts))


@lru_cache(maxsize=8)
@torch.inference_mode()
def _loop_cached(model_name, texts):
    bert, means, firsts = load_bert(), [], []
    for text in texts:
        limit = bert.model.config.max_position_embeddings
        encoding = bert.tokenizer(
            text, truncation=True, max_length=limit, return_tensors="pt"
        )
        states = bert.model(**encoding.to(bert.device)).last_hidden_state[0].cpu()
        means.append(states.mean(dim=0).numpy())
        firsts.append(states[0].numpy())
    return np.array(means), np.array(firsts)


def check_3(answer):
    """A dict: texts, and seconds, median and vectors by way, three ways or more."""
    keys = ("texts", "seconds", "median", "vectors")
    texts, seconds, median, vectors = a_dict(answer, keys)
    texts = a_list(texts, "texts", each=a_text)
    encoded = load_bert().tokenizer(texts, verbose=False)["input_ids"]
    if len(texts) < FEWEST_TEXTS or len(set(map(len, encoded))) < 2:
        raise NotYet(
            f"Take at least {FEWEST_TEXTS} texts, and of unequal length: with equal "
            "lengths neither padding nor order is put to the test."
        )
    if sum(map(len, encoded)) > MOST_PIECES:
        raise NotYet(f"The texts have more than {MOST_PIECES:,} pieces; take fewer.")
    seconds, median, vectors = map(_by_way, (seconds, median, vectors))
    if len(seconds) < 3:
        raise NotYet(
            f"Expected three ways, a start and two changes; got {len(seconds)}."
        )
    if not set(seconds) == set(median) == set(vectors):
        raise NotYet("seconds, median and vectors must name the same ways.")
    for name in seconds:
        _check_times(name, seconds[name], median[name])
        _check_vectors(name, vectors[name], texts)
    return "Timed in rounds, and the same vectors: now the medians may be compared."


def _by_way(table):
    if isinstance(table, pd.Series | pd.DataFrame):
        table = dict(table.items())
    if not isinstance(table, dict):
        raise NotYet(
            "seconds, median and vectors must be dicts by the name of the way."
        )
    return table


def _check_times(name, seconds, median):
    times = an_array(seconds, None, f"{name}: the seconds").ravel()
    if len(times) < 3:
        raise NotYet(f"{name}: time at least three rounds; there are {len(times)}.")
    if not (times > 0).all():
        raise NotYet(f"{name}: seconds must be positive numbers.")
    if (times > LONGEST).all():
        raise NotYet(
            f"{name}: these are more than a day each. Are they readings of the clock? "
            "Subtract the start."
        )
    if (times == times[0]).all():
        raise NotYet(
            f"{name}: all rounds have the same time to the last digit. Time each round "
            "by itself instead of copying one."
        )
    median, truth = a_number(median, f"{name}: the median"), np.median(times)
    mistakes = {
        f"{name}: this is the mean, which one slow round can move.": times.mean(),
        f"{name}: this is the fastest round, not the median.": times.min(),
    }
    if not np.isclose(median, truth, rtol=1e-9):  # to all digits those of a mistake?
        name_mistake(median, mistakes, rtol=1e-9, atol=0)
    if is_right_to(median, truth, MEDIAN_DIGITS, slack=5e-4):  # of rounded seconds
        return
    name_mistake(median, mistakes, digits=MEDIAN_DIGITS)
    raise NotYet(
        f"{name}: the median of your seconds is {truth:.3f}; yours is {median:.6g}."
    )


def _check_vectors(name, vectors, texts):
    truth, firsts = _loop(texts)
    what, hint = f"{name}: the vectors", "It holds a line for each text."
    found = an_array(vectors, truth.shape, what, hint=hint)
    norms = np.linalg.norm(found, axis=1)
    if (norms == 0).any():
        raise NotYet(f"{name}: text {int(norms.argmin())} has a vector of zeros.")
    found = unit(found)
    cosine = (found * unit(truth)).sum(axis=1)
    if cosine.min() >= LOWEST_COSINE:
        _check_lengths(name, norms / np.linalg.norm(truth, axis=1))
        return
    across = found @ unit(truth).T  # (found, texts)
    own = across.argmax(axis=1)
    if across.max(axis=1).min() >= LOWEST_COSINE and len(set(own)) > len(texts) / 2:
        raise NotYet(
            f"{name}: the vectors are right but stand in another order than the texts. "
            "Put each back to its own place."
        )
    if ((found * unit(firsts)).sum(axis=1) >= LOWEST_COSINE).all():
        raise NotYet(f"{name}: these are the vectors of [CLS]; the task is the mean.")
    worst = int(cosine.argmin())
    raise NotYet(
        f"{name}: text {worst} has cosine {cosine[worst]:.4f} with the mean vector of "
        f"a loop; expected at least {LOWEST_COSINE}. Is the whole text read, and is "
        "padding left out of attention and mean?"
    )


def _check_lengths(name, ratios):
    """Raise NotYet where vectors have the right direction but another length."""
    if np.allclose(ratios, 1, atol=0.05):
        return
    raise NotYet(
        f"{name}: the directions are right, the lengths are not; text 0 is "
        f"{ratios[0]:.3g} times as long as its mean. Is it a sum, or divided by the "
        "padded length or by its own?"
    )
