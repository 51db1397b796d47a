"""Right answers in unusual forms: softmax, padded attention, a shuffled sentence."""

import math

import numpy as np
import pandas as pd
import torch


def right_1(names):
    yield softmax
    yield lambda scores: softmax(scores.double()).tolist()
    yield in_place
    yield by_numpy
    yield row_by_row
    yield lambda scores: pd.DataFrame(softmax(scores).numpy())
    yield Called(softmax)
    yield lambda scores: (scores - scores.logsumexp(-1, keepdim=True)).exp()
    yield lambda scores: softmax(scores.masked_fill(scores == -math.inf, -1e30))
    yield lambda scores: softmax(scores).round(decimals=5)


class Called(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.forward = function


def softmax(scores):
    shares = (scores - scores.amax(dim=-1, keepdim=True)).exp()
    return shares / shares.sum(dim=-1, keepdim=True)


def in_place(scores):
    scores -= scores.max(dim=-1, keepdim=True).values
    scores.exp_()
    scores /= scores.sum(dim=-1, keepdim=True)
    return scores


def by_numpy(scores):
    shares = np.exp(scores.numpy() - scores.numpy().max(axis=1, keepdims=True))
    return shares / shares.sum(axis=1, keepdims=True)


def row_by_row(scores):
    for row in scores.tolist():
        shares = [math.exp(score - max(row)) for score in row]
        yield [share / sum(shares) for share in shares]


def right_2(names):
    yield lambda *parts: unjudged(renormed(*parts), parts[3], 1.0)
    yield Called(renormed)
    yield sentence_by_sentence
    yield lambda *parts: renormed(*parts).tolist()
    yield lambda *parts: iter(renormed(*parts))
    yield lambda query, *others: renormed(query.double(), *(x.double() for x in others))
    yield lambda *parts: unjudged(renormed(*parts), parts[3], math.nan)
    yield lambda *parts: unjudged(renormed(*parts), parts[3], 0.0)


def renormed(query, key, value, lengths):
    """Masked after the softmax, and divided by the sums again."""
    real = (torch.arange(key.shape[2]) < lengths[:, None])[:, None, None]
    scores = torch.einsum("bhid,bhjd->bhij", query, key) * query.shape[-1] ** -0.5
    weights = scores.softmax(-1) * real
    return weights / weights.sum(-1, keepdim=True) @ value


def sentence_by_sentence(query, key, value, lengths):
    mixed = torch.zeros_like(query)
    for one, n in enumerate(lengths.tolist()):
        q, k, v = (part[one, :, :n] for part in (query, key, value))
        mixed[one, :, :n] = (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1) @ v
    return mixed


def unjudged(mixed, lengths, value):
    padded = torch.arange(mixed.shape[2]) >= lengths[:, None]
    return mixed.masked_fill(padded[:, None, :, None], value)


def right_3(names):
    measured = Measured(names["bert"])
    answer = measured("the dog bit the man in the park", [0, 3, 1, 2, 4, 8, 7, 6, 5, 9])
    yield answer
    for form in (tuple, np.array, torch.tensor, pd.Series, iter):
        yield answer | {"order": form(answer["order"])}
    digits = 1 - math.floor(math.log10(answer["with_positions"]))
    rounded = round(answer["with_positions"], digits)
    yield answer | {"with_positions": rounded, "without_positions": 0}
    yield answer | {"with_positions": str(rounded), "without_positions": "1e-6"}
    yield answer | {"with_positions": torch.tensor(answer["with_positions"])}
    alike = "it was a very very good day"  # two pieces alike are exchanged
    yield measured(alike, [0, 1, 2, 3, 5, 4, 6, 7, 8])


class Measured:
    """An answer for a sentence and an order, with what the model gives."""

    def __init__(self, bert):
        self.bert = bert

    def __call__(self, sentence, order):
        ids = self.bert.tokenizer(sentence, return_tensors="pt").input_ids
        n = ids.shape[1]  # a model with other pieces gets an order of its own
        order = order if len(order) == n else list(range(n))[::-1]
        return {
            "sentence": sentence,
            "order": order,
            "without_positions": self.gap(ids, order, torch.ones_like(ids)),
            "with_positions": self.gap(ids, order),
        }

    def gap(self, ids, order, positions=None):
        with torch.inference_mode():
            straight, shuffled = (
                self.bert.model(some, position_ids=positions).last_hidden_state[0]
                for some in (ids, ids[:, order])
            )
        return (shuffled - straight[order]).abs().max().item()
