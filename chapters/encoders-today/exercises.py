"""Checks of the chapter, encoders today."""

import math
from collections.abc import Mapping
from decimal import Decimal
from functools import lru_cache

import torch

from helpers.exercises import NotYet
from helpers.exercises.asking import (
    a_dict,
    a_number,
    a_text,
    a_whole_number,
    as_dict,
    is_right_to,
)
from helpers.exercises.mistakes import Mistakes
from helpers.exercises.seeds import rng, torch_rng

MILLION = 1_000_000
HIGHEST = 1e9  # texts a second, and a price an hour


def check_1(answer):
    """A function: vocabulary, embedding, hidden, inner, places -> parameters."""
    drawn = rng(1).integers((500, 9, 10, 90, 30), (900, 30, 20, 120, 60))
    drawn[2] *= 4  # for heads
    cases = [
        (1000, 16, 40, 96, 64),
        (30_000, 128, 768, 3072, 512),
        tuple(drawn.tolist()),
        (500, 40, 40, 90, 30),  # the widening matrix stays where nothing is widened
    ]
    how = {"forbid": ["__main__.encoder_size"], "read": _a_count, "otherwise": _off}
    TABLES[1].ask("albert_parameters", answer, cases, **how)
    return "Every layer is this one layer."


def _a_count(got, *sizes):
    got = got.replace(",", "") if isinstance(got, str) else got  # as f"{n:,}" is
    return a_whole_number(got, "The number of parameters")


def _off(got, truth, *sizes):
    direction = "many" if got > truth else "few"
    return f"For {sizes} you count {abs(got - truth):,.0f} too {direction}."


@lru_cache(maxsize=64)
def _albert(vocabulary, embedding, hidden, inner, places):
    from transformers import AlbertConfig, AlbertModel

    config = AlbertConfig(
        vocab_size=vocabulary,
        embedding_size=embedding,
        hidden_size=hidden,
        num_attention_heads=4,
        intermediate_size=inner,
        max_position_embeddings=places,
    )
    with torch.device("meta"):
        return sum(p.numel() for p in AlbertModel(config).parameters())


def _more(excess):
    """A count that is off by excess(vocabulary, embedding, hidden, inner, places)."""
    return lambda *sizes: _albert(*sizes) + excess(*sizes)


def _layers(n):
    def excess(v, e, h, i, p):
        return (n - 1) * (4 * (h**2 + h) + 2 * h * i + i + h + 4 * h)

    return _more(excess)


SIZE_MISTAKES = {
    "You count the layer more than once, but all layers share their weights.": (
        tuple(map(_layers, (2, 3, 4, 6, 8, 12, 24)))
    ),
    "Your tables have the width of the hidden size. In ALBERT they are factorised: "
    "words, places and segments have the width `embedding`.": (
        _more(lambda v, e, h, i, p: (v + p + 4) * (h - e)),
        _more(lambda v, e, h, i, p: (v + p + 4) * (h - e) - e * h - h),
    ),
    "The matrix (with a bias) that widens the embeddings is missing.": (
        _more(lambda v, e, h, i, p: -(e * h + h))
    ),
    "Biases are missing: each matrix has one, in the layer, before it and in the "
    "pooler.": (
        _more(lambda v, e, h, i, p: -h),
        _more(lambda v, e, h, i, p: -i),
        _more(lambda v, e, h, i, p: -(i + h)),
        _more(lambda v, e, h, i, p: -(7 * h + i)),
        _more(lambda v, e, h, i, p: -(6 * h + i)),
        _more(lambda v, e, h, i, p: -(5 * h + i)),
    ),
    "A square matrix is missing: of the four of attention, or the pooler's.": (
        _more(lambda v, e, h, i, p: -(h**2 + h)),
        _more(lambda v, e, h, i, p: -(h**2)),
    ),
    "Rows of the width `embedding` are missing: the two segments, or the weight and "
    "the bias of the first layer norm.": (
        _more(lambda v, e, h, i, p: -e),
        _more(lambda v, e, h, i, p: -2 * e),
    ),
    "The two segments and the first layer norm have the width `embedding`; in yours "
    "one of the two is as wide as `hidden`.": (
        _more(lambda v, e, h, i, p: 2 * (h - e))
    ),
}


def check_2(answer):
    """A function: student, teacher (n, classes), temperature -> loss."""
    generator, stages = torch_rng(2), []
    for rows, scale in ((5, 3.0), (1, 1.0), (4, 200.0)):  # the last: a stage of its own
        student, teacher = scale * torch.randn(2, rows, 7, generator=generator)
        stages.append([(student, teacher, T) for T in (3.0, 1.0)])
    stages = stages[0] + stages[1], stages[2]
    forbid = "torch.kl_div", "__main__.soft_losses"
    TABLES[2].ask(
        "distillation_loss", answer, *stages, forbid=forbid, otherwise=_loss_told
    )
    return "At 0 the student answers as the teacher does."


def _loss_told(got, truth, student, teacher, temperature):
    use = ""
    if student.abs().max() > 100:  # all other logits were right
        use = " Logits are large here: use log_softmax, not log of softmax."
    return TABLES[2].told(got, truth, student, teacher, temperature) + use


def _near_loss(got, wanted, *_):
    return math.isclose(got, wanted, rel_tol=1e-3, abs_tol=1e-4) or is_right_to(
        got, wanted, 3
    )


def _kl(student, teacher, temperature, dim=-1):
    log_p = (teacher / temperature).log_softmax(dim)
    log_q = (student / temperature).log_softmax(dim)
    rows = (log_p.exp() * (log_p - log_q)).sum(-1)
    return float(rows.mean()) * temperature**2


def _times(factor):
    return lambda *given: _kl(*given) * factor(*given)


def _entropy(logits):
    """The mean entropy of the rows, in nats."""
    log_p = logits.log_softmax(-1)
    return -float((log_p.exp() * log_p).sum(-1).mean())


LOSS_MISTAKES = {
    "The divergence runs the wrong way: the teacher's probabilities weigh the sum, not "
    "the student's.": lambda s, t, T: _kl(t, s, T),
    "Multiply by the temperature squared.": (
        _times(lambda s, t, T: 1 / T**2),
        _times(lambda s, t, T: 1 / T),
    ),
    "Sum over the classes, then take the mean over the rows.": (
        _times(lambda s, t, T: len(s)),
        _times(lambda s, t, T: 1 / s.shape[1]),
    ),
    "Divide the logits of both by the temperature before the softmax.": (
        lambda s, t, T: _kl(s, t, 1.0),
        lambda s, t, T: _kl(s, t, 1.0) * T**2,
        lambda s, t, T: _kl(s, t * T, T),
        lambda s, t, T: _kl(s * T, t, T),
    ),
    "This is the cross-entropy; subtract the teacher's own, so that the loss is 0 "
    "where both are alike.": lambda s, t, T: _kl(s, t, T) + _entropy(t / T) * T**2,
    "Your softmax runs over the rows; it runs over the classes.": (
        lambda *given: _kl(*given, dim=0)
    ),
}


def check_3(answer):
    """A dict: candidates {name: rate, price, million}, chosen and why."""
    keys = ("candidates", "chosen", "why")
    candidates, chosen, why = a_dict(answer, keys)
    candidates = as_dict(candidates)
    if hasattr(candidates, "to_dict"):  # a table, the candidates as rows or columns
        wide = "rate" in candidates.columns
        candidates = candidates.to_dict("index" if wide else "dict")
    if not isinstance(candidates, Mapping) or len(candidates) < 3:
        raise NotYet(
            "Compare three candidates: a dict of name to rate, price, million."
        )
    trials = [_candidate(*candidate) for candidate in candidates.items()]
    TABLES[3].judge(trials, _cost_told)
    if len({(rate, price) for (_, rate, price), _ in trials}) < 2:
        raise NotYet("All candidates have the same rate and price; compare others.")
    if not isinstance(chosen, str) or chosen not in candidates:
        raise NotYet(f"chosen is none of your candidates: {', '.join(candidates)}.")
    words = a_text(why, "why").lower().split()
    if len(words) < 12:
        raise NotYet(f"Say why in twelve words or more; these are {len(words)}.")
    if len({word for word in words if sum(map(str.isalpha, word)) > 1}) < 7:
        raise NotYet("Say why in a sentence or two, of words that are not all alike.")
    return "The numbers agree. Would somebody who wants another candidate be convinced?"


def _rounding(rate):
    """How far a rate as it is written may lie from the measured one: 10 is 9.5 to 10.5.

    A rate below 5 is not taken for a whole number.
    """
    places = 0 if rate == int(rate) >= 5 else -Decimal(repr(rate)).as_tuple().exponent
    return 0.5 * 10.0**-places


def _candidate(name, own):
    """What a cost rests on, and the cost."""
    keys = ("rate", "price", "million")
    rate, price, million = (
        a_number(value, f"{key} of {name}")
        for key, value in zip(keys, a_dict(own, keys, name), strict=True)
    )
    if rate <= 0 or price < 0:
        raise NotYet(f"The rate of {name} must be above 0 and its price not below 0.")
    if max(rate, price) > HIGHEST:
        raise NotYet(f"Neither rate nor price of {name} can be so high; see its unit.")
    return (name, rate, price), million


def _near_cost(got, wanted, name, rate, price):
    return is_right_to(got, wanted, 2, slack=wanted * max(_rounding(rate) / rate, 1e-6))


def _cost_told(got, wanted, name, rate, price):
    return f"{name}: with this rate and price a million texts cost {wanted:.2f}."


def _cost(name, rate, price):
    return MILLION / rate / 3600 * price


COST_MISTAKES = {
    "A rate is in seconds and a price in hours; divide by 3,600.": (
        lambda *given: _cost(*given) * 3600,
        lambda *given: _cost(*given) * 60,
    ),
    "A higher rate must cost less; divide by the rate.": (
        lambda name, rate, price: MILLION * rate / 3600 * price
    ),
    "This is the cost of one text; asked for is that of a million.": (
        lambda *given: _cost(*given) / MILLION
    ),
}


TABLES = {
    1: Mistakes(_albert, SIZE_MISTAKES, "The number"),
    2: Mistakes(_kl, LOSS_MISTAKES, "The loss", digits=3, near=_near_loss),
    3: Mistakes(_cost, COST_MISTAKES, "A cost", 2, near=_near_cost),
}
