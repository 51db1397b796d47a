"""Right answers by other ways than the solutions: batches, a report."""

import numpy as np


def right_2(names):
    yield by_dict


def by_dict(function, rows, size):
    order, found = np.argsort([-len(row) for row in rows]), {}
    for places in np.split(order, range(size, len(rows), size)):
        found |= zip(places, function([rows[i] for i in places]), strict=True)
    return [found[i] for i in range(len(rows))]


def right_3(names, answer):
    rows = names["bert"].tokenizer(answer["texts"])["input_ids"]
    batches = names["by_length"](rows, 4)
    vectors = {
        "loop": names["one_by_one"](rows),
        "sorted": names["in_batches"](rows, batches),
        "half": np.array(names["in_batches"](rows, batches[::-1])).astype(np.float16),
    }
    seconds = {"loop": [4, 1, 1.5], "sorted": [0.5, 0.8, 0.9], "half": [0.4, 0.7, 0.5]}
    median = {way: np.median(times) for way, times in seconds.items()}
    answer |= {"seconds": seconds, "median": median, "vectors": vectors}
    yield answer
    short = {way: [0.0124, 0.0131, 0.0149] for way in vectors}
    yield answer | {"seconds": short, "median": dict.fromkeys(vectors, 0.013)}
