"""Checks of the chapter, encoders today."""

import math
from collections.abc import Mapping
from decimal import Decimal

import torch

from helpers.exercises import NotYet
from helpers.exercises.asking import (
    a_dict,
    a_function,
    a_number,
    a_text,
    a_whole_number,
    is_right_to,
    name_mistake,
    name_rounding,
)
from helpers.exercises.running import without
from helpers.exercises.seeds import rng, torch_rng

MILLION = 1_000_000
HIGHEST = 1e9  # texts a second, and a price an hour


def check_1(answer):
    """A function: vocabulary, embedding, hidden, inner, places -> parameters."""
    a_function(answer, "albert_parameters")
    drawn = rng(1).integers((500, 9, 10, 90, 30), (900, 30, 20, 120, 60))
    drawn[2] *= 4  # for heads
    drawn = tuple(drawn.tolist())
    for sizes in ((1000, 16, 40, 96, 64), (30_000, 128, 768, 3072, 512), drawn):
        with without("__main__.encoder_size"):
            got = answer(*sizes)
        got = a_whole_number(got, "The number of parameters")
        truth = _albert(*sizes)
        if got != truth:
            raise NotYet(_slip(got - truth, sizes))
    return "Every layer is this one layer."


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


def _slip(excess, sizes):
    """The name of a typical mistake, by how far it is off."""
    vocabulary, embedding, hidden, inner, places = sizes
    layer = 4 * (hidden**2 + hidden) + 2 * hidden * inner + inner + hidden + 4 * hidden
    pieces = vocabulary + places + 2
    if excess > 0 and excess % layer == 0:
        return "You count the layer more than once, but all layers share their weights."
    widen = embedding * hidden + hidden
    wide = (pieces + 2) * (hidden - embedding)
    if excess in (wide, wide - widen):
        return (
            "Your tables have the width of the hidden size. In ALBERT they are "
            "factorised: words, places and segments have the width `embedding`."
        )
    layer_biases = -(7 * hidden + inner)
    slips = {
        -widen: "The matrix (with a bias) that widens the embeddings is missing.",
        -hidden: "A bias as wide as the hidden size is missing.",
        -inner: "The bias of the feed-forward network's inner part is missing.",
        -(inner + hidden): "The two biases of the feed-forward network are missing.",
        -hidden * inner: "The feed-forward network has two matrices: there and back.",
        -(hidden**2 + hidden): "The pooler is missing, or one of the four matrices.",
        -(hidden**2): "A square matrix is missing: of the four of attention, or the "
        "pooler's.",
        -embedding: "Two segments and two parts of a layer norm have the width "
        "`embedding`; one of the four is missing.",
        -2 * embedding: "The two segments are missing, or the layer norm of the "
        "embeddings.",
        -places * embedding: "The table of the places is missing.",
        -2 * hidden: "A layer norm of the layer is missing (it has a weight and a "
        "bias), or two biases are.",
        -4 * hidden: "The two layer norms of the layer are missing, or the four biases "
        "of attention.",
        layer_biases: "All biases of the matrices are missing.",
        -2 * embedding + 2 * hidden: "The first layer norm has the width `embedding`.",
    }
    direction = "many" if excess > 0 else "few"
    said = f"For {sizes} you count {abs(excess):,} too {direction}."
    return slips.get(excess, said)


def check_2(answer):
    """A function: student, teacher (n, classes), temperature -> loss."""
    a_function(answer, "distillation_loss")
    generator = torch_rng(2)
    for rows, scale in ((5, 3.0), (1, 1.0), (4, 200.0)):
        student, teacher = scale * torch.randn(2, rows, 7, generator=generator)
        for temperature in (3.0, 1.0):
            with without("torch.kl_div"):
                got = answer(student, teacher, temperature)
            got = a_number(got, "The loss", finite=False, hint="Return one number.")
            truth = _kl(student, teacher, temperature)
            near = math.isclose(got, truth, rel_tol=1e-3, abs_tol=1e-4)
            if not near and not is_right_to(got, truth, 3):
                _name_slip(got, student, teacher, temperature)
    return "At 0 the student answers as the teacher does."


def _kl(student, teacher, temperature, dim=-1):
    log_p = (teacher / temperature).log_softmax(dim)
    log_q = (student / temperature).log_softmax(dim)
    rows = (log_p.exp() * (log_p - log_q)).sum(-1)
    return float(rows.mean()) * temperature**2


def _name_slip(got, student, teacher, temperature):
    if not math.isfinite(got):
        raise NotYet(
            "Large logits give nan or inf: use log_softmax, not log of softmax."
        )
    truth = _kl(student, teacher, temperature)
    cold = _kl(student, teacher, 1.0)
    undivided = "Divide the logits of both by the temperature before the softmax."
    given = {"student": student, "teacher": teacher, "temperature": temperature}
    slips = (
        (
            "The divergence runs the wrong way: the teacher's probabilities weigh the "
            "sum, not the student's.",
            _kl(teacher, student, temperature),
        ),
        ("The factor temperature squared is missing.", truth / temperature**2),
        (
            "Multiply by the temperature squared, not by the temperature.",
            truth / temperature,
        ),
        ("You sum over the rows; take their mean.", truth * len(student)),
        (
            "You average over the classes too: sum over them, average over rows.",
            truth / student.shape[1],
        ),
        (undivided, cold),
        (undivided, cold * temperature**2),
        (
            "This is the cross-entropy; subtract the teacher's own, so that the loss "
            "is 0 where both are alike.",
            truth + _entropy(teacher / temperature) * temperature**2,
        ),
        ("The sign is turned: a divergence is never negative.", -truth),
        (
            "Your softmax runs over the rows; it runs over the classes.",
            _kl(student, teacher, temperature, dim=0),
        ),
        (
            "Only the student is softened; divide the teacher's logits, too.",
            _kl(student, teacher * temperature, temperature),
        ),
        (
            "Only the teacher is softened; divide the student's logits, too.",
            _kl(student * temperature, teacher, temperature),
        ),
        ("Divide by the temperature, do not multiply.", _multiplied(**given)),
    )
    name_mistake(got, slips, rtol=1e-3, atol=1e-5)
    name_rounding(got, truth, 3, "The loss")
    raise NotYet(
        f"At temperature {temperature:g} the loss is {truth:.3f} here, to three "
        f"decimals; yours is {got:.6g}."
    )


def _entropy(logits):
    """The mean entropy of the rows, in nats."""
    log_p = logits.log_softmax(-1)
    return -float((log_p.exp() * log_p).sum(-1).mean())


def _multiplied(student, teacher, temperature):
    return _kl(student, teacher, 1 / temperature) * temperature**4


def check_3(answer):
    """A dict: candidates {name: rate, price, million}, chosen and why."""
    keys = ("candidates", "chosen", "why")
    candidates, chosen, why = a_dict(answer, keys)
    if hasattr(candidates, "to_dict"):  # a table, the candidates as rows or columns
        wide = "rate" in candidates.columns
        candidates = candidates.to_dict("index" if wide else "dict")
    if not isinstance(candidates, Mapping) or len(candidates) < 3:
        raise NotYet(
            "Compare three candidates: a dict of name to rate, price, million."
        )
    if len({_check_candidate(*candidate) for candidate in candidates.items()}) < 2:
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


def _check_candidate(name, own):
    keys = ("rate", "price", "million")
    rate, price, million = (
        a_number(value, f"{key} of {name}")
        for key, value in zip(keys, a_dict(own, keys, name), strict=True)
    )
    if rate <= 0 or price < 0:
        raise NotYet(f"The rate of {name} must be above 0 and its price not below 0.")
    if max(rate, price) > HIGHEST:
        raise NotYet(f"Neither rate nor price of {name} can be so high; see its unit.")
    truth, allowed = MILLION / rate / 3600 * price, _rounding(rate) / rate
    if is_right_to(million, truth, 2, slack=truth * max(allowed, 1e-6)):
        return rate, price
    seconds = f"{name}: a rate in seconds and a price in hours; divide by 3,600."
    higher = f"{name}: a higher rate must cost less; divide by the rate."
    mistakes = {seconds: truth * 3600, higher: MILLION * rate / 3600 * price}
    name_mistake(million, mistakes, rtol=0.01)
    raise NotYet(f"{name}: with this rate and price a million texts cost {truth:.2f}.")
