"""Checks of the chapter, seeing attention; the running model gives the truth."""

import numbers

import numpy as np
import torch

from helpers.attention import heads_off, read_attention
from helpers.exercises import NotYet
from helpers.models import load_bert

SPECIAL = ("[CLS]", "[SEP]", "[PAD]")
PADDED = "[CLS] a small boat left . [SEP] it sank [SEP] [PAD] [PAD] [PAD]".split()
TOLERANCE = 2e-3


def check_1(answer):
    """A function: attention, layer, head, token -> place that gets most from it."""
    if not callable(answer):
        raise NotYet("Pass the function itself, without brackets: most_attended.")
    rng = np.random.default_rng(9)
    made_up = rng.dirichlet(np.ones(7), size=(4, 3, 7))
    real = read_attention(load_bert(), "The old man fed the birds.").attention
    for attention in (made_up, real):
        for layer, head, token in np.ndindex(attention.shape[:3]):
            got = _place(answer(attention, layer, head, token), len(attention[0, 0]))
            if got != attention[layer, head, token].argmax():
                _explain_place(got, attention, layer, head, token)
    return "You read a row: what one token shares out among all."


def _place(result, n):
    result = np.asarray(result)
    if result.dtype.kind not in "iu" or result.ndim:
        raise NotYet(
            "Return the place of a token, one whole number, not its weight and not "
            "the token itself."
        )
    if not 0 <= result < n:
        raise NotYet(f"Expected a place from 0 to {n - 1}; yours is {result}.")
    return int(result)


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
    if not callable(answer):
        raise NotYet(
            "Pass the function itself, without brackets: previous_token_score."
        )
    reading = read_attention(load_bert(), "The old man fed the birds.", "They ate.")
    rng = np.random.default_rng(10)
    padded = rng.dirichlet(np.ones(len(PADDED)), size=(3, 4, len(PADDED)))
    for attention, tokens in (
        (padded[..., :10, :10], PADDED[:10]),
        (padded, PADDED),
        (reading.attention, reading.tokens),
    ):
        truth = _diagonal(attention, tokens, -1)
        got = _table(answer(attention, list(tokens)), truth.shape)
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


def _table(result, shape):
    try:
        result = torch.as_tensor(result).detach().cpu().numpy().astype(float)
    except (TypeError, ValueError, RuntimeError):
        raise NotYet("Return one array of numbers, (layers, heads).") from None
    if result.shape != shape:
        raise NotYet(
            f"Expected the shape (layers, heads), here {shape}; yours is "
            f"{result.shape}."
        )
    return result


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
    for said, wrong in mistakes.items():
        if np.allclose(got, wrong, atol=1e-5):
            raise NotYet(said)
    layer, head = np.unravel_index(np.abs(got - truth).argmax(), truth.shape)
    raise NotYet(
        f"For {' '.join(tokens)} your score of layer {layer}, head {head} is "
        f"{got[layer, head]:.4f}, which is not the mean weight on the previous word."
    )


def check_3(answer):
    """A dict: sentence, word, head, change, others, other_changes."""
    keys = ("sentence", "word", "head", "change", "others", "other_changes")
    if not isinstance(answer, dict) or not set(keys) <= set(answer):
        raise NotYet(f"Pass a dict with the keys {', '.join(keys)}.")
    bert = load_bert()
    sentence, word = answer["sentence"], answer["word"]
    if not isinstance(sentence, str) or sentence.count("[MASK]") != 1:
        raise NotYet("The sentence must be a string with exactly one [MASK].")
    vocabulary = bert.tokenizer.get_vocab()
    if not isinstance(word, str) or word not in vocabulary:
        raise NotYet(
            f"{word!r} is not one piece of the vocabulary; write a common word in "
            "small letters."
        )
    head = _head(answer["head"], bert)
    others = _others(answer["others"], head, bert)
    intact = _log_probability(bert, sentence, word)
    expected = [_with_off(bert, [pair], sentence, word) for pair in [head, *others]]
    got = _numbers([answer["change"], *_list(answer["other_changes"])], len(expected))
    truth = np.array(expected) - intact
    if not np.allclose(got[0], truth[0], atol=TOLERANCE):
        _explain_change(got[0], expected[0], intact, "change")
    if np.allclose(got, truth, atol=TOLERANCE):
        rank = int((np.abs(truth[1:]) >= abs(truth[0])).sum())
        return f"{rank} of the {len(others)} others change the word at least as much."
    if np.allclose(np.sort(got), np.sort(truth), atol=TOLERANCE):
        raise NotYet("other_changes must be in the same order as others.")
    together = [_with_off(bert, others[: i + 1], sentence, word) for i in (0, 1)]
    if np.allclose(got[1:3], np.array(together) - intact, atol=TOLERANCE):
        raise NotYet("Switch the others off one at a time; yours stay off together.")
    wrong = int(np.flatnonzero(~np.isclose(got, truth, atol=TOLERANCE))[0])
    _explain_change(got[wrong], expected[wrong], intact, f"{others[wrong - 1]}")


def _explain_change(got, off, intact, what):
    if np.isclose(got, intact - off, atol=TOLERANCE):
        raise NotYet(
            f"{what}: the sign is turned. A change is the value with the head off less "
            "the value with all heads on."
        )
    if np.isclose(got, off, atol=TOLERANCE):
        raise NotYet(
            f"{what}: this is the log-probability with the head off; subtract the one "
            "with all heads on."
        )
    if np.isclose(got, np.exp(off) - np.exp(intact), atol=1e-5):
        raise NotYet(f"{what}: this is a change of the probability, not of its log.")
    raise NotYet(
        f"{what}: your number is {got:.4f}, which is not what this model gives. Is the "
        "head off only inside the with block, and the other number taken outside?"
    )


def _head(pair, bert):
    try:
        layer, head = (int(number) for number in pair)
    except (TypeError, ValueError):
        raise NotYet(f"A head is a pair (layer, head); yours is {pair!r}.") from None
    if not (0 <= layer < bert.n_layers and 0 <= head < bert.n_heads):
        raise NotYet(
            f"There is no head {head} in layer {layer}: this model has {bert.n_layers} "
            f"layers of {bert.n_heads} heads, counted from 0."
        )
    return layer, head


def _others(pairs, head, bert):
    pairs = [_head(pair, bert) for pair in _list(pairs)]
    wanted = min(10, bert.n_layers * bert.n_heads - 1)
    if len(pairs) != wanted:
        raise NotYet(f"Expected {wanted} other heads; yours are {len(pairs)}.")
    if head in pairs:
        raise NotYet("Your own head is among the others: it cannot be its own control.")
    if len(set(pairs)) != wanted:
        raise NotYet("Some of the others are the same head twice: draw without return.")
    return pairs


def _list(values):
    try:
        return list(values)
    except TypeError:
        raise NotYet("others and other_changes must be lists.") from None


def _numbers(values, n):
    values = [v.item() if hasattr(v, "item") and np.size(v) == 1 else v for v in values]
    if not all(isinstance(value, numbers.Real) for value in values):
        raise NotYet("change and each of other_changes must be a number.")
    if len(values) != n:
        raise NotYet(f"Expected {n - 1} other_changes; yours are {len(values) - 1}.")
    return np.array(values, float)


def _with_off(bert, heads, sentence, word):
    with heads_off(bert, heads):
        return _log_probability(bert, sentence, word)


@torch.inference_mode()
def _log_probability(bert, sentence, word):
    encoding = bert.encode(sentence)
    masked = encoding["input_ids"][0] == bert.tokenizer.mask_token_id
    chance = bert.mlm(**encoding).logits[0, masked][0].log_softmax(dim=-1)
    return chance[bert.tokenizer.convert_tokens_to_ids(word)].item()
