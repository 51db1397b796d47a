"""Right answers in unusual forms: squares, ELMo's sum, three distributions."""

import numpy as np
import pandas as pd
import torch
from scipy import special, stats


def right_1(names):
    solved = by_index
    yield lambda model, n: torch.tensor(solved(model, n))
    yield lambda model, n: solved(model, n).tolist()
    yield lambda model, n: solved(model, n).astype(int)
    yield lambda model, n: pd.DataFrame(solved(model, n))
    yield lambda model, n: (row for row in solved(model, n))
    yield by_index


def by_index(model, n):
    row, column = np.indices((n, n))
    if model == "bert":
        return row != column
    return column > row if "backward" in model else column < row


def right_2(names):
    solved = in_place
    yield by_torch
    yield half_by_half
    yield in_place
    yield lambda *parts: solved(*parts).tolist()
    yield lambda *parts: pd.DataFrame(solved(*parts))
    yield lambda *parts: solved(*(np.float32(part) for part in parts))
    yield lambda *parts: by_torch(*parts).numpy().round(4)


def by_torch(word_vectors, forward, backward, w, gamma):
    x, forward, backward, w = map(torch.tensor, (word_vectors, forward, backward, w))
    layers = torch.cat([x.repeat(1, 2)[None], torch.cat([forward, backward], -1)])
    return gamma * torch.einsum("l,lwd->wd", w.softmax(0), layers)


def half_by_half(word_vectors, forward, backward, w, gamma):
    s = gamma * special.softmax(w)
    for k, x in enumerate(word_vectors):
        halves = (s[0] * x + s[1:] @ states[:, k] for states in (forward, backward))
        yield np.concatenate(list(halves))


def in_place(word_vectors, forward, backward, w, gamma):
    w -= w.max()
    np.exp(w, out=w)
    w *= gamma / w.sum()
    forward *= w[1:, None, None]
    backward *= w[1:, None, None]
    word_vectors *= w[0]
    return np.hstack([word_vectors + forward.sum(0), word_vectors + backward.sum(0)])


def right_3(names):
    answer = answered(names, "We took the [MASK] to the airport.")
    shares, bits = answer["distributions"], answer["bits"]
    yield answer | {"bits": {side: round(bits[side], 2) for side in bits}}
    yield answer | {"bits": {side: f"{bits[side]:.2f}" for side in bits}}
    yield answer | {
        "bits": {side: stats.entropy(shares[side], base=2) for side in bits}
    }
    yield answer | {"bits": pd.Series(bits), "distributions": pd.DataFrame(shares)}
    for form in (torch.tensor, pd.Series, list, lambda share: share[None]):
        given = {side: form(share) for side, share in shares.items()}
        yield answer | {"distributions": given}
    yield answer | {"surest": answer["surest"].title()}
    yield answer | {"sentence": answer["sentence"] + " "}
    yield answered(names, "Yesterday, we took the [MASK], slowly, to the airport .")


def answered(names, sentence):
    sides = "left", "right", "both"
    shares = {side: names["distributions"]([sentence], side)[0] for side in sides}
    bits = {side: float(stats.entropy(shares[side], base=2)) for side in sides}
    surest = min(bits, key=bits.get)
    return {
        "sentence": sentence,
        "distributions": shares,
        "bits": bits,
        "surest": surest,
    }
