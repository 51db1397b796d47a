"""Typical wrong answers of the chapter and the words that name each mistake."""

import math

import torch


def wrong_1(names):
    def parameters(v, e, h, i, p, layers=1, width=None, widen=True, pooler=True):
        width = width or e
        table = (v + p + 2) * width + 2 * width
        own = 4 * (h * h + h) + 2 * h * i + i + h + 4 * h
        return table + (e * h + h) * widen + layers * own + (h * h + h) * bool(pooler)

    yield lambda *s: parameters(*s, layers=12), "share their weights"
    yield lambda *s: parameters(*s, width=s[2], widen=False), "factorised"
    yield lambda *s: parameters(*s, widen=False), "widens the embeddings"
    yield lambda *s: parameters(*s, pooler=False), "pooler is missing"
    yield lambda *s: parameters(*s) + 5, "too many"
    yield lambda *s: "many", "whole number"


def wrong_2(names):
    def loss(p, q, t, factor=2):
        log_p, log_q = (p / t).log_softmax(-1), (q / t).log_softmax(-1)
        return (log_p.exp() * (log_p - log_q)).sum(-1).mean() * t**factor

    yield lambda s, t, temperature: loss(s, t, temperature), "the wrong way"
    yield lambda s, t, temperature: loss(t, s, temperature, 0), "squared is missing"
    yield lambda s, t, temperature: loss(t, s, temperature, 1), "not by the temperature"
    yield lambda s, t, temperature: loss(t, s, 1.0), "before the softmax"
    yield lambda s, t, temperature: loss(t, s, temperature) / 7, "average over the cl"
    yield lambda s, t, temperature: torch.ones(3), "one number"


def wrong_3(names):
    def memo(million, **changes):
        own = {"rate": 100, "price": 0.1, "million": million}
        answer = {
            "candidates": {name: own for name in ("a", "b", "c")},
            "chosen": "a",
            "why": "It is the cheapest of the three and the texts stay in the house.",
        }
        return answer | changes

    right = 1_000_000 / 100 / 3600 * 0.1
    yield memo(right * 3600), "divide by 3,600"
    yield memo(right * 100 * 100), "a higher rate must cost less"
    yield memo(1.0), "a million texts cost 0.28"
    for rate in (math.inf, math.nan):
        own = {"rate": rate, "price": 0.1, "million": 0.0}
        yield memo(0, candidates=dict.fromkeys("abc", own)), "nan or infinity"
    own = {"rate": 1e300, "price": 0.1, "million": 0.0}
    yield memo(0, candidates=dict.fromkeys("abc", own)), "can be so high"
    yield memo(right, chosen="d"), "none of your candidates"
    yield memo(right, why="cheap"), "twelve words"
    yield memo(right, candidates={"a": {}}), "three candidates"
