"""Checks of the chapter, attention; PyTorch and the running model give the truth."""

import math
from functools import partial

import numpy as np
import torch
import torch.nn.functional as F

from helpers.exercises import NotYet
from helpers.exercises.asking import (
    a_dict,
    a_list,
    a_number,
    a_text,
    a_whole_number,
    is_right_to,
)
from helpers.exercises.mistakes import Mistakes
from helpers.exercises.running import SOFTMAX
from helpers.exercises.seeds import torch_rng
from helpers.models import load_bert


def check_1(answer):
    """A function: scores (n, m) -> the softmax of each row."""
    stages = _scores(torch_rng(3))
    TABLES[1].ask(
        "stable_softmax", answer, *stages, forbid=SOFTMAX, otherwise=_weights_off
    )
    return "Adding a constant to a row changes nothing but what fits into a float."


def _scores(generator):
    """Scores: ordinary, of unlike rows, large, and with some of minus infinity."""
    ordinary, wider = (torch.randn(n, 7, generator=generator) for n in (4, 3))
    heights = torch.tensor([[80.0], [0.0], [-80.0], [9.0]])
    closed = torch.arange(7) > 3
    yield (ordinary,), (2 * wider,), (wider[:1],)
    for scores in (ordinary + heights, ordinary * 1e4, ordinary - 1e4):
        yield [(scores,)]
    for scores in (ordinary, ordinary - 1e4):
        yield [(scores.masked_fill(closed, -math.inf),)]


def _near_weights(got, wanted, scores):
    large = (scores[scores.isfinite()].abs() > 1000).any()  # where float32 is coarse
    return np.allclose(got, wanted, atol=1e-3 if large else 1e-5)


def _weights_off(got, wanted, scores):
    if np.isfinite(got).all():
        return TABLES[1].told(got, wanted, scores)
    if 50 < scores.abs().max() < 100:  # rows of unlike height
        return (
            "A row of low scores beside a row of high ones gives nan, 0 divided by 0: "
            "one constant for the whole table does not suit every row."
        )
    return (
        f"Some weights are nan or infinite, of scores from {scores.min():.0f} to "
        f"{scores.max():.0f}: an exponential is infinite, or all of a row are 0, or "
        "infinity is subtracted from infinity. No exponent may be large."
    )


SOFTMAX_MISTAKES = {
    "The columns sum to 1, not the rows: sum over the last axis, and keep it "
    "(keepdim=True), so that each row is divided by its own sum.": (
        lambda scores: scores.softmax(0)
    ),
    "The whole table sums to 1, not each row: sum over the last axis, and keep it "
    "(keepdim=True).": lambda scores: scores.exp() / scores.exp().sum(),
    "The scores were divided by the largest. Only subtracting leaves the softmax "
    "as it was.": lambda scores: (scores / scores.amax(1, keepdim=True)).softmax(1),
    "The exponentials are there, but not divided by the sum of their row.": (
        lambda scores: (scores - scores.amax(1, keepdim=True)).exp(),
        torch.exp,
    ),
}


def check_2(answer):
    """A function: query, key, value (batch, heads, n, d_head), lengths -> mixed."""
    generator = torch_rng(4)
    stages = _padded(generator), [_low(generator)], [_below_padding(generator)]
    forbid = "__main__.attention", *ATTENTION
    TABLES[2].ask(
        "padded_attention", answer, *stages, forbid=forbid, otherwise=_mixed_off
    )
    return "Equal to PyTorch's at every real place, and blind to the padding."


ATTENTION = (
    "torch.scaled_dot_product_attention torch.multi_head_attention_forward "
    "torch._native_multi_head_attention"
).split()
PADDED = (  # batch, heads, n, d_head; and how many pieces are real
    ((3, 4, 6, 7), torch.tensor([2, 4, 5])),
    ((2, 1, 5, 3), torch.tensor([5, 3])),
    ((6, 6, 6, 6), torch.tensor([6, 1, 2, 3, 3, 5])),
    ((1, 2, 4, 3), torch.tensor([3])),
)


def _padded(generator):
    for shape, lengths in PADDED:
        parts = torch.randn((3, *shape), generator=generator).unbind()
        yield *parts, lengths


def _low(generator):
    """All scores lie near -2048, below what stands for a low one; none is rounded."""
    query, key = 32 + torch.randint(3, (2, 2, 1, 5, 4), generator=generator) / 32
    value = torch.randn(2, 1, 5, 4, generator=generator)
    return query, -key, value, torch.tensor([2, 4])


def _below_padding(generator):
    """Scores near -41, and 41 for the padding, whose values are huge."""
    query, key = 4.5 + torch.randint(3, (2, 2, 1, 5, 4), generator=generator) / 32
    value = torch.randn(2, 1, 5, 4, generator=generator)
    lengths = torch.tensor([3, 4])
    real = _real(5, lengths).mT
    return query, torch.where(real, -key, 4.5), torch.where(real, value, 1e6), lengths


def _real(n, lengths):
    return (torch.arange(n) < lengths[:, None])[:, None, None, :]


def _judged(array, query, key, value, lengths):
    """Those of real queries; the others may be anything."""
    return array[_real(query.shape[2], lengths).mT.expand(query.shape)]


def _near_mixed(got, wanted, *given):
    return np.allclose(_judged(got, *given), _judged(wanted, *given), atol=1e-5)


def _mixed_off(got, wanted, query, key, value, lengths):
    given = query, key, value, lengths
    got, wanted = _judged(got, *given), _judged(wanted, *given)
    low = (query[0, 0, 0] @ key[0, 0, 0]).item() / 2
    if low < -40:
        return (
            f"Where the scores of the real pieces are near {low:.0f}, your output is "
            "nan or not PyTorch's: no score may be too low to count, and none of the "
            "padding may."
        )
    if not np.isfinite(got).all():
        return (
            "Some real places hold nan. Either a query was left with no key to look "
            "at (is the mask, or the softmax, on the wrong axis?), or infinity was "
            "multiplied by 0: masked_fill puts it where the mask says and nowhere else."
        )
    return (
        f"For the shape {tuple(query.shape)} and the lengths {lengths.tolist()} your "
        "output differs from PyTorch's at real places by up to "
        f"{np.abs(got - wanted).max():.2g}."
    )


def _mixed(query, key, value, lengths):
    mask = _real(query.shape[2], lengths)
    return F.scaled_dot_product_attention(query, key, value, attn_mask=mask)


def _slip(
    width=lambda heads, d_head: d_head,
    hide=lambda scores, real: scores.masked_fill(~real, -math.inf),
    axis=-1,
    late=False,
    counted=lambda lengths: lengths,
):
    """Attention for a padded batch, with something done otherwise."""

    def attend(query, key, value, lengths):
        _, heads, n, d_head = query.shape
        real = _real(n, counted(lengths))
        scores = query @ key.mT / math.sqrt(width(heads, d_head))
        if late:
            return (scores.softmax(axis) * real) @ value
        return hide(scores, real).softmax(axis) @ value

    return attend


def _filled(number):
    return lambda scores, real: scores.masked_fill(~real, number)


MIXING_MISTAKES = {
    "These are scores divided by the root of heads × d_head, the hidden size. The "
    "width that counts is that of one head.": (
        _slip(width=lambda heads, d_head: heads * d_head)
    ),
    "The scores have not been divided by anything; in scaled dot-product attention "
    "they are.": _slip(width=lambda heads, d_head: 1),
    "The scores are divided by d_head itself, not by its root.": (
        _slip(width=lambda heads, d_head: d_head**2)
    ),
    "The mask came in after the softmax, into the weights or the values: the padding "
    "still counts in the denominator, and the weights that are left sum to less than "
    "1.": _slip(late=True),
    "Real queries still look at all of the padding. Is there a mask, and does it hide "
    "keys, the last axis of the scores, rather than queries?": (
        _slip(hide=lambda scores, real: scores)
    ),
    "The padding still has a score, 0 or a low one, and where those of the real pieces "
    "are lower it wins. A score that is to get no weight must be minus infinity.": (
        _slip(hide=_filled(0)),
        _slip(hide=_filled(-10)),
        _slip(hide=_filled(-50)),
        _slip(hide=_filled(-1000)),
        _slip(hide=lambda scores, real: scores - 100 * ~real),
    ),
    "A last real piece is hidden, too, or a first one of the padding is not: the "
    "places count from 0, so the last real one is lengths - 1.": (
        _slip(counted=lambda lengths: lengths + 1),
        _slip(counted=lambda lengths: (lengths - 1).clamp_min(1)),
        _slip(counted=lambda lengths: lengths - 1, hide=_filled(-1e9)),
    ),
    "All sentences are taken to be as long as one of them, the longest or the first.": (
        _slip(counted=lambda lengths: lengths.max().expand(len(lengths))),
        _slip(counted=lambda lengths: lengths[0].expand(len(lengths))),
    ),
    "The softmax runs over the queries, or the heads; the weights of one query, over "
    "all keys, must sum to 1. Keys are the last axis.": (
        _slip(axis=-2, hide=_filled(-1e9)),
        _slip(axis=1, hide=_filled(-1e9)),
    ),
    "Real queries look at the padding alone: the mask is the wrong way round.": (
        _slip(hide=lambda scores, real: scores.masked_fill(real, -1e9))
    ),
}


def check_3(answer):
    """A dict: sentence, order of its pieces, and two largest differences."""
    keys = ("sentence", "order", "without_positions", "with_positions")
    sentence, order, still, given = a_dict(answer, keys)
    bert = load_bert()
    if len(a_text(sentence, "sentence").split()) < 5:
        raise NotYet("The sentence needs five words or more.")
    ids = bert.tokenizer(sentence, return_tensors="pt").input_ids.to(bert.device)
    if ids.shape[1] > bert.model.config.max_position_embeddings:
        raise NotYet("The sentence is longer than the model can read.")
    order = _order(order, ids.shape[1]).to(bert.device)
    if order.tolist() == list(range(len(order))):
        raise NotYet("This order leaves every piece as it was; move some of them.")
    still, given = a_number(still, keys[2], 0), a_number(given, keys[3], 0)
    TABLES[3].judge([((ids, order), (still, given))], _gaps_off)
    if torch.equal(ids[:, order], ids):
        return (
            "Rounding without positions. With them the ids are what they were: the "
            "number says how two equal words differ."
        )
    gaps = (_states(ids[:, order]) - _states(ids)[order]).abs()
    place, number = divmod(int(gaps.argmax()), gaps.shape[1])
    piece = bert.tokenizer.convert_ids_to_tokens(int(ids[0, order[place]]))
    return (
        f"Rounding without positions, {gaps.max():.2g} with them. This largest one is "
        f"number {number} of the {gaps.shape[1]} of {piece!r}."
    )


def _undone(shuffled, straight, order):
    return shuffled, straight[order]


def _gaps(ids, order, alike=_undone):
    """The largest difference without positions, and with them."""
    pairs = (
        alike(_states(ids[:, order], positions), _states(ids, positions), order)
        for positions in (torch.ones_like(ids), None)
    )
    return [(one - other).abs().max().item() for one, other in pairs]


def _near_gaps(got, wanted, ids, order):
    digits = 1 - math.floor(math.log10(max(wanted[1], 1e-4)))  # two that count
    near = is_right_to(got[1], wanted[1], digits, slack=1e-5 + 1e-3 * wanted[1])
    return near and abs(got[0] - wanted[0]) <= 1e-3 + 5e-3 * wanted[0]


def _gaps_off(got, wanted, ids, order):
    still, given = got
    if still > 1e-3 and abs(still - given) <= 5e-3 * given:
        return "Both numbers are alike. Was position_ids not handed to the model?"
    if still > 1e-3:
        return (
            "Without positions the difference should be no more than rounding; yours "
            f"is {still:.3g}. Are all positions 1 in both runs, and the vectors of the "
            "same piece compared?"
        )
    if given < wanted[1] / 100:
        return (
            "With positions you found hardly any difference: the positions travelled "
            "with their pieces, or were still 1. The places must stay where they are."
        )
    return (
        "with_positions must be right to two significant digits; yours is "
        f"{given:.3g}. It is the largest difference, not a mean, over all numbers of "
        "all pieces, with the order undone."
    )


def _order(order, n):
    hint = "Give whole numbers, the places in their new order."
    order = a_list(order, "order", each=a_whole_number, hint=hint)
    if sorted(order) != list(range(n)):
        raise NotYet(
            f"order must name each of the {n} places, [CLS] and [SEP] included, "
            f"exactly once: the numbers 0 to {n - 1}."
        )
    return torch.tensor(order)


def _states(ids, positions=None):
    with torch.inference_mode():
        output = load_bert().model(ids, position_ids=positions)
    return output.last_hidden_state[0]


GAP_MISTAKES = {
    "The vectors of the same place are compared, not those of the same piece: your two "
    "outputs are still in different orders.": (
        partial(_gaps, alike=lambda shuffled, straight, order: (shuffled, straight))
    ),
    "The order was applied once more instead of undone: row i of the shuffled output "
    "belongs to piece order[i] of the straight one.": (
        partial(
            _gaps, alike=lambda shuffled, straight, order: (shuffled[order], straight)
        )
    ),
    "The two numbers are exchanged.": lambda ids, order: _gaps(ids, order)[::-1],
}

TABLES = {
    1: Mistakes(
        lambda scores: scores.softmax(1),
        SOFTMAX_MISTAKES,
        "Each weight",
        5,
        _near_weights,
    ),
    2: Mistakes(_mixed, MIXING_MISTAKES, "Each number", 5, _near_mixed),
    3: Mistakes(_gaps, GAP_MISTAKES, "Each number", 1, _near_gaps),
}
