"""Right answers by other ways: squares, ELMo's sum, three distributions."""

import numpy as np
from scipy import special, stats


def right_1(names):
    yield by_index


def by_index(model, n):
    row, column = np.indices((n, n))
    if model == "bert":
        return row != column
    return column > row if "backward" in model else column < row


def right_2(names):
    yield half_by_half


def half_by_half(word_vectors, forward, backward, w, gamma):
    s = gamma * special.softmax(w)
    for k, x in enumerate(word_vectors):
        halves = (s[0] * x + s[1:] @ states[:, k] for states in (forward, backward))
        yield np.concatenate(list(halves))


def right_3(names, answer):
    shares, bits = answer["distributions"], answer["bits"]
    entropies = {side: stats.entropy(shares[side], base=2) for side in bits}
    yield answer | {"bits": entropies}
    yield answer | {"surest": answer["surest"].title()}
    yield answer | {"sentence": answer["sentence"] + " "}
    commas = "Yesterday, we took the [MASK], slowly, to the airport ."
    shares = {side: names["distributions"]([commas], side)[0] for side in bits}
    bits = {side: stats.entropy(p, base=2) for side, p in shares.items()}
    surest = min(bits, key=bits.get)
    yield {"sentence": commas, "distributions": shares, "bits": bits, "surest": surest}
