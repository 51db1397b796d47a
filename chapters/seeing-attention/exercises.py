"""Checks of the chapter, seeing attention; the running model gives the truth."""

import numpy as np

from helpers.attention import read_attention
from helpers.exercises.asking import a_whole_number
from helpers.exercises.mistakes import Mistakes
from helpers.exercises.seeds import rng
from helpers.models import load_bert

SPECIAL = ("[CLS]", "[SEP]", "[PAD]")
PADDED = (
    "[CLS] a small boat ##s left [MASK] . [SEP] [ it sank ] [SEP] [PAD] [PAD] [PAD]"
).split()
NO_LOGARITHM = (
    "Some of your numbers are nan or infinite: a weight of 0 has no logarithm. It adds "
    "nothing to the entropy."
)


def check_1(answer):
    """A function: attention, layer, head, token -> place that gets most from it."""
    draw, stages = rng(1), []
    made = [
        draw.dirichlet(np.ones(n), size=(layers, heads, n))
        for layers, heads, n in ((4, 4, 6), (1, 6, 7))
    ]
    made[1][made[1] < 0.02] = 0
    real = read_attention(load_bert(), "The old man fed the birds.").attention
    for attention in (*made, real):  # layer and head may stop in the second
        asked = draw.permutation(list(np.ndindex(*attention.shape[:3])))[:96]
        stages.append([(attention, *place) for place in asked.tolist()])
    TABLES[1].ask("most_attended", answer, *stages, read=_a_place, otherwise=_gets_less)
    return "You read a row: what one token shares out among all."


def _a_place(given, attention, *place):
    hint = "Return the place of a token, not its weight or the token itself."
    most = attention.shape[-1] - 1
    return a_whole_number(given, "The place", 0, most, hint=hint)


def _gets_less(got, wanted, attention, layer, head, token):
    weight = attention[layer, head, token, int(got)]
    return (
        f"For layer {layer}, head {head}, token {token} the weight at your place "
        f"{int(got)} is {weight:.3f}; another token gets more."
    )


def _without_itself(attention, layer, head, token):
    row = attention[layer, head, token].copy()
    row[token] = -1
    return row.argmax()


PLACE_MISTAKES = {
    "You name the token that gives most to this token: query and key are exchanged. A "
    "row of the last two axes is one query.": (
        lambda attention, layer, head, token: attention[layer, head, :, token].argmax()
    ),
    "You name the token that gets least.": (
        lambda attention, layer, head, token: attention[layer, head, token].argmin()
    ),
    "You leave the token itself out; it may look at itself, too.": _without_itself,
    "You average over the heads; take the head that is asked for.": (
        lambda attention, layer, head, token: attention.mean(1)[layer, token].argmax()
    ),
    "You average over the layers; take the layer that is asked for.": (
        lambda attention, layer, head, token: attention.mean(0)[head, token].argmax()
    ),
    "Layer and head are exchanged: the first axis is the layer.": (
        lambda attention, layer, head, token: attention[head, layer, token].argmax()
    ),
}


def check_2(answer):
    """A function: attention, tokens -> (layers, heads) scores of the previous word."""
    reading = read_attention(load_bert(), "The old man fed the birds.", "They ate.")
    n = len(PADDED)
    padded = rng(2).dirichlet(np.ones(n), size=(3, 4, n))
    cases = [
        (padded, PADDED),
        (padded[..., : n - 3, : n - 3], PADDED[:-3]),
        (padded[..., :5, :5], [*PADDED[:4], "[SEP]"]),
        (padded[..., 1:6, 1:6], PADDED[1:6]),  # words alone
        (np.where(padded < 0.02, 0, padded)[:1], PADDED),
        (reading.attention, reading.tokens),
    ]
    TABLES[2].ask(
        "previous_token_score", answer, cases, hint="The shape is (layers, heads)."
    )
    return "The row is the word that looks, the column the word before it."


def _diagonal(step, left_out=SPECIAL, keys=True):
    """A function: mean weight at (i, i + step) over the tokens i that count."""

    def score(attention, tokens):
        left = left_out(tokens) if callable(left_out) else left_out
        places = [
            i
            for i in range(len(tokens))
            if 0 <= i + step < len(tokens)
            and tokens[i] not in left
            and not (keys and tokens[i + step] in left)
        ]
        return attention[:, :, places, np.add(places, step)].mean(axis=-1)

    return score


_previous = _diagonal(-1)


def _words(tokens):
    return np.flatnonzero(~np.isin(tokens, SPECIAL))


def _rows(tokens):
    return (np.diff(_words(tokens)) == 1).sum()


def _taken_out_first(attention, tokens):
    words = _words(tokens)
    return np.diagonal(attention[:, :, words][..., words], -1, 2, 3).mean(axis=-1)


def _those_with(start):
    return lambda tokens: {*SPECIAL, *(x for x in tokens if x.startswith(start))}


SCORE_MISTAKES = {
    "This is the score of the next word: query and key are exchanged. Token i is the "
    "row, token i - 1 the column.": _diagonal(1),
    "[CLS] or [SEP] is still in the mean, as a word that looks or is looked at.": (
        _diagonal(-1, ()),
        _diagonal(-1, ("[PAD]",)),
        _diagonal(-1, ("[CLS]", "[PAD]")),
        _diagonal(-1, ("[SEP]", "[PAD]")),
    ),
    "[PAD] still counts as a word: with padded input the score changes.": (
        _diagonal(-1, ("[CLS]", "[SEP]"))
    ),
    "The special tokens do not look, but they are still looked at: a word right after "
    "[CLS] or [SEP] has no previous word.": _diagonal(-1, keys=False),
    "You take the special tokens out first, and so the last word before [SEP] becomes "
    "the one before the next sentence.": _taken_out_first,
    "You sum, or divide by the number of all tokens or of all words; divide by the "
    "number of words that have a previous word.": (
        lambda attention, tokens: _previous(attention, tokens) * _rows(tokens),
        lambda attention, tokens: (
            _previous(attention, tokens) * _rows(tokens) / len(tokens)
        ),
        lambda attention, tokens: (
            _previous(attention, tokens) * _rows(tokens) / len(_words(tokens))
        ),
    ),
    "You leave out a piece that begins with ##, the token [ or [MASK]; all but [CLS], "
    "[SEP] and [PAD] count as words.": (
        _diagonal(-1, _those_with("##")),
        _diagonal(-1, _those_with("[")),
        _diagonal(-1, (*SPECIAL, "[MASK]")),
    ),
}


def check_3(answer):
    """A function: attention -> exp of the entropy of each row."""
    draw = rng(3)
    random = draw.dirichlet(np.full(6, 0.5), size=(2, 4, 6))
    sharp = np.eye(5)[draw.integers(0, 5, (2, 3, 5))]  # one weight of 1 in each row
    some = random * (np.arange(6) < 2 + draw.integers(4, size=(2, 4, 6, 1)))
    some /= some.sum(axis=-1, keepdims=True)
    real = read_attention(load_bert(), "The old man fed the birds.").attention
    tables = random, sharp, some, np.full((1, 2, 4, 4), 0.25), real
    cases = [(attention,) for attention in tables]
    hint = "The shape is (layers, heads, tokens)."
    TABLES[3].ask("tokens_looked_at", answer, cases, hint=hint, otherwise=_no_count)
    return "Equal weights count every token, and one weight of 1 counts one."


def _entropy(attention, axis=-1, log=np.log):
    safe = np.where(attention > 0, attention, 1)
    return -(attention * log(safe)).sum(axis=axis)


def _counts(attention):
    return np.exp(_entropy(attention))


def _careless(attention):
    return np.exp(-(attention * np.log(attention)).sum(axis=-1))


def _no_count(got, wanted, attention):
    if not np.isfinite(got).all():
        return NO_LOGARITHM
    return TABLES[3].told(got, wanted, attention)


COUNT_MISTAKES = {
    NO_LOGARITHM: _careless,
    "This is the entropy; take its exponential.": _entropy,
    "The sign is turned: an entropy is not negative.": (
        lambda attention: 1 / _counts(attention)
    ),
    "You take columns: what a token receives. A row is what it shares out.": (
        lambda attention: np.exp(_entropy(attention, axis=-2))
    ),
    "The logarithm is to base 2 and the exponential to base e; take the natural "
    "logarithm.": lambda attention: np.exp(_entropy(attention, log=np.log2)),
    "This is how many weights are not 0; the entropy looks at how large they are.": (
        lambda attention: (attention > 0).sum(axis=-1)
    ),
}

TABLES = {
    1: Mistakes(
        lambda attention, layer, head, token: attention[layer, head, token].argmax(),
        PLACE_MISTAKES,
        "The place",
    ),
    2: Mistakes(_previous, SCORE_MISTAKES, "Each score", 3),
    3: Mistakes(_counts, COUNT_MISTAKES, "Each number", 3),
}
