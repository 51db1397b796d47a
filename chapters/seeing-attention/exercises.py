"""Checks of the chapter, seeing attention; the running model gives the truth."""

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
    name_mistake,
)
from helpers.models import load_bert

SPECIAL = ("[CLS]", "[SEP]", "[PAD]")
PADDED = "[CLS] a small boat left . [SEP] it sank [SEP] [PAD] [PAD] [PAD]".split()
TOLERANCE = 2e-3


def check_1(answer):
    """A function: attention, layer, head, token -> place that gets most from it."""
    a_function(answer, "most_attended")
    rng = np.random.default_rng(9)
    made_up = rng.dirichlet(np.ones(7), size=(4, 3, 7))
    real = read_attention(load_bert(), "The old man fed the birds.").attention
    for attention in (made_up, real):
        for layer, head, token in np.ndindex(attention.shape[:3]):
            got = answer(attention, layer, head, token)
            hint = "Return the place of a token, not its weight or the token itself."
            got = a_whole_number(
                got, "The place", 0, attention.shape[-1] - 1, hint=hint
            )
            if got != attention[layer, head, token].argmax():
                _explain_place(got, attention, layer, head, token)
    return "You read a row: what one token shares out among all."


def _explain_place(got, attention, layer, head, token):
    asked = f"layer {layer}, head {head}, token {token}"
    if got == attention[layer, head, :, token].argmax():
        raise NotYet(
            f"For {asked} you name the token that gives most to token {token}: query "
            "and key are exchanged. A row of the last two axes is one query."
        )
    n_layers, n_heads = attention.shape[:2]
    if head < n_layers and layer < n_heads:
        if got == attention[head, layer, token].argmax():
            raise NotYet("Layer and head are exchanged: the first axis is the layer.")
    if got == attention[layer, head, token].argmin():
        raise NotYet(f"For {asked} you name the token that gets least.")
    raise NotYet(
        f"For {asked} the weight at your place {got} is "
        f"{attention[layer, head, token, got]:.3f}; another token gets more."
    )


def check_2(answer):
    """A function: attention, tokens -> (layers, heads) scores of the previous word."""
    a_function(answer, "previous_token_score")
    reading = read_attention(load_bert(), "The old man fed the birds.", "They ate.")
    rng = np.random.default_rng(10)
    padded = rng.dirichlet(np.ones(len(PADDED)), size=(3, 4, len(PADDED)))
    for attention, tokens in (
        (padded, PADDED),  # first: without padding two mistakes look alike
        (padded[..., :10, :10], PADDED[:10]),
        (reading.attention, reading.tokens),
    ):
        truth = _diagonal(attention, tokens, -1)
        got, hint = answer(attention, list(tokens)), "The shape is (layers, heads)."
        got = an_array(got, truth.shape, "The answer", hint=hint)
        if not np.allclose(got, truth, atol=1e-5):
            _explain_score(got, attention, tokens)
    return "Only a test with known weights tells this score from that of the next word."


def _diagonal(attention, tokens, step, left_out=SPECIAL, keys_too=True):
    """Mean weight at (i, i + step) over the tokens i that count. -> (layers, heads)"""
    n = len(tokens)
    places = [
        i
        for i in range(n)
        if 0 <= i + step < n
        and tokens[i] not in left_out
        and not (keys_too and tokens[i + step] in left_out)
    ]
    return attention[:, :, places, np.add(places, step)].mean(axis=-1)


def _explain_score(got, attention, tokens):
    n, truth = len(tokens), _diagonal(attention, tokens, -1)
    words = [token not in SPECIAL for token in tokens]
    rows = sum(a and b for a, b in zip(words, words[1:], strict=False))
    mistakes = {
        "This is the score of the next word: query and key are exchanged. Token i is "
        "the row, token i - 1 the column.": _diagonal(attention, tokens, 1),
        "[CLS] and [SEP] are still in the mean, as words that look or are looked "
        "at.": _diagonal(attention, tokens, -1, ("[PAD]",)),
        "[PAD] still counts as a word: with padded input the score changes.": _diagonal(
            attention, tokens, -1, ("[CLS]", "[SEP]")
        ),
        "Special tokens and padding are still in the mean.": _diagonal(
            attention, tokens, -1, ()
        ),
        "The special tokens do not look, but they are still looked at: a word right "
        "after [CLS] or [SEP] has no previous word.": _diagonal(
            attention, tokens, -1, keys_too=False
        ),
        "This is the sum over the words; the score is their mean.": truth * rows,
        "You divide by the number of all tokens; divide by the number of words that "
        "have a previous word.": truth * rows / n,
    }
    name_mistake(got, mistakes, atol=1e-5)
    layer, head = np.unravel_index(np.abs(got - truth).argmax(), truth.shape)
    raise NotYet(
        f"For {' '.join(tokens)} your score of layer {layer}, head {head} is "
        f"{got[layer, head]:.4f}, which is not the mean weight on the previous word."
    )


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
    intact = _log_probability(bert, sentence, word)
    expected = [_with_off(bert, [pair], sentence, word) for pair in [head, *others]]
    hint = f"Expected {len(others)} other_changes, one for each of others."
    got = a_list(other_changes, "other_changes", len(others), a_number, hint)
    got = [a_number(change, "change"), *got]
    truth = np.array(expected) - intact
    if not np.allclose(got[0], truth[0], atol=TOLERANCE):
        _explain_change(got[0], expected[0], intact, "change")
    if np.allclose(got, truth, atol=TOLERANCE):
        rank = int((np.abs(truth[1:]) >= abs(truth[0])).sum())
        return f"{rank} of the {len(others)} others change the word at least as much."
    order = "other_changes must be in the same order as others."
    name_mistake(np.sort(got), {order: np.sort(truth)}, atol=TOLERANCE)
    together = [_with_off(bert, others[: i + 1], sentence, word) for i in (0, 1)]
    stayed = "Switch the others off one at a time; yours stay off together."
    name_mistake(got[1:3], {stayed: np.array(together) - intact}, atol=TOLERANCE)
    wrong = int(np.flatnonzero(~np.isclose(got, truth, atol=TOLERANCE))[0])
    _explain_change(got[wrong], expected[wrong], intact, f"{others[wrong - 1]}")


def _explain_change(got, off, intact, what):
    mistakes = {
        f"{what}: the sign is turned. A change is the value with the head off less the "
        "value with all heads on.": intact - off,
        f"{what}: this is the log-probability with the head off; subtract the one with "
        "all heads on.": off,
    }
    name_mistake(got, mistakes, atol=TOLERANCE)
    no_log = f"{what}: this is a change of the probability, not of its log."
    name_mistake(got, {no_log: np.exp(off) - np.exp(intact)}, atol=1e-5)
    raise NotYet(
        f"{what}: your number is {got:.4f}, which is not what this model gives. Is the "
        "head off only inside the with block, and the other number taken outside?"
    )


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


def _with_off(bert, heads, sentence, word):
    with heads_off(bert, heads):
        return _log_probability(bert, sentence, word)


@torch.inference_mode()
def _log_probability(bert, sentence, word):
    encoding = bert.encode(sentence)
    masked = encoding["input_ids"][0] == bert.tokenizer.mask_token_id
    chance = bert.mlm(**encoding).logits[0, masked][0].log_softmax(dim=-1)
    return chance[bert.tokenizer.convert_tokens_to_ids(word)].item()
