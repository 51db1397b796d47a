"""Typical wrong answers of the chapter and the words that name each mistake."""

import math
import types

import pandas as pd
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

    def encoder_size(*sizes):
        return 0

    code, globals_of_a_notebook = encoder_size.__code__, {"__name__": "__main__"}
    of_page = types.FunctionType(code, globals_of_a_notebook)
    yield lambda *s: of_page(*s), "calls encoder_size"
    yield lambda v, e, h, i, p: parameters(v, e, h, i, p) - 2 * e, "two segments"
    yield lambda v, e, h, i, p: parameters(v, e, h, i, p) - e, "one of the four"
    yield lambda v, e, h, i, p: parameters(v, e, h, i, p) - 4 * h, "four biases"
    yield lambda v, e, h, i, p: parameters(v, e, h, i, p) - i, "inner part"
    yield lambda v, e, h, i, p: parameters(v, e, h, i, p) - i - h, "two biases of"
    yield lambda v, e, h, i, p: parameters(v, e, h, i, p) - h * i, "there and back"
    yield lambda v, e, h, i, p: parameters(v, e, h, i, p) - p * e, "the places"
    yield lambda v, e, h, i, p: parameters(v, e, h, i, p) - h * h, "square matrix"
    known = {(30_000, 128): 11_683_584, (1000, 16): parameters(1000, 16, 40, 96, 64)}
    yield lambda v, e, h, i, p: known.get((v, e), 0), "too few"


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

    def cross_entropy(s, t, temperature):
        p = (t / temperature).softmax(-1)
        return -(p * (s / temperature).log_softmax(-1)).sum(-1).mean() * temperature**2

    def over_rows(s, t, temperature):
        log_p, log_q = ((x / temperature).log_softmax(0) for x in (t, s))
        return (log_p.exp() * (log_p - log_q)).sum(-1).mean() * temperature**2

    def by_pytorch(s, t, temperature):
        log_q, p = (s / temperature).log_softmax(-1), (t / temperature).softmax(-1)
        kl_div = torch.nn.functional.kl_div
        return kl_div(log_q, p, reduction="batchmean") * temperature**2

    def log_of_softmax(s, t, temperature):
        p, q = ((x / temperature).softmax(-1) for x in (t, s))
        return (p * (p.log() - q.log())).sum(-1).mean() * temperature**2

    def kept_above_zero(s, t, temperature):
        p, q = ((x / temperature).softmax(-1) + 1e-12 for x in (t, s))
        return (p * (p / q).log()).sum(-1).mean() * temperature**2

    def by_page(s, t, temperature):
        return loss(t, s, temperature)

    def over_the_wrong_axes(s, t, temperature):
        log_p, log_q = ((x / temperature).log_softmax(-1) for x in (t, s))
        return (log_p.exp() * (log_p - log_q)).sum(0).mean() * temperature**2

    def hard(s, t, temperature):
        return torch.nn.functional.cross_entropy(s, t.argmax(-1))

    yield cross_entropy, "cross-entropy"
    yield over_rows, "over the rows"
    yield by_pytorch, "calls kl_div"
    yield log_of_softmax, "log_softmax"
    yield hard, "the loss is"
    yield kept_above_zero, "the loss is"
    yield over_the_wrong_axes, "the loss is"
    yield lambda s, t, temperature: 0.0, "yours is 0."
    yield lambda *given: (loss(*given) + by_page(*given)) / 2, "the loss is"
    yield lambda s, t, temperature: -loss(t, s, temperature), "never negative"
    yield lambda s, t, temp: loss(t * temp, s, temp), "Only the student"
    yield lambda s, t, temp: loss(t, s * temp, temp), "Only the teacher"
    yield lambda s, t, temp: loss(t, s, 1 / temp, -2), "do not multiply"
    yield lambda s, t, temp: loss(t, s, temp) / math.log(2), "the loss is"
    yield lambda s, t, temp: ((s - t) ** 2).mean(), "the loss is"
    yield lambda s, t, temp: len(s) * loss(t, s, temp), "over the rows"
    yield lambda s, t, temp: loss(t, s, temp).round(decimals=1), "to three decimals"


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
    yield memo(right), "same rate and price"
    three = {
        name: {"rate": rate, "price": 0.1, "million": 1e5 / rate / 3600}
        for name, rate in (("a", 100), ("b", 200), ("c", 50))
    }
    yield memo(0, candidates=three, why="very " * 12), "Say why"
    yield memo(0, candidates=three, why="a b c d e f g h i j k l m"), "all alike"
    yield memo(0, candidates=three, why="I take a since it costs least"), "these are 7"
    yield memo(0, candidates=three, chosen=three["a"]), "none of your"
    yield memo(0, candidates=three, chosen=["a"]), "none of your"
    yield memo(0, candidates=three, chosen=0), "none of your"
    yield memo(0, candidates=pd.DataFrame(three).T[["rate", "price"]]), "lacks million"
    two = {name: three[name] for name in "ab"}
    yield memo(0, candidates=two), "three candidates"
    rounded = {
        name: own | {"million": round(own["million"], 1)} for name, own in three.items()
    }
    yield memo(0, candidates=rounded), "cost 0.28"
    dear = {"rate": 103.27, "price": 40, "million": 108.0}
    yield memo(0, candidates=three | {"c": dear}), "cost 107.59"
    yield memo(0, candidates=three, chosen="d"), "none of your"
    yield memo(0, candidates=three, why="It is the cheapest."), "twelve words"
    upside = {name: own | {"rate": 1 / own["rate"]} for name, own in three.items()}
    yield memo(0, candidates=upside), "cost"
    yield (
        memo(0, candidates=three | {"c": {"rate": 0, "price": 1, "million": 0}}),
        ("above 0"),
    )
    yield memo(0, candidates=three | {"c": {"rate": 5, "price": 1}}), "lacks million"
    per_text = {
        name: own | {"million": own["million"] / 1e6} for name, own in three.items()
    }
    yield memo(0, candidates=per_text), "a million texts cost"
    yield memo(right, candidates={"a": {}}), "three candidates"
