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
    first_wrong,
    is_right_to,
)
from helpers.exercises.mistakes import Mistakes
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
    bert, draw, trials = load_bert(), rng(1), []
    whole = *RUNS[0], bert.n_layers, 0
    untouched = _patched(*whole)
    for text, source in RUNS:
        ids = [bert.tokenizer(t)["input_ids"] for t in (text, source)]
        unlike = np.flatnonzero(np.not_equal(*ids))
        drawn = draw.choice(unlike[1:-1], size=3).tolist()
        middle = bert.n_layers // 2
        depths = (0, middle, bert.n_layers, middle)
        for depth, place in zip(depths, [*drawn, 0], strict=True):
            given = text, source, depth, place
            got = answer(*given)
            shape = len(ids[0]), bert.hidden_size
            hint = "The shape is (tokens, hidden)."
            trials.append((given, an_array(got, shape, "The answer", hint=hint)))
    if not np.array_equal(_ran.__wrapped__(bert.name, *whole), untouched):
        raise NotYet(
            "Since your function ran the model gives other states: a hook is still in "
            "it. Call remove() on it, restart the kernel and run the cells again."
        )
    TABLES[1].judge(trials, _another_state)
    return "One state came from the other run, and all layers above it ran again."


def _another_state(got, wanted, text, source, depth, place):
    worst = int(np.abs(got - wanted).max(axis=1).argmax())
    return (
        f"For depth {depth} and place {place} of {len(got)} tokens the state at place "
        f"{worst} is another one. Do the remaining layers run on the changed states?"
    )


def _near_states(got, wanted, *given):
    return np.allclose(got, wanted, atol=2e-3, rtol=1e-3)


def _patched(text, source, depth, place, own=None):
    """The last states; own: the place that is replaced, where it is another one."""
    return _ran(load_bert().name, text, source, depth, place, own)


@lru_cache(maxsize=500)
@torch.inference_mode()
def _ran(name, text, source, depth, place, own=None):
    """name: of the running model, so that another one runs anew."""
    bert = load_bert()
    ids = torch.cat([bert.encode(t)["input_ids"] for t in (text, source)])
    depths, layers = [bert.model.embeddings(ids)], bert.model.encoder.layer
    for layer in layers:
        depths.append(layer(depths[-1]))
    states = depths[depth].clone()
    states[0, place if own is None else own] = states[1, place]
    for layer in layers[depth:]:
        states = layer(states)
    return states[0].cpu().numpy()


PATCH_MISTAKES = {
    "These are the untouched states of the text.": (
        lambda text, source, d, p: _patched(text, text, d, p)
    ),
    "These are the states of source at every place; only one comes from it.": (
        lambda text, source, d, p: _patched(source, source, d, p)
    ),
    "The state went the other way, from text into source.": (
        lambda text, source, d, p: _patched(source, text, d, p)
    ),
    "The place is off by one.": (
        lambda text, source, d, p: _patched(text, source, d, p + 1),
        lambda text, source, d, p: _patched(text, source, d, p - 1),
    ),
    "The state of source comes from the place beside; take the same place.": (
        lambda text, source, d, p: _patched(text, source, d, p + 1, p),
        lambda text, source, d, p: _patched(text, source, d, p - 1, p),
    ),
    "The depth is off by one: at depth 0 the states are the embeddings.": (
        lambda text, source, d, p: _patched(text, source, min(d + 1, _last()), p),
        lambda text, source, d, p: _patched(text, source, max(d - 1, 0), p),
        lambda text, source, d, p: _patched(text, source, d - 1, p),
    ),
}


def _last():
    return load_bert().n_layers


def check_2(answer):
    """A function: mixed, head, n_heads, other, seen -> mixed with one head's mean."""
    a_function(answer, "without_head")
    draw, trials = rng(2), []
    for texts, n_heads, width, last in (
        (2, 4, 3, [1, 1, 1, 0, 0, 0]),
        (2, 2, 5, [0, 0, 1, 1, 1, 0]),
        (1, 4, 2, [0, 1, 1, 1, 0, 0]),
    ):
        mixed = draw.normal(size=(2 * texts - 1, 4, n_heads * width))
        other = draw.normal(1, 2, size=(texts, 6, n_heads * width))
        seen = np.array([[1, 1, 1, 1, 1, 1], last])[-texts:]
        for head in (1, n_heads - 1, 0):
            given = mixed, head, n_heads, other, seen
            got = an_array(
                answer(*given), mixed.shape, "The answer", hint="Like mixed."
            )
            trials.append((given, got))
    TABLES[2].judge(trials, _not_the_mean)
    return "The head says the same everywhere now: what it said here is gone."


def _not_the_mean(got, wanted, mixed, head, n_heads, other, seen):
    width = mixed.shape[-1] // n_heads
    place = first_wrong(got, wanted, DIGITS)
    return (
        f"With head {head} of {n_heads} only the {width} numbers of each token from "
        f"place {head * width} on are replaced, by their means over the tokens that "
        f"count. At {list(place)} your array has {got[place]:.4f}."
    )


def _own(mixed, head, n_heads):
    width = mixed.shape[-1] // n_heads
    return slice(head * width, (head + 1) * width)


def _replaced(mixed, own, numbers):
    new = mixed.copy()
    new[..., own] = numbers
    return new


def _with(choose):
    """A mistake: choose(the head's numbers of other, seen) is put into the head."""

    def changed(mixed, head, n_heads, other, seen):
        own = _own(mixed, head, n_heads)
        return _replaced(mixed, own, choose(other[..., own], seen))

    return changed


def _of_neighbour(shift):
    def changed(mixed, head, n_heads, other, seen):
        own = _own(mixed, head + shift, n_heads)
        return _replaced(mixed, own, other[seen == 1][:, own].mean(axis=0))

    return changed


def _of_tested(mixed, head, n_heads, other, seen):
    own = _own(mixed, head, n_heads)
    return _replaced(mixed, own, mixed[..., own].mean(axis=(0, 1)))


def _strided(mixed, head, n_heads, other, seen):
    own = slice(head, None, n_heads)
    return _replaced(mixed, own, other[seen == 1][:, own].mean(axis=0))


def _of_texts(other, seen):
    return [
        own[counts == 1].mean(axis=0) for own, counts in zip(other, seen, strict=True)
    ]


def _from_the_front(other, seen):
    first = [own[: sum(counts)] for own, counts in zip(other, seen, strict=True)]
    return np.concatenate(first).mean(axis=0)


MEAN_MISTAKES = {
    "Padding is in the mean; take the tokens that seen marks.": (
        _with(lambda other, seen: other.mean(axis=(0, 1)))
    ),
    "Padding is zero in your mean and still counted; divide by the number of "
    "tokens that count.": (
        _with(lambda other, seen: (other * seen[..., None]).mean(axis=(0, 1)))
    ),
    "You take as many tokens as count, from the front; seen says which of them.": (
        _with(_from_the_front)
    ),
    "This is the sum over the tokens; put their mean there.": (
        _with(lambda other, seen: other[seen == 1].sum(axis=0))
    ),
    "This is the median over the tokens; put their mean there.": (
        _with(lambda other, seen: np.median(other[seen == 1], axis=0))
    ),
    "This is the mean over the tested texts; take the other ones.": _of_tested,
    "This is zero; put the mean there.": _with(lambda other, seen: 0),
    "You take one mean for all numbers of the head; each has its own.": (
        _with(lambda other, seen: other[seen == 1].mean())
    ),
    "These are the numbers of several heads: a head owns neighbours.": _strided,
    "This is the mean of the texts' means; each token counts alike.": (
        _with(lambda other, seen: np.mean(_of_texts(other, seen), axis=0))
    ),
    "Nothing has changed.": lambda mixed, *given: mixed,
    "All heads have their mean; change one.": (
        lambda mixed, head, n_heads, other, seen: np.broadcast_to(
            other[seen == 1].mean(axis=0), mixed.shape
        )
    ),
    "This is the next head; heads are counted from 0.": (_of_neighbour(1)),
    "This is the head before; heads are counted from 0.": (_of_neighbour(-1)),
}


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
    hint = f"Expected {len(others)} other_changes, one for each of others."
    got = a_list(other_changes, "other_changes", len(others), a_number, hint)
    got = [a_number(change, "change"), *got]
    given = sentence, word, (head, *others)
    TABLES[3].judge([(given, got)], _not_measured)
    own, *rest = np.abs(_changes(*given))
    rank = sum(other >= own for other in rest)
    return f"{rank} of the {len(others)} others change the word at least as much."


def _not_measured(got, truth, sentence, word, heads):
    """Names the first change that is wrong."""
    names = ["change", *(f"the change of {other}" for other in heads[1:])]
    right = [is_right_to(*pair, DIGITS, SLACK) for pair in zip(got, truth, strict=True)]
    if right[0] and is_right_to(np.sort(got), np.sort(truth), DIGITS, SLACK):
        return "other_changes must be in the same order as others."
    first = right.index(False)
    if not got[first]:
        return f"For {names[first]} your number is 0, as if the head were still on."
    if first == 0 and (said := _of_another_head(got[:1], sentence, word, heads[0])):
        return said
    return (
        f"For {names[first]} your number is {got[first]:.4f}, which is not what this "
        "model gives. Take the logarithm with the head off, inside the with block, "
        "less the one with all heads on, outside of it."
    )


def _of_another_head(change, sentence, word, own):
    (layer, head), bert = own, load_bert()
    confused = {
        (head, layer): f"This is what head {layer} of layer {head} does; give and "
        "switch off (layer, head).",
        (layer - 1, head - 1): f"This is what head {head - 1} of layer {layer - 1} "
        "does; layers and heads are counted from 0.",
    }
    for (i, j), said in confused.items():
        there = 0 <= i < bert.n_layers and 0 <= j < bert.n_heads
        if there and abs(change) > 0.01:  # many heads share a smaller one
            if is_right_to(change, _changes(sentence, word, [(i, j)]), DIGITS, SLACK):
                return said
    return ""


def _near_changes(got, wanted, *given):
    return is_right_to(got, wanted, DIGITS, SLACK)


def _off(sentence, word, heads):
    """Log-probability of the word without each of the heads."""
    name = load_bert().name
    return np.array([_log_probability(name, sentence, word, head) for head in heads])


def _on(sentence, word):
    return _log_probability(load_bert().name, sentence, word)


def _changes(sentence, word, heads):
    return _off(sentence, word, heads) - _on(sentence, word)


def _turned(change):
    """A mistake: the changes (own, others) as change(own, others) makes them."""

    def changed(*given):
        own, *others = _changes(*given)
        return [own, *change(own, np.array(others))]

    return changed


def _together(sentence, word, heads):
    """The others stay off, one more each time."""
    groups = [heads[:1], *(heads[1 : n + 1] for n in range(1, len(heads)))]
    name = load_bert().name
    off = [_log_probability(name, sentence, word, *group) for group in groups]
    return np.array(off) - _on(sentence, word)


CHANGE_MISTAKES = {
    "The sign is turned. A change is the value with the head off less the value with "
    "all heads on.": (
        lambda *given: -_changes(*given),
        _turned(lambda own, others: -others),
    ),
    "Your changes have no sign. A change is the value with the head off less the value "
    "with all heads on, and may be below 0.": (
        lambda *given: abs(_changes(*given)),
        _turned(lambda own, others: abs(others)),
    ),
    "This is the log-probability with the head off; subtract the one with all heads "
    "on.": _off,
    "This is a change of the probability, not of its log.": (
        lambda sentence, word, heads: (
            np.exp(_off(sentence, word, heads)) - np.exp(_on(sentence, word))
        )
    ),
    "These are logarithms to the base 2 or 10; take natural ones.": (
        lambda *given: _changes(*given) / np.log(2),
        lambda *given: _changes(*given) / np.log(10),
    ),
    "This is per cent; a change of the log-probability is a plain number.": (
        lambda *given: 100 * _changes(*given)
    ),
    "These are 0, as if the head were still on. Measure inside the with block, and "
    "give three decimals.": (
        lambda *given: 0 * _changes(*given),
        _turned(lambda own, others: 0 * others),
    ),
    "other_changes are one number; measure each head by itself.": (
        _turned(lambda own, others: others[:1].repeat(len(others))),
        _turned(lambda own, others: others[-1:].repeat(len(others))),
        _turned(lambda own, others: own.repeat(len(others))),
    ),
    "Switch the others off one at a time; yours stay off together.": _together,
}


def _reported(changes):
    """An answer that reports what changes(sentence, word, heads) gives."""
    bert = load_bert()
    sentence, word = "She drank a cup of [MASK].", "tea"
    heads = [(i, j) for j in range(bert.n_heads) for i in range(bert.n_layers)]
    head, *others = heads[: 1 + _number_of_others(bert)]
    own, *rest = changes(sentence, word, (head, *others))
    return {
        "sentence": sentence,
        "word": word,
        "head": head,
        "change": own,
        "others": others,
        "other_changes": rest,
    }


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
    wanted = _number_of_others(bert)
    hint = f"Expected {wanted} other heads."
    pairs = a_list(pairs, "others", wanted, partial(_head, bert=bert), hint)
    if head in pairs:
        raise NotYet("Your own head is among the others: it cannot be its own control.")
    if len(set(pairs)) != wanted:
        raise NotYet("Some of the others are the same head twice: draw without return.")
    return pairs


def _number_of_others(bert):
    return min(10, bert.n_layers * bert.n_heads - 1)


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


TABLES = {
    1: Mistakes(_patched, PATCH_MISTAKES, "Each state", DIGITS, _near_states),
    2: Mistakes(
        _with(lambda other, seen: other[seen == 1].mean(axis=0)),
        MEAN_MISTAKES,
        "Each number",
        DIGITS,
    ),
    3: Mistakes(
        _changes, CHANGE_MISTAKES, "Each change", DIGITS, _near_changes, _reported
    ),
}
