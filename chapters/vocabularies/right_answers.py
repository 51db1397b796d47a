"""Right answers in forms that nobody thinks of first."""

import re
from collections import Counter, OrderedDict

import numpy as np
import pandas as pd
import torch

from helpers.corpus import read_documents


def _pairs(cuts):
    pairs = Counter()
    for cut, n in cuts.items():
        pairs.update({pair: 0 for pair in zip(cut, cut[1:], strict=False)})
        for pair in zip(cut, cut[1:], strict=False):
            pairs[pair] += n
    return pairs


def _by_pattern(cuts):
    if not (pairs := _pairs(cuts)):
        return cuts
    best = sorted(pairs, key=lambda pair: (-pairs[pair], pair))[0]
    both = re.compile(rf"(?<!\S){re.escape(' '.join(best))}(?!\S)")
    return {
        tuple(both.sub("".join(best), " ".join(cut)).split()): n
        for cut, n in cuts.items()
    }


def _by_stack(cuts):
    pairs = _pairs(cuts)
    top = max(pairs.values(), default=0)
    best = min((pair for pair, n in pairs.items() if n == top), default=())
    result = Counter()
    for cut, n in cuts.items():
        done = []
        for piece in cut:
            if best and done and (done[-1], piece) == best:
                done[-1] = "".join(best)
            else:
                done.append(piece)
        result[tuple(done)] = n
    return result


def right_1(names):
    yield _by_pattern
    yield _by_stack
    yield lambda cuts: Counter(_by_pattern(cuts))
    yield lambda cuts: dict(reversed(_by_stack(cuts).items()))
    yield lambda cuts: OrderedDict(_by_stack(cuts))
    yield lambda cuts: {cut: np.int64(n) for cut, n in _by_stack(cuts).items()}
    yield lambda cuts: {cut: float(n) for cut, n in _by_stack(cuts).items()}


def _with_arrays(cuts):
    single = Counter()
    for cut, n in cuts.items():
        single.update(Counter(dict.fromkeys(cut, 0)))
        for piece in cut:
            single[piece] += n
    return Counter(
        {
            (a, b): np.float64(n) / single[a] / single[b]
            for (a, b), n in _pairs(cuts).items()
        }
    )


def right_2(names):
    yield _with_arrays
    yield lambda cuts: {k: torch.tensor(v) for k, v in _with_arrays(cuts).items()}
    yield lambda cuts: {k: np.float32(v) for k, v in _with_arrays(cuts).items()}
    yield lambda cuts: {k: round(float(v), 5) for k, v in _with_arrays(cuts).items()}
    yield lambda cuts: pd.Series(_with_arrays(cuts), dtype="float32").to_dict()
    yield lambda cuts: {k: f"{v:.5f}" for k, v in _with_arrays(cuts).items()}
    yield lambda cuts: {k: np.array([v]) for k, v in _with_arrays(cuts).items()}


def right_3(names):
    chapters = read_documents(names["folder"] / "time-machine.txt.gz")
    learned, tried = " ".join(chapters[3]), "\n".join(chapters[4])
    counts = Counter(names["words"](learned.lower()))
    letters = sorted(set("".join(counts)))
    merges = list(names["learn"](counts, names["frequent"], 200))
    words = names["words"](tried.lower())
    values = [
        len(names["by_joining"](merges[:n], letters)(tried.lower())) / len(words)
        for n in (0, 50, 100, 200)
    ]
    texts = {"learned_on": learned, "tried_on": tried}
    yield texts | {"pieces_a_word": np.round(values, 2)}
    yield texts | {"pieces_a_word": torch.tensor(values)}
    yield texts | {"pieces_a_word": pd.Series([f"{value:.2f}" for value in values])}
    yield texts | {"pieces_a_word": dict(enumerate(values)).values()}
    yield texts | {"pieces_a_word": tuple(map(np.float32, values))}
    yield texts | {"pieces_a_word": iter(values)}
    yield pd.Series(texts | {"pieces_a_word": values})
    loud = {"learned_on": learned.upper(), "tried_on": f"\n{tried.upper()} "}
    yield loud | {"pieces_a_word": values}
