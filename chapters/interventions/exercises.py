"""Checks of the chapter, interventions; the running model gives the truth."""

from functools import lru_cache

import numpy as np
import torch

from helpers.exercises import NotYet
from helpers.exercises.asking import a_function, an_array
from helpers.exercises.mistakes import Mistakes
from helpers.exercises.seeds import rng
from helpers.models import load_bert

DIGITS = 3  # to which numbers are asked for
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


def _patched(text, source, depth, place):
    return _ran(load_bert().name, text, source, depth, place)


@lru_cache(maxsize=500)
@torch.inference_mode()
def _ran(name, text, source, depth, place):
    """The last states; name: of the running model, so that another one runs anew."""
    bert = load_bert()
    ids = torch.cat([bert.encode(t)["input_ids"] for t in (text, source)])
    depths, layers = [bert.model.embeddings(ids)], bert.model.encoder.layer
    for layer in layers:
        depths.append(layer(depths[-1]))
    states = depths[depth].clone()
    states[0, place] = states[1, place]
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
    draw, cases = rng(2), []
    for texts, n_heads, width, last in (
        (2, 4, 3, [1, 1, 1, 0, 0, 0]),
        (2, 2, 5, [0, 0, 1, 1, 1, 0]),
        (1, 4, 2, [0, 1, 1, 1, 0, 0]),
    ):
        mixed = draw.normal(size=(2 * texts - 1, 4, n_heads * width))
        other = draw.normal(1, 2, size=(texts, 6, n_heads * width))
        seen = np.array([[1, 1, 1, 1, 1, 1], last])[-texts:]
        heads = (1, n_heads - 1, 0)
        cases += [(mixed, head, n_heads, other, seen) for head in heads]
    TABLES[2].ask("without_head", answer, cases, hint="Like mixed.")
    return "The head says the same everywhere now: what it said here is gone."


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


MEAN_MISTAKES = {
    "Padding is in the mean; take the tokens that seen marks.": (
        _with(lambda other, seen: other.mean(axis=(0, 1)))
    ),
    "Padding is zero in your mean and still counted; divide by the number of "
    "tokens that count.": (
        _with(lambda other, seen: (other * seen[..., None]).mean(axis=(0, 1)))
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
    "All heads have their mean; change one.": (
        lambda mixed, head, n_heads, other, seen: np.broadcast_to(
            other[seen == 1].mean(axis=0), mixed.shape
        )
    ),
}


TABLES = {
    1: Mistakes(_patched, PATCH_MISTAKES, "Each state", DIGITS, _near_states),
    2: Mistakes(
        _with(lambda other, seen: other[seen == 1].mean(axis=0)),
        MEAN_MISTAKES,
        "Each number",
        DIGITS,
    ),
}
