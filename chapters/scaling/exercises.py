"""Checks of the chapter, scaling: padding, order and agreement; no time is judged."""

import math
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
)
from helpers.exercises.mistakes import Mistakes
from helpers.exercises.seeds import rng
from helpers.models import load_bert
from helpers.senses import unit

DIGITS = 3  # of a share and of a median, as the exercises say
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
    drawn = rng(1).integers(3, 60, 23).tolist()
    cases = [
        ([7, 3, 9, 5, 5, 6], [[3], [5, 2, 0], [4, 1]]),
        ([4, 4, 4], [[0, 1], [2]]),
        ([2, 9, 5, 4], [[0, 3], [1, 2]]),
        ([1, 90, 2, 700, 4], [[0, 1], [2, 3, 4]]),
        (drawn, [list(range(i, min(i + 5, 23))) for i in range(0, 23, 5)]),
        (drawn, [[3], list(range(4, 23)), [0, 1, 2]]),
    ]
    one_batch = [([2, 9, 5], [[1, 2, 0]])]  # after its mistakes
    hint, forbid = "Return one number, the share of padding.", ("chapters.padding",)
    TABLES[1].ask("padding_share", answer, cases, one_batch, hint=hint, forbid=forbid)
    return "All padding over all places: the one share that times can follow."


def _padded(lengths, batches, longest=max):
    """How many places are padding, and how many there are."""
    inside = [[lengths[place] for place in places] for places in batches]
    places = sum(len(part) * longest(part) for part in inside)
    return places - sum(map(sum, inside)), places


def _share(lengths, batches, longest=max):
    padding, places = _padded(lengths, batches, longest)
    return padding / places


def _as_they_come(lengths, batches):
    """The share, were a batch only a number of texts."""
    ends = np.cumsum([len(places) for places in batches])
    return _share(lengths, np.split(np.arange(len(lengths)), ends[:-1]))


SHARE_MISTAKES = {
    "This is the share of real pieces; the padding is the rest.": (
        lambda *given: 1 - _share(*given)
    ),
    "This is padding per real piece. A share divides by all places that are computed, "
    "padding included.": lambda *given: 1 / (1 - _share(*given)) - 1,
    "This is the mean of the shares of the batches, which counts a small batch as much "
    "as a large one. Sum first, divide once.": (
        lambda lengths, batches: np.mean([_share(lengths, [b]) for b in batches])
    ),
    "This pads every text to the longest of all; each batch is padded to its own "
    "longest.": lambda lengths, batches: _share(lengths, [range(len(lengths))]),
    "This is the number of padded places; divide it by all places.": (
        lambda *given: _padded(*given)[0]
    ),
    "This pads to the first text of each batch; pad to its longest.": (
        lambda *given: _share(*given, longest=lambda part: part[0])
    ),
    "The batches hold places in `lengths`; yours takes the lengths as they come.": (
        _as_they_come
    ),
    "This is in per cent; give a share between 0 and 1.": (
        lambda *given: 100 * _share(*given)
    ),
}


def check_2(answer):
    """A function: (function, rows, size) -> results in the order of rows."""
    a_function(answer, "run_sorted")
    draw = rng(2)
    lengths, trials = draw.permutation(np.r_[5:26, 9, 9]), []
    # short rows of high numbers: the order of the lengths is no other order
    every = [draw.integers(500 // n, 1500 // n, n).tolist() for n in lengths]
    first, *_, last = np.flatnonzero(lengths == 9)
    every[last] = list(every[first])  # a row may come twice
    for rows, size in ((every, 5), (every, 1), (every, 40), (every[:1], 5)):
        calls, sized = [], []

        def describe(batch, calls=calls, sized=sized):
            sized.append(hasattr(batch, "__len__"))
            batch = list(batch)
            calls.append([len(row) for row in batch])
            return _described(batch)

        got = _table(answer(describe, rows, size), (len(rows), 3), size)
        if not all(sized):
            raise NotYet("`function` takes a list of rows; yours gave it a generator.")
        _check_calls(calls, lengths[: len(rows)], size)
        trials.append(((rows, size), got))
    TABLES[2].judge(trials, _lines_told)
    own = load_bert().tokenizer(list(SENTENCES))["input_ids"]
    shape = len(own), load_bert().hidden_size
    got = _table(answer(_padded_means, own, 3), shape, 3)
    if not np.allclose(got, _loop(SENTENCES)[0], atol=1e-3):
        raise NotYet(
            "With the model as `function` the vectors differ from those of a loop over "
            "the rows: each result must stand at the place of its own row."
        )
    return "Sorted in secret: the results come in the order that was given."


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
    if any(len(call) < size for call in calls[:-1]):
        raise NotYet(
            f"The batches have {[len(call) for call in calls]} rows of at most {size}: "
            "all but the last must be full, or the first does not show whether a full "
            "batch of the longest rows fits."
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
    if spans != falling:
        raise NotYet("The longest rows are to come first, then ever shorter ones.")


def _lines_told(got, truth, rows, size):
    if not np.allclose(got[np.lexsort(got.T)], truth[np.lexsort(truth.T)]):
        return "The results are not those that `function` gave for these rows."
    if (np.diff(got[:, 0]) <= 0).all():
        return f"{ELSEWHERE} They still stand in the order of their lengths."
    return ELSEWHERE


def _sorted_run(back=np.argsort):
    """A run whose lines, longest first, are taken by back(the order of the rows)."""

    def run(function, rows, size):
        order = np.argsort([-len(row) for row in rows], kind="stable")
        parts = np.split(order, range(size, len(order), size))
        lines = [function([rows[place] for place in part]) for part in parts]
        return np.concatenate(lines)[back(order)]

    return run


ELSEWHERE = "All results are there, but in another order than `rows`."
LINE_MISTAKES = {
    "Your results are whole numbers; those of `function` are not.": (
        lambda *given: _sorted_run()(*given).astype(int)
    ),
    f"{ELSEWHERE} The sorting order was applied twice, where its inverse is due.": (
        _sorted_run(lambda order: order)
    ),
}


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
    trials = [_timed(name, seconds[name], median[name]) for name in seconds]
    TABLES[3].judge(trials, _median_told)
    for name in vectors:
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


def _timed(name, seconds, median):
    """A way with its seconds, and the median that is said to be theirs."""
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
    return (name, times), a_number(median, f"{name}: the median")


def _near_median(got, wanted, name, times):
    """Near the median, and not to all digits the mean."""
    if np.isclose(got, times.mean(), rtol=1e-9) > np.isclose(got, wanted, rtol=1e-9):
        return False
    return is_right_to(got, wanted, DIGITS, slack=5e-4)  # of rounded seconds


def _median_told(got, wanted, name, times):
    if np.isclose(got, times.mean(), rtol=1e-9):
        return f"{name}: this is the mean, which one slow round can move."
    return f"{name}: the median of your seconds is {wanted:.3f}; yours is {got:.6g}."


MEDIAN_MISTAKES = {
    "This is the mean, which one slow round can move.": (
        lambda name, times: times.mean()
    ),
    "This is the fastest round, not the median.": lambda name, times: times.min(),
    "This is the second round as it came; sort the seconds first.": (
        lambda name, times: times[len(times) // 2]
    ),
}


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


TABLES = {
    1: Mistakes(_share, SHARE_MISTAKES, "The share", digits=DIGITS),
    2: Mistakes(
        _sorted_run(),
        LINE_MISTAKES,
        "Each line",
        near=lambda got, wanted, *_: np.allclose(got, wanted),
        numbers=lambda run, rows, size: run(_described, rows, size),
    ),
    3: Mistakes(
        lambda name, times: np.median(times),
        MEDIAN_MISTAKES,
        "The median",
        digits=DIGITS,
        near=_near_median,
    ),
}
