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
    is_right_to,
    name_mistake,
    name_rounding,
)
from helpers.exercises.running import ATTENTION, SOFTMAX, without
from helpers.exercises.seeds import torch_rng
from helpers.models import load_bert


def check_1(answer):
    """A function: scores (n, m) -> the softmax of each row."""
    a_function(answer, "stable_softmax")
    ordinary = torch.randn(4, 7, generator=torch_rng(3))
    levels = torch.tensor([[80.0], [0.0], [-80.0], [9.0]])
    cases = {
        "ordinary scores": ordinary,
        HEIGHTS: ordinary + levels,
        "scores of 10,000": ordinary * 1e4,
        "scores near -10,000": ordinary - 1e4,
    }
    for which in ("ordinary scores", "scores near -10,000"):
        masked = cases[which].clone()
        masked[:, 4:] = -math.inf
        cases[f"{which}, in each row some of minus infinity"] = masked
    for which, scores in cases.items():
        with without(*SOFTMAX):
            result = answer(scores)
        _compare_weights(_tensor(result, scores.shape, "The weights"), scores, which)
    return "Adding a constant to a row changes nothing but what fits into a float."


HEIGHTS = "rows of very different height"


def _compare_weights(got, scores, which):
    truth = scores.softmax(dim=-1)
    large = which.endswith("10,000") or "-10,000" in which  # where float32 is coarse
    if torch.allclose(got, truth, atol=1e-3 if large else 1e-5):
        return
    if scores.isfinite().all():
        name_mistake(got, _softmax_slips(scores), atol=1e-5)
    if got.isfinite().all():
        name_rounding(got, truth, 5, "Each weight")
        low, high = got.sum(dim=-1).aminmax()
        sums = (
            f"{low:.3g}"
            if f"{low:.3g}" == f"{high:.3g}"
            else f"{low:.3g} to {high:.3g}"
        )
        raise NotYet(
            f"For {which} the weights differ from those expected by up to "
            f"{(got - truth).abs().max():.3g}; your rows sum to {sums}."
        )
    if which == HEIGHTS:
        raise NotYet(
            "A row of low scores beside a row of high ones gives nan, 0 divided by 0: "
            "one constant for the whole table does not suit every row."
        )
    if which == "ordinary scores":
        raise NotYet("Ordinary scores give infinite weights or nan.")
    raise NotYet(
        f"For {which}, some weights are nan: an exponential is infinite, or all of a "
        "row are 0, or infinity is subtracted from infinity. No exponent may be large."
    )


def _softmax_slips(scores):
    shares = (scores - scores.amax(dim=-1, keepdim=True)).exp()
    by_column = (scores - scores.amax(dim=0)).exp()
    by_quotient = (scores / scores.amax(dim=-1, keepdim=True)).softmax(dim=-1)
    return {
        "The columns sum to 1, not the rows: sum over the last axis, and keep it "
        "(keepdim=True), so that each row is divided by its own sum.": scores.softmax(
            dim=0
        ),
        "The largest of each column was subtracted. Within a row all scores must lose "
        "the same number, or the weights change.": by_column
        / by_column.sum(dim=-1, keepdim=True),
        "The scores were divided by the largest. Only subtracting leaves the softmax "
        "as it was.": by_quotient,
        "The exponentials are there, but not divided by the sum of their row.": shares,
        "The rows sum to 1 only after exp: these are logarithms of the weights.": (
            scores.log_softmax(dim=-1)
        ),
        "These are powers of 2; the softmax takes powers of e.": (
            scores * math.log(2)
        ).softmax(dim=-1),
    }


def _tensor(result, shape, what):
    """The student's result as a float tensor of the expected shape."""
    array = an_array(result, shape, what, finite=False, hint="Return one tensor.")
    return torch.from_numpy(array).float()


def check_2(answer):
    """A function: query, key, value (batch, heads, n, d_head), lengths -> mixed."""
    a_function(answer, "padded_attention")
    generator = torch_rng(4)
    for shape, lengths in PADDED:
        parts = torch.randn((3, *shape), generator=generator).unbind()
        lengths = lengths[torch.randperm(len(lengths), generator=generator)]
        with without("__main__.attention", *ATTENTION):
            result = answer(*parts, lengths)
        got = _tensor(result, shape, "The mixed values")
        _compare_mixed(got, parts, lengths)
    return "Equal to PyTorch's at every real place, and blind to the padding."


PADDED = (  # batch, heads, n, d_head; and how many pieces are real
    ((3, 4, 6, 7), torch.tensor([2, 4, 5])),
    ((2, 1, 5, 3), torch.tensor([5, 3])),
    ((6, 6, 6, 6), torch.tensor([6, 1, 2, 3, 4, 5])),
)


def _compare_mixed(got, parts, lengths):
    shape, truth = tuple(got.shape), _mixed(*parts, lengths)
    rows = torch.arange(shape[2]) < lengths[:, None]  # (batch, n)
    rows = rows[:, None, :, None].expand(shape)  # padded queries are not judged
    if torch.allclose(got[rows], truth[rows], atol=1e-5):
        return
    mistakes = (
        (message, _mixed(*parts, lengths, mistake)[rows])
        for mistake, message in LATE_OR_WRONG.items()
    )
    name_mistake(got[rows], mistakes, atol=1e-5)
    if not got[rows].isfinite().all():
        raise NotYet(
            "Some real places hold nan. Either a query was left with no key to look "
            "at (is the mask, or the softmax, on the wrong axis?), or infinity was "
            "multiplied by 0: masked_fill puts it where the mask says and nowhere else."
        )
    off = (got - truth)[rows].abs().max()
    raise NotYet(
        f"For the shape {shape} and the lengths {lengths.tolist()} your output differs "
        f"from PyTorch's at real places by up to {off:.2g}."
    )


LATE_OR_WRONG = {
    "hidden": "These are scores divided by the root of heads × d_head, the hidden "
    "size. The width that counts is that of one head.",
    "global": "These are scores divided by the root of the running model's d_head. "
    "The width that counts is that of this query.",
    "unscaled": "The scores have not been divided by anything; in scaled dot-product "
    "attention they are.",
    "no root": "The scores are divided by d_head itself, not by its root.",
    "late": "The mask came in after the softmax, into the weights or the values: the "
    "padding still counts in the denominator, and the weights that are left sum to "
    "less than 1.",
    "unmasked": "Real queries still look at all of the padding. Is there a mask, and "
    "does it hide keys, the last axis of the scores, rather than queries?",
    "zero": "The padding still has the score 0, and e to the 0 is 1. A score that is "
    "to get no weight must be minus infinity.",
    "one more": "Of each sentence one piece of the padding is still looked at: the "
    "places count from 0, so the last real one is lengths - 1.",
    "one fewer": "The last real piece of each sentence is hidden, too.",
    "longest": "All sentences are taken to be as long as the longest.",
    "first": "All sentences are taken to be as long as the first.",
    "queries": "The softmax runs over the queries; the weights of one query, over all "
    "keys, must sum to 1. Keys are the last axis.",
    "heads": "The softmax runs over the heads; the weights of one query, over all "
    "keys, must sum to 1. Keys are the last axis.",
    "inverted": "Real queries look at the padding alone: the mask is the wrong way "
    "round.",
}


def _mixed(query, key, value, lengths, mistake=None):
    """Attention with a padding mask; with one mistake where it is named."""
    n, d_head = query.shape[-2:]
    lengths = {
        "one more": lengths + 1,
        "one fewer": (lengths - 1).clamp_min(1),
        "longest": lengths.max().expand(len(lengths)),
        "first": lengths[0].expand(len(lengths)),
        "unmasked": torch.full_like(lengths, n),
    }.get(mistake, lengths)
    real = (torch.arange(n) < lengths[:, None])[:, None, None, :]
    if mistake is None:
        return F.scaled_dot_product_attention(query, key, value, attn_mask=real)
    scores = query @ key.transpose(-2, -1) / _root(mistake, query)
    axis = {"queries": -2, "heads": 1}.get(mistake, -1)
    if mistake == "inverted" or axis != -1:
        hidden = real if mistake == "inverted" else ~real
        scores = scores.masked_fill(hidden, -1e9)  # not nan where all is hidden
    elif mistake != "late":
        scores = scores.masked_fill(~real, 0 if mistake == "zero" else -math.inf)
    weights = scores.softmax(dim=axis)
    return (weights * real if mistake == "late" else weights) @ value


def _root(mistake, query):
    heads, _, d_head = query.shape[1:]
    if mistake == "global":
        bert = load_bert()
        return math.sqrt(bert.hidden_size // bert.n_heads)
    width = {"hidden": heads * d_head, "unscaled": 1, "no root": d_head**2}
    return math.sqrt(width.get(mistake, d_head))


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
    straight, shuffled = _states(bert, ids), _states(bert, ids[:, order])
    gaps = (shuffled - straight[order]).abs()
    if still > 1e-3:
        _explain_still(still, bert, ids, order, _largest(gaps))
    _compare_given(given, straight, shuffled, order)
    place, number = divmod(int(gaps.argmax()), gaps.shape[1])
    piece = bert.tokenizer.convert_ids_to_tokens(int(ids[0, order[place]]))
    return (
        f"Rounding without positions, {gaps.max():.2g} with them. This largest one is "
        f"number {number} of the {gaps.shape[1]} of {piece!r}."
    )


def _compare_given(given, straight, shuffled, order):
    gaps = shuffled - straight[order]
    truth = _largest(gaps)
    digits = 1 - math.floor(math.log10(max(truth, 1e-4)))  # two that count
    if is_right_to(given, truth, digits, slack=1e-5 + 1e-3 * truth):
        return
    if given < truth / 100:
        raise NotYet(
            "With positions you found hardly any difference: the positions travelled "
            "with their pieces, or were still 1. The places must stay where they are."
        )
    mistakes = {
        "With positions this is the difference of vectors at the same place: undo the "
        "order, so that those of the same piece are compared.": shuffled - straight,
        "With positions the order was applied once more instead of undone: row i of "
        "the shuffled output belongs to piece order[i].": shuffled[order] - straight,
    }
    largest = {said: _largest(difference) for said, difference in mistakes.items()}
    largest["This is the mean difference; asked for is the largest."] = (
        gaps.abs().mean().item()
    )
    name_mistake(given, largest, rtol=0.005)
    raise NotYet(
        "with_positions must be right to two significant digits. The largest "
        f"difference is {truth:.3g}, yours is {given:.3g}. Is it the largest over all "
        "pieces, with the order undone?"
    )


def _explain_still(found, bert, ids, order, given):
    ones = torch.ones_like(ids)
    unmoved, moved = (_states(bert, some, ones) for some in (ids, ids[:, order]))
    mistakes = {
        "Without positions your two outputs are still in different orders: compare the "
        "vectors of the same piece, not of the same place.": _largest(moved - unmoved),
        "The order was applied once more instead of undone: row i of the shuffled "
        "output belongs to piece order[i] of the straight one.": _largest(
            moved[order] - unmoved
        ),
        "This is the difference with positions. Are the two numbers exchanged, or was "
        "position_ids not handed to the model?": given,
    }
    name_mistake(found, mistakes, rtol=0.005)
    raise NotYet(
        "Without positions the difference should be no more than rounding; yours is "
        f"{found:.3g}. Are all positions 1 in both runs, and the vectors of the same "
        "piece compared?"
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
