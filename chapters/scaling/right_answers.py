"""Right answers of the chapter in forms that nobody thinks of first."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import torch
from torch.nn.utils.rnn import pad_sequence


def right_1(names):
    def share(lengths, batches):
        inside = [np.array(lengths)[places] for places in batches]
        waste = sum((part.max() - part).sum() for part in inside)
        return waste / sum(part.size * part.max() for part in inside)

    def by_masks(lengths, batches):
        masks = [
            pad_sequence([torch.ones(lengths[i]) for i in places]) for places in batches
        ]
        return 1 - torch.cat([mask.flatten() for mask in masks]).mean()

    def weighed(lengths, batches):
        inside = [[lengths[i] for i in places] for places in batches]
        sizes = [len(part) * max(part) for part in inside]
        return np.average(
            [1 - sum(p) / n for p, n in zip(inside, sizes, strict=True)], weights=sizes
        )

    def exact(lengths, batches):
        inside = [[lengths[i] for i in places] for places in batches]
        return 1 - Fraction(sum(map(sum, inside)), sum(len(p) * max(p) for p in inside))

    yield share
    yield by_masks
    yield weighed
    yield exact
    yield (
        lambda lengths, batches: (
            1 - sum(lengths) / sum(len(b) * max(lengths[i] for i in b) for b in batches)
        )
    )
    yield lambda *given: Decimal(str(share(*given)))
    yield lambda *given: np.array(share(*given))
    yield lambda *given: [share(*given)]
    yield lambda *given: str(share(*given))
    yield lambda *given: pd.Series([np.float32(share(*given))])


def right_2(names):
    def batches(rows, size):
        order = np.argsort([-len(row) for row in rows])
        return np.split(order, range(size, len(rows), size))

    def by_inverse(function, rows, size):
        parts = batches(rows, size)
        stacked = [function([rows[i] for i in places]) for places in parts]
        return np.concatenate(stacked)[np.argsort(np.concatenate(parts))]

    def by_dict(function, rows, size):
        found = {}
        for places in batches(rows, size):
            found |= zip(places, function([rows[i] for i in places]), strict=True)
        return [found[i] for i in range(len(rows))]

    def by_position(function, rows, size):
        left = list(range(len(rows)))
        left.sort(key=lambda i: len(rows[i]), reverse=True)
        found = [None] * len(rows)
        while left:
            now, left = left[:size], left[size:]
            for i, line in zip(now, function([rows[i] for i in now]), strict=True):
                found[i] = torch.as_tensor(line)
        return torch.stack(found)

    def as_tensor(function, rows, size):
        return torch.tensor(by_inverse(function, rows, size)).float()

    class Runner:
        def __call__(self, function, rows, size):
            return pd.DataFrame(by_inverse(function, rows, size))

    def alike_in_size(function, rows, size):
        order = np.argsort([-len(row) for row in rows])
        parts = np.array_split(order, -(-len(rows) // size))
        stacked = [function([rows[i] for i in places]) for places in parts]
        return np.concatenate(stacked)[np.argsort(order)]

    def cut_from_the_short_end(function, rows, size):
        order = np.argsort([len(row) for row in rows], kind="stable")
        parts = np.split(order, range(size, len(rows), size))[::-1]
        stacked = [function([rows[i] for i in places]) for places in parts]
        return np.concatenate(stacked)[np.argsort(np.concatenate(parts))]

    yield alike_in_size
    yield cut_from_the_short_end
    yield by_inverse
    yield by_dict
    yield by_position
    yield as_tensor
    yield Runner()
    yield lambda *given: iter(by_inverse(*given))
    yield lambda *given: tuple(by_inverse(*given).tolist())
    yield lambda function, rows, size: by_dict(function, tuple(rows), size)


def right_3(names):
    texts = names["texts"][5:22]
    rows = names["bert"].tokenizer(texts)["input_ids"]
    batches = names["by_length"](rows, 4)
    vectors = {
        "loop": names["one_by_one"](rows),
        "by length": names["in_batches"](rows, batches),
        "longest first": names["in_batches"](rows, batches[::-1]),
    }
    seconds = dict(zip(vectors, ([3.0, 2.5, 4], [1.5, 1, 2], [1, 1.5, 7]), strict=True))
    answer = {
        "texts": texts,
        "seconds": seconds,
        "median": {way: float(np.median(times)) for way, times in seconds.items()},
        "vectors": vectors,
    }

    def changed(key, change):
        return answer | {key: {way: change(x) for way, x in answer[key].items()}}

    yield changed("seconds", tuple)
    yield changed("seconds", lambda times: np.array(times))
    yield changed("seconds", lambda times: pd.Series(times))
    yield changed("median", lambda median: torch.tensor(median))
    yield changed("median", lambda median: np.array(median))
    yield changed("median", lambda median: f"{median:.6f}")
    yield changed("vectors", lambda part: torch.as_tensor(np.array(part)))
    yield changed("vectors", lambda part: np.array(part).astype(np.float16))
    yield changed("vectors", lambda part: np.array(part).tolist())
    yield answer | {"texts": pd.Series(texts)}
    yield answer | {"median": pd.Series(answer["median"])}
    yield answer | {"seconds": pd.DataFrame(seconds)}
    short = {way: [0.0124, 0.0131, 0.0149] for way in seconds}
    yield answer | {"seconds": short, "median": dict.fromkeys(seconds, 0.013)}
