"""Checks of the chapter, attention; PyTorch and the running model give the truth."""

import math

import torch
import torch.nn.functional as F

from helpers.exercises import NotYet
from helpers.exercises.asking import (
    a_dict,
    a_function,
    a_list,
    a_number,
    a_text,
    a_whole_number,
    an_array,
    name_mistake,
)
from helpers.models import load_bert


def check_1(answer):
    """A function: scores (n, m) -> the softmax of each row."""
    a_function(answer, "stable_softmax")
    generator = torch.Generator().manual_seed(3)
    ordinary = torch.randn(4, 7, generator=generator)
    _softmax_of(answer, ordinary, "ordinary scores")
    levels = torch.tensor([[80.0], [0.0], [-80.0], [9.0]])
    _softmax_of(answer, ordinary + levels, "rows of very different height")
    _softmax_of(answer, ordinary * 1e4, "scores of 10,000")
    masked = ordinary.clone()
    masked[:, 4:] = -math.inf
    _softmax_of(answer, masked, "rows in which some scores are minus infinity")
    return "Adding a constant to a row changes nothing but what fits into a float."


def _softmax_of(answer, scores, which):
    got = _tensor(answer(scores), scores.shape, "The weights")
    truth = scores.softmax(dim=-1)
    if torch.allclose(got, truth, atol=1e-5):
        return
    columns = (
        "The columns sum to 1, not the rows: sum over the last axis, and keep it "
        "(keepdim=True), so that each row is divided by its own sum."
    )
    name_mistake(got, {columns: scores.softmax(dim=0)}, atol=1e-5)
    if got.isfinite().all():
        sums = got.sum(dim=-1)
        raise NotYet(
            f"For {which} the weights differ from those expected by up to "
            f"{(got - truth).abs().max():.3g}; your rows sum to {sums.min():.3g} to "
            f"{sums.max():.3g}."
        )
    if which == "rows of very different height":
        raise NotYet(
            "A row of low scores beside a row of high ones gives nan, 0 divided by 0: "
            "one constant for the whole table does not suit every row."
        )
    if which == "ordinary scores":
        raise NotYet("Ordinary scores give infinite weights or nan.")
    raise NotYet(
        f"For {which} some weights are nan: an exponential overflows to infinity, or "
        "infinity is subtracted from infinity. No exponent may be large."
    )


def _tensor(result, shape, what):
    """The student's result as a float tensor of the expected shape."""
    array = an_array(result, shape, what, finite=False, hint="Return one tensor.")
    return torch.from_numpy(array).float()


def check_2(answer):
    """A function: query, key, value (batch, heads, n, d_head), lengths -> mixed."""
    a_function(answer, "padded_attention")
    generator = torch.Generator().manual_seed(4)
    for batch, heads, n, d_head in ((3, 4, 6, 8), (2, 1, 5, 3), (6, 6, 6, 6)):
        shape = (3, batch, heads, n, d_head)
        parts = torch.randn(shape, generator=generator).unbind()
        lengths = torch.randint(2, n, (batch,), generator=generator)
        lengths[0] = n
        got = _tensor(answer(*parts, lengths), parts[0].shape, "The mixed values")
        rows = torch.arange(n) < lengths[:, None]  # (batch, n)
        rows = rows[:, None, :, None].expand_as(got)  # padded queries are not judged
        if torch.allclose(got[rows], _mixed(*parts, lengths)[rows], atol=1e-5):
            continue
        mistakes = (
            (message, _mixed(*parts, lengths, mistake)[rows])
            for mistake, message in LATE_OR_WRONG.items()
        )
        name_mistake(got[rows], mistakes, atol=1e-5)
        if not got[rows].isfinite().all():
            raise NotYet(
                "Some real places hold nan: a query was left with no key to look at. "
                "Is the mask the wrong way round, or on the wrong axis?"
            )
        off = (got - _mixed(*parts, lengths))[rows].abs().max()
        raise NotYet(
            f"For the shape {tuple(parts[0].shape)} your output differs from "
            f"PyTorch's at real places by up to {off:.2g}."
        )
    return "Equal to PyTorch's at every real place, and blind to the padding."


LATE_OR_WRONG = {
    "hidden": "These are scores divided by the root of heads × d_head, the hidden "
    "size. The width that counts is that of one head.",
    "unscaled": "The scores have not been divided by anything; in scaled dot-product "
    "attention they are.",
    "late": "The mask was multiplied in after the softmax: the rows of weights sum to "
    "less than 1, and the padding still counts in the denominator.",
    "unmasked": "Real queries still look at the padding. The mask must hide keys, the "
    "last axis of the scores, not queries.",
    "inverted": "Real queries look at the padding alone: the mask is the wrong way "
    "round.",
}


def _mixed(query, key, value, lengths, mistake=None):
    """Attention with a padding mask; with one mistake where it is named."""
    n, d_head = query.shape[-2:]
    real = (torch.arange(n) < lengths[:, None])[:, None, None, :]
    if mistake is None:
        return F.scaled_dot_product_attention(query, key, value, attn_mask=real)
    width = {"hidden": query.shape[1] * d_head, "unscaled": 1}.get(mistake, d_head)
    scores = query @ key.transpose(-2, -1) / math.sqrt(width)
    if mistake == "inverted":
        scores = scores.masked_fill(real, -1e9)  # not nan where all is hidden
    elif mistake not in ("late", "unmasked"):
        scores = scores.masked_fill(~real, -math.inf)
    weights = scores.softmax(dim=-1)
    return (weights * real if mistake == "late" else weights) @ value


def check_3(answer):
    """A dict: sentence, order of its pieces, and two largest differences."""
    keys = ("sentence", "order", "without_positions", "with_positions")
    sentence, order, without, given = a_dict(answer, keys)
    bert = load_bert()
    if len(a_text(sentence, "sentence").split()) < 5:
        raise NotYet("The sentence needs five words or more.")
    ids = bert.tokenizer(sentence, return_tensors="pt").input_ids.to(bert.device)
    if ids.shape[1] > bert.model.config.max_position_embeddings:
        raise NotYet("The sentence is longer than the model can read.")
    order = _order(order, ids.shape[1]).to(bert.device)
    if (ids[:, order] == ids).all():
        raise NotYet("This order leaves every piece as it was; move some of them.")
    without, given = a_number(without, keys[2], 0), a_number(given, keys[3], 0)
    if without > 1e-3:
        _explain_without(without, bert, ids, order)
    truth = _largest(_states(bert, ids[:, order]) - _states(bert, ids)[order])
    if math.isclose(given, truth, rel_tol=0.01, abs_tol=1e-5):
        return f"Rounding without positions, {truth:.2g} with them."
    if given < truth / 100:
        raise NotYet(
            "With positions you found hardly any difference: the positions travelled "
            "with their pieces, or were still 1. The places must stay where they are."
        )
    raise NotYet(
        f"With positions the largest difference is {truth:.3g}, yours is {given:.3g}. "
        "Is it the largest over all pieces, with the order undone?"
    )


def _explain_without(without, bert, ids, order):
    still = torch.ones_like(ids)
    unmoved, moved = (_states(bert, some, still) for some in (ids, ids[:, order]))
    mistakes = {
        "Without positions your two outputs are still in different orders: compare the "
        "vectors of the same piece, not of the same place.": moved - unmoved,
        "The order was applied once more instead of undone: row i of the shuffled "
        "output belongs to piece order[i] of the straight one.": moved[order] - unmoved,
    }
    largest = {said: _largest(difference) for said, difference in mistakes.items()}
    name_mistake(without, largest, rtol=0.01)
    raise NotYet(
        "Without positions the difference should be no more than rounding; yours is "
        f"{without:.3g}. Are all positions 1, in both runs?"
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


def _states(bert, ids, positions=None):
    with torch.inference_mode():
        return bert.model(ids, position_ids=positions).last_hidden_state[0]


def _largest(difference):
    return difference.abs().max().item()
