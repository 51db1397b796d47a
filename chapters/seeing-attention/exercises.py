"""Checks of the chapter, seeing attention; the running model gives the truth."""

import numpy as np

from helpers.attention import read_attention
from helpers.exercises import NotYet
from helpers.exercises.asking import (
    a_function,
    a_whole_number,
    an_array,
    is_right_to,
    name_mistake,
    name_rounding,
)
from helpers.exercises.seeds import rng
from helpers.models import load_bert

SPECIAL = ("[CLS]", "[SEP]", "[PAD]")
PADDED = (
    "[CLS] a small boat ##s left [MASK] . [SEP] [ it sank ] [SEP] [PAD] [PAD] [PAD]"
).split()
DIGITS = 3  # to which numbers are asked for


def check_1(answer):
    """A function: attention, layer, head, token -> place that gets most from it."""
    a_function(answer, "most_attended")
    draw = rng(1)
    for shape in ((4, 4, 6, 6), (3, 2, 7, 7)):
        attention = draw.dirichlet(np.ones(shape[-1]), size=shape[:3])
        _check_places(answer, attention, list(np.ndindex(*shape[:3])))
    real = read_attention(load_bert(), "The old man fed the birds.").attention
    some = draw.permutation(list(np.ndindex(*real.shape[:3])))[:20].tolist()
    _check_places(answer, real, some)
    return "You read a row: what one token shares out among all."


def _check_places(answer, attention, asked):
    hint = "Return the place of a token, not its weight or the token itself."
    most = attention.shape[-1] - 1
    got = []
    for layer, head, token in asked:
        given = answer(attention, layer, head, token)
        got.append(a_whole_number(given, "The place", 0, most, hint=hint))
    asked = np.array(asked)
    layers, heads, tokens = asked.T
    weights = attention[layers, heads, tokens]  # (asked, tokens)
    if (weights.argmax(-1) == got).all():
        return
    name_mistake(got, _other_places(attention, weights, *asked.T))
    wrong = int((weights.argmax(-1) != got).argmax())
    layer, head, token = asked[wrong]
    raise NotYet(
        f"For layer {layer}, head {head}, token {token} the weight at your place "
        f"{got[wrong]} is {weights[wrong, got[wrong]]:.3f}; another token gets more."
    )


def _other_places(attention, weights, layers, heads, tokens):
    received = attention[layers, heads, :, tokens]
    others, inner = weights.copy(), weights.copy()
    others[range(len(tokens)), tokens] = -1
    inner[:, [0, -1]] = -1
    mistakes = {
        "You name the token that gives most to this token: query and key are "
        "exchanged. A row of the last two axes is one query.": received.argmax(-1),
        "You name the token that gets least.": weights.argmin(-1),
        "You leave the token itself out; it may look at itself, too.": (
            others.argmax(-1)
        ),
        "You leave out the first and the last token; they may get most, too.": (
            inner.argmax(-1)
        ),
        "You average over the heads; take the head that is asked for.": (
            attention.mean(1)[layers, tokens].argmax(-1)
        ),
        "You average over the layers; take the layer that is asked for.": (
            attention.mean(0)[heads, tokens].argmax(-1)
        ),
    }
    if attention.shape[0] == attention.shape[1]:
        exchanged = attention[heads, layers, tokens].argmax(-1)
        mistakes["Layer and head are exchanged: the first axis is the layer."] = (
            exchanged
        )
    return mistakes


def check_2(answer):
    """A function: attention, tokens -> (layers, heads) scores of the previous word."""
    a_function(answer, "previous_token_score")
    reading = read_attention(load_bert(), "The old man fed the birds.", "They ate.")
    n = len(PADDED)
    padded = rng(2).dirichlet(np.ones(n), size=(3, 4, n))
    for attention, tokens in (
        (padded, PADDED),  # first: without padding two mistakes look alike
        (padded[..., : n - 3, : n - 3], PADDED[:-3]),
        (padded[..., :5, :5], [*PADDED[:4], "[SEP]"]),
        (reading.attention, reading.tokens),
    ):
        truth = _diagonal(attention, tokens, -1)
        got, hint = answer(attention, list(tokens)), "The shape is (layers, heads)."
        got = an_array(got, truth.shape, "The answer", hint=hint)
        if not is_right_to(got, truth, DIGITS):
            _explain_score(got, attention, tokens)
    return "Only a test with known weights tells this score from that of the next word."


def _diagonal(attention, tokens, step, left_out=SPECIAL, queries=True, keys=True):
    """Mean weight at (i, i + step) over the tokens i that count. -> (layers, heads)"""
    n = len(tokens)
    places = [
        i
        for i in range(n)
        if 0 <= i + step < n
        and not (queries and tokens[i] in left_out)
        and not (keys and tokens[i + step] in left_out)
    ]
    return attention[:, :, places, np.add(places, step)].mean(axis=-1)


def _explain_score(got, attention, tokens):
    truth = _diagonal(attention, tokens, -1)
    words = np.flatnonzero(~np.isin(tokens, SPECIAL))
    rows = int((np.diff(words) == 1).sum())
    name_mistake(got, _other_scores(attention, tokens, words, truth * rows), atol=1e-5)
    name_rounding(got, truth, DIGITS, "Each score")
    layer, head = np.unravel_index(np.abs(got - truth).argmax(), truth.shape)
    raise NotYet(
        f"For {' '.join(tokens)} your score of layer {layer}, head {head} is "
        f"{got[layer, head]:.4f}, which is not the mean weight on the previous word: "
        f"the mean of the {rows} weights at (i, i - 1) where both are words."
    )


def _other_scores(attention, tokens, words, total):
    """Pairs of a message and the scores (layers, heads) of the mistake it names."""
    left = attention[:, :, words][:, :, :, words]
    either = "[CLS] or [SEP] is still in the mean, as a word that looks or is "
    either += "looked at."
    parts = [x for x in dict.fromkeys(tokens) if x.startswith("##")]
    brackets = [x for x in dict.fromkeys(tokens) if x.startswith("[")]
    counting = "You leave out {}; all but [CLS], [SEP] and [PAD] count as words."
    some = (
        ("a piece that begins with ##", (*SPECIAL, *parts)),
        ("the token [ or [MASK]", (*SPECIAL, *brackets)),
    )
    return [
        (
            "This is the score of the next word: query and key are exchanged. Token i "
            "is the row, token i - 1 the column.",
            _diagonal(attention, tokens, 1),
        ),
        *((either, _diagonal(attention, tokens, -1, x)) for x in _but_some(SPECIAL)),
        (
            "[PAD] still counts as a word: with padded input the score changes.",
            _diagonal(attention, tokens, -1, ("[CLS]", "[SEP]")),
        ),
        (
            "Special tokens and padding are still in the mean.",
            _diagonal(attention, tokens, -1, ()),
        ),
        (
            "The special tokens do not look, but they are still looked at: a word "
            "right after [CLS] or [SEP] has no previous word.",
            _diagonal(attention, tokens, -1, keys=False),
        ),
        (
            "The special tokens are not looked at, but they still look.",
            _diagonal(attention, tokens, -1, queries=False),
        ),
        (
            "You take the special tokens out first, and so the last word before [SEP] "
            "becomes the one before the next sentence.",
            np.diagonal(left, -1, 2, 3).mean(axis=-1),
        ),
        ("This is the sum over the words; the score is their mean.", total),
        (
            "You divide by the number of all tokens; divide by the number of words "
            "that have a previous word.",
            total / len(tokens),
        ),
        (
            "You divide by the number of all words; divide by the number of words "
            "that have a previous word.",
            total / len(words),
        ),
        *(
            (counting.format(what), _diagonal(attention, tokens, -1, out))
            for what, out in some
            if len(out) > len(SPECIAL)
        ),
    ]


def _but_some(special):
    """What is left out where [CLS], [SEP] or both are still taken for words."""
    cls, sep, pad = special
    return (pad,), (cls, pad), (sep, pad)


def check_3(answer):
    """A function: attention -> exp of the entropy of each row."""
    a_function(answer, "tokens_looked_at")
    draw = rng(3)
    random = draw.dirichlet(np.full(6, 0.5), size=(2, 4, 6))
    sharp = np.eye(5)[draw.integers(0, 5, (2, 3, 5))]  # rows with exact zeros
    real = read_attention(load_bert(), "The old man fed the birds.").attention
    for attention in (random, sharp, np.full((1, 2, 4, 4), 0.25), real):
        truth = _counts(attention)
        got = answer(attention.copy())
        hint = "The shape is (layers, heads, tokens)."
        got = an_array(got, truth.shape, "The answer", hint=hint, finite=False)
        if not is_right_to(got, truth, DIGITS):
            _explain_counts(got, attention)
    return "Equal weights count every token, and one weight of 1 counts one."


def _entropy(attention, axis=-1, log=np.log):
    safe = np.where(attention > 0, attention, 1)
    return -(attention * log(safe)).sum(axis=axis)


def _counts(attention):
    return np.exp(_entropy(attention))


def _explain_counts(got, attention):
    if not np.isfinite(got).all():
        raise NotYet(
            "Some of your numbers are nan or infinite: a weight of 0 has no logarithm. "
            "It adds nothing to the entropy."
        )
    truth = _counts(attention)
    mistakes = {
        "This is the entropy; take its exponential.": np.log(truth),
        "The sign is turned: an entropy is not negative.": 1 / truth,
        "You take columns: what a token receives. A row is what it shares out.": (
            np.exp(_entropy(attention, axis=-2))
        ),
        "The logarithm is to base 2 and the exponential to base e; take the natural "
        "logarithm.": np.exp(_entropy(attention, log=np.log2)),
        "This is 1 divided by the sum of squares, another count of tokens.": (
            1 / (attention**2).sum(axis=-1)
        ),
    }
    name_mistake(got, mistakes)
    name_rounding(got, truth, DIGITS, "Each number")
    layer, head, token = np.unravel_index(np.abs(got - truth).argmax(), truth.shape)
    raise NotYet(
        f"For layer {layer}, head {head}, token {token} your number is "
        f"{got[layer, head, token]:.3f}, which is not the exponential of the entropy "
        "of this row."
    )
