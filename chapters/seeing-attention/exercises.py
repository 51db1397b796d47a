"""Checks of the chapter, seeing attention; the running model gives the truth."""

from functools import lru_cache

import numpy as np
import torch

from helpers.attention import heads_off, read_attention
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

SPECIAL = ("[CLS]", "[SEP]", "[PAD]")
PADDED = (
    "[CLS] a small boat ##s left [MASK] . [SEP] [ it sank ] [SEP] [PAD] [PAD] [PAD]"
).split()
DIGITS = 3  # to which numbers are asked for, and how far a model may round otherwise
SLACK = 2e-4


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
    """A dict: sentence, word, head, change, others, other_changes."""
    keys = ("sentence", "word", "head", "change", "others", "other_changes")
    sentence, word, head, change, others, other_changes = a_dict(answer, keys)
    bert = load_bert()
    if a_text(sentence, "sentence").count("[MASK]") != 1:
        raise NotYet("The sentence must be a string with exactly one [MASK].")
    vocabulary = bert.tokenizer.get_vocab()
    if a_text(word, "word") not in vocabulary:
        raise NotYet(
            f"{word!r} is not one piece of the vocabulary; write a common word in "
            "small letters."
        )
    head = _head(head, bert)
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
    rank = int((np.abs(truth[1:]) >= abs(truth[0])).sum())
    return f"{rank} of the {len(others)} others change the word at least as much."


def _explain_changes(got, truth, intact, together, others):
    wrong = [
        not is_right_to(*pair, DIGITS, SLACK) for pair in zip(got, truth, strict=True)
    ]
    names = ["change", *(f"the change of {other}" for other in others)]
    name_mistake(got[wrong], _other_changes(truth, intact, wrong), rtol=1e-2, atol=1e-5)
    if not wrong[0]:
        order = "other_changes must be in the same order as others."
        name_mistake(np.sort(got), {order: np.sort(truth)}, atol=1e-3)
        stayed = "Switch the others off one at a time; yours stay off together."
        name_mistake(got[1:3], {stayed: together}, atol=1e-3)
    first = wrong.index(True)
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


def _head(pair, bert):
    hint = "A head is a pair (layer, head)."
    layer, head = a_list(pair, "head", 2, each=a_whole_number, hint=hint)
    if not (0 <= layer < bert.n_layers and 0 <= head < bert.n_heads):
        raise NotYet(
            f"There is no head {head} in layer {layer}: this model has {bert.n_layers} "
            f"layers of {bert.n_heads} heads, counted from 0."
        )
    return layer, head


def _others(pairs, head, bert):
    wanted = min(10, bert.n_layers * bert.n_heads - 1)
    hint = f"Expected {wanted} other heads."
    pairs = [_head(pair, bert) for pair in a_list(pairs, "others", wanted, hint=hint)]
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
