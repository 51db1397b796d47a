"""Checks of the chapter, interventions; the running model gives the truth."""

from functools import lru_cache, partial

import numpy as np
import torch

from helpers.attention import heads_off
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
    is_rounded_too_far,
    name_mistake,
    right_to,
)
from helpers.exercises.seeds import rng
from helpers.models import load_bert

DIGITS = 3  # to which numbers are asked for, and how far a model may round otherwise
SLACK = 2e-4
RUNS = (
    ("The dog was too tired.", "Some birds fly very fast."),
    ("She drank a cup of tea.", "They read the end of it."),
)


def check_1(answer):
    """A function: text, source, depth, place -> last states after one exchange."""
    a_function(answer, "patch")
    n_layers = load_bert().n_layers
    draw = rng(1)
    for text, source in RUNS:
        ids = [load_bert().tokenizer(t)["input_ids"] for t in (text, source)]
        unlike = np.flatnonzero(np.not_equal(*ids))
        middle = n_layers // 2
        drawn = draw.choice(unlike[1:-1], size=3).tolist()
        depths = (0, middle, n_layers, middle)
        for depth, place in zip(depths, [*drawn, 0], strict=True):
            truth = _patched(text, source, depth, place)
            got = answer(text, source, depth, place)
            hint = "The shape is (tokens, hidden)."
            got = an_array(got, truth.shape, "The answer", hint=hint)
            if not np.allclose(got, truth, atol=2e-3, rtol=1e-3):
                _explain_patch(got, text, source, depth, place)
    return "One state came from the other run, and all layers above it ran again."


def _explain_patch(got, text, source, depth, place):
    n = len(load_bert().tokenizer(text)["input_ids"])
    runs = [
        ("These are the untouched states of the text.", (text, text, depth, place)),
        (
            "These are the states of source at every place; only one comes from it.",
            (source, source, depth, place),
        ),
        (
            "The state went the other way, from text into source.",
            (source, text, depth, place),
        ),
        ("The place is off by one.", (text, source, depth, place + 1)),
        ("The place is off by one.", (text, source, depth, place - 1)),
        (
            "The depth is off by one: at depth 0 the states are the embeddings.",
            (text, source, depth + 1, place),
        ),
        (
            "The depth is off by one: at depth 0 the states are the embeddings.",
            (text, source, depth - 1, place),
        ),
    ]
    mistakes = (
        (f"For depth {depth} and place {place}: {said}", _patched(*run))
        for said, run in runs
        if 0 <= run[2] <= load_bert().n_layers
    )
    name_mistake(got, mistakes, atol=2e-3, rtol=1e-3)
    worst = int(np.abs(got - _patched(text, source, depth, place)).max(axis=1).argmax())
    raise NotYet(
        f"For depth {depth} and place {place} of {n} tokens the state at place {worst} "
        "is another one. Do the remaining layers run on the changed states?"
    )


@torch.inference_mode()
def _patched(text, source, depth, place):
    bert = load_bert()
    ids = torch.cat([bert.encode(t)["input_ids"] for t in (text, source)])
    states = bert.model.embeddings(ids)
    for number, layer in enumerate(bert.model.encoder.layer):
        if number == depth:
            states = _exchanged(states, place)
        states = layer(states)
    if depth == bert.n_layers:
        states = _exchanged(states, place)
    return states[0].cpu().numpy()


def _exchanged(states, place):
    states = states.clone()
    states[0, place] = states[1, place]
    return states


def check_2(answer):
    """A function: mixed, head, n_heads, other, seen -> mixed with one head's mean."""
    a_function(answer, "without_head")
    draw = rng(2)
    for n_heads, width in ((4, 3), (2, 5)):
        mixed = draw.normal(size=(3, 4, n_heads * width))
        other = draw.normal(1, 2, size=(2, 6, n_heads * width))
        seen = np.array([[1, 1, 1, 1, 1, 1], [1, 1, 1, 0, 0, 0]])
        for head in (1, n_heads - 1, 0):
            truth = _without(mixed, head, n_heads, other[seen == 1])
            got = answer(mixed.copy(), head, n_heads, other.copy(), seen.copy())
            got = an_array(got, truth.shape, "The answer", hint="Like mixed.")
            if not is_right_to(got, truth, DIGITS):
                _explain_mean(got, mixed, head, n_heads, other, seen)
    return "The head says the same everywhere now: what it said here is gone."


def _without(mixed, head, n_heads, rows):
    width = mixed.shape[-1] // n_heads
    own = slice(head * width, (head + 1) * width)
    new = mixed.copy()
    new[..., own] = rows[..., own].mean(axis=tuple(range(rows.ndim - 1)))
    return new


def _explain_mean(got, mixed, head, n_heads, other, seen):
    width = mixed.shape[-1] // n_heads
    rows = other[seen == 1]
    own = slice(head * width, (head + 1) * width)
    truth = _without(mixed, head, n_heads, rows)
    rounded = is_rounded_too_far(got[..., own], truth[..., own], DIGITS)
    if rounded and is_right_to(got, truth, 0):
        raise NotYet("These numbers are rounded too far; give three decimals.")
    zero, single, spread = mixed.copy(), mixed.copy(), mixed.copy()
    zero[..., own] = 0
    single[..., own] = rows[:, own].mean()
    spread[..., head::n_heads] = rows[:, head::n_heads].mean(axis=0)
    each = (other * seen[..., None]).sum(1) / seen.sum(1)[:, None]  # mean of each text
    mistakes = {
        "Padding is in the mean; take the tokens that seen marks.": (
            _without(mixed, head, n_heads, other)
        ),
        "Padding is zero in your mean and still counted; divide by the number of "
        "tokens that count.": _without(mixed, head, n_heads, other * seen[..., None]),
        "This is the sum over the tokens; put their mean there.": (
            _without(mixed, head, n_heads, rows * len(rows))
        ),
        "This is the mean over the tested texts; take the other ones.": (
            _without(mixed, head, n_heads, mixed)
        ),
        "This is zero; put the mean there.": zero,
        "You take one mean for all numbers of the head; each has its own.": single,
        "These are the numbers of several heads: a head owns neighbours.": spread,
        "This is the mean of the texts' means; each token counts alike.": (
            _without(mixed, head, n_heads, each)
        ),
        "Nothing has changed.": mixed,
        "All heads have their mean; change one.": (
            np.broadcast_to(rows.mean(axis=0), mixed.shape)
        ),
    }
    for neighbour in {(head + 1) % n_heads, (head - 1) % n_heads} - {head}:
        other_head = _without(mixed, neighbour, n_heads, rows)
        if is_right_to(got, other_head, DIGITS):
            raise NotYet(f"This is head {neighbour}; heads are counted from 0.")
    name_mistake(got, mistakes)
    raise NotYet(
        f"With head {head} of {n_heads} your array is not mixed with that head's "
        f"{width} numbers at their mean over the tokens that count."
    )


def check_3(answer):
    """A dict: sentence, word, head, change, others, other_changes."""
    keys = ("sentence", "word", "head", "change", "others", "other_changes")
    sentence, word, head, change, others, other_changes = a_dict(answer, keys)
    bert = load_bert()
    if a_text(sentence, "sentence").count("[MASK]") != 1:
        raise NotYet("The sentence must be a string with exactly one [MASK].")
    word = a_text(word, "word")
    special = word in bert.tokenizer.all_special_tokens
    if special or bert.tokenizer.tokenize(word) != [word]:
        raise NotYet(
            f"The tokenizer does not keep {word!r} as a word of one piece; write a "
            "common word in small letters."
        )
    head = _head(head, "head", bert)
    others = _others(others, head, bert)
    intact = _log_probability(bert.name, sentence, word)
    expected = [
        _log_probability(bert.name, sentence, word, pair) for pair in [head, *others]
    ]
    hint = f"Expected {len(others)} other_changes, one for each of others."
    got = a_list(other_changes, "other_changes", len(others), a_number, hint)
    got = np.array([a_number(change, "change"), *got])
    truth = np.array(expected) - intact
    if not is_right_to(got, truth, DIGITS, SLACK):
        together = [
            _log_probability(bert.name, sentence, word, *others[:n]) for n in (1, 2)
        ]
        _explain_changes(got, truth, intact, np.array(together) - intact, others)
        large = abs(got[0]) > 0.01  # many heads share a smaller change
        if large and not is_right_to(got[0], truth[0], DIGITS, SLACK):
            confused = _of_other_heads(bert, sentence, word, head)
            name_mistake(got[0] + intact, confused, digits=DIGITS)
        _refuse_changes(got, truth, others)
    rank = int((np.abs(truth[1:]) >= abs(truth[0])).sum())
    return f"{rank} of the {len(others)} others change the word at least as much."


def _of_other_heads(bert, sentence, word, head):
    """Messages, and the log-probability without the head that each is about."""
    layer, own = head
    others = {
        f"change: this is what head {layer} of layer {own} does; give and switch off "
        "(layer, head).": (own, layer),
        f"change: this is what head {own - 1} of layer {layer - 1} does; layers and "
        "heads are counted from 0.": (layer - 1, own - 1),
    }
    return {
        said: _log_probability(bert.name, sentence, word, (i, j))
        for said, (i, j) in others.items()
        if 0 <= i < bert.n_layers and 0 <= j < bert.n_heads
    }


def _explain_changes(got, truth, intact, together, others):
    wrong = [
        not is_right_to(*pair, DIGITS, SLACK) for pair in zip(got, truth, strict=True)
    ]
    name_mistake(got[wrong], _other_changes(truth, intact, wrong), rtol=1e-2, atol=1e-5)
    if not wrong[0]:
        order = "other_changes must be in the same order as others."
        name_mistake(np.sort(got), {order: np.sort(truth)}, atol=1e-3)
        stayed = "Switch the others off one at a time; yours stay off together."
        name_mistake(got[1:3], {stayed: together}, atol=1e-3)
        if np.ptp(got[1:]) == 0 and got[1]:
            raise NotYet("other_changes are one number; measure each head by itself.")


def _refuse_changes(got, truth, others):
    names = ["change", *(f"the change of {other}" for other in others)]
    wrong = [
        not is_right_to(*pair, DIGITS, SLACK) for pair in zip(got, truth, strict=True)
    ]
    first = wrong.index(True)
    if not got[wrong].any():
        raise NotYet(
            f"{names[first]} is 0, as if the head were still on. Measure inside the "
            "with block, and give three decimals."
        )
    if is_rounded_too_far(got[first], truth[first], DIGITS, SLACK):
        right_to(got[first], truth[first], DIGITS, names[first], slack=SLACK)
    raise NotYet(
        f"{names[first]}: your number is {got[first]:.4f}, which is not what this "
        "model gives. Is the head off only inside the with block, and the other "
        "number taken outside?"
    )


def _other_changes(truth, intact, wrong):
    off = truth[wrong] + intact
    which = "change" if sum(wrong) == 1 and wrong[0] else "your changes"
    base = f"{which}: these are logarithms to the base 2 or 10; take natural ones."
    return [
        (
            f"{which}: the sign is turned. A change is the value with the head off "
            "less the value with all heads on.",
            -truth[wrong],
        ),
        (
            f"{which}: this is the log-probability with the head off; subtract the one "
            "with all heads on.",
            off,
        ),
        (
            f"{which}: this is a change of the probability, not of its log.",
            np.exp(off) - np.exp(intact),
        ),
        (base, truth[wrong] / np.log(2)),
        (base, truth[wrong] / np.log(10)),
        (
            f"{which}: this is per cent; a change of the log-probability is a plain "
            "number.",
            truth[wrong] * 100,
        ),
    ]


def _head(pair, name, bert):
    hint = "A head is a pair (layer, head)."
    layer, head = a_list(pair, name, 2, each=a_whole_number, hint=hint)
    if not (0 <= layer < bert.n_layers and 0 <= head < bert.n_heads):
        raise NotYet(
            f"There is no head {head} in layer {layer}: this model has {bert.n_layers} "
            f"layers of {bert.n_heads} heads, counted from 0."
        )
    return layer, head


def _others(pairs, head, bert):
    wanted = min(10, bert.n_layers * bert.n_heads - 1)
    hint = f"Expected {wanted} other heads."
    pairs = a_list(pairs, "others", wanted, partial(_head, bert=bert), hint)
    if head in pairs:
        raise NotYet("Your own head is among the others: it cannot be its own control.")
    if len(set(pairs)) != wanted:
        raise NotYet("Some of the others are the same head twice: draw without return.")
    return pairs


@lru_cache(maxsize=1000)
@torch.inference_mode()
def _log_probability(name, sentence, word, *off):
    """Log-probability of a word at [MASK] with some heads off, (layer, head) pairs.

    name: of the running model, so that another one is measured anew.
    """
    bert = load_bert()
    encoding = bert.encode(sentence)
    masked = encoding["input_ids"][0] == bert.tokenizer.mask_token_id
    with heads_off(bert, off):
        logits = bert.mlm(**encoding).logits[0, masked][0]
    chance = logits.log_softmax(dim=-1)
    return chance[bert.tokenizer.convert_tokens_to_ids(word)].item()
