"""Checks of the chapter, which-words; the running model gives the truth."""

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
    is_right_to,
)
from helpers.exercises.mistakes import Mistakes
from helpers.exercises.seeds import rng
from helpers.models import load_bert

DIGITS = 3  # to which numbers are asked for, and how far a model may round otherwise
SLACK = 2e-4


def check_1(answer):
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
    TABLES[1].judge([(given, got)], _not_measured)
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


def check_2(answer):
    """A function: first, second -> pairs moved the right way, pairs solved."""
    a_function(answer, "judged")
    draw, trials = rng(2), []
    for n in (1, 7, 30, 30):
        first, second = draw.normal(0.3, 1, size=(2, n)).round(1)
        second[n // 2] = first[n // 2]  # neither way
        first[0], second[-1] = 0, 0
        got = a_list(answer(first, second), "The answer", 2, a_whole_number)
        trials.append(((first, second), got))
    TABLES[2].judge(trials, _another_count)
    return "To move the right way is easy; to be right twice is not."


def _another_count(got, wanted, first, second):
    name, i = ("moved the right way", 0) if got[0] != wanted[0] else ("solved", 1)
    return (
        f"For {len(first)} pairs you count {got[i]} as {name}; expected {wanted[i]}. "
        "Compare the two numbers of a pair, and each of them with 0."
    )


def _judged(first, second):
    return [int((first > second).sum()), int(((first > 0) & (second < 0)).sum())]


def _counts(moved, solved):
    """A mistake: both counts from (first, second) -> booleans."""
    return lambda a, b: [int(moved(a, b).sum()), int(solved(a, b).sum())]


def _moves(a, b):
    return a > b


def _solves(a, b):
    return (a > 0) & (b < 0)


def _same_counts(got, wanted, *given):
    return list(got) == list(wanted)


JUDGE_MISTAKES = {
    "The two counts are exchanged: first those moved, then those solved.": (
        lambda a, b: _judged(a, b)[::-1]
    ),
    "Solved needs both answers right, not one of them.": (
        _counts(_moves, lambda a, b: (a > 0) | (b < 0)),
        _counts(_moves, lambda a, b: a > 0),
        _counts(_moves, lambda a, b: b < 0),
    ),
    "With the other ending the other noun is right, and its sign is below 0.": (
        _counts(_moves, lambda a, b: (a > 0) & (b > 0))
    ),
    "At 0 neither noun is ahead, and a pair that does not move is not moved.": (
        _counts(lambda a, b: a >= b, _solves),
        _counts(_moves, lambda a, b: (a >= 0) & (b <= 0)),
        _counts(lambda a, b: a >= b, lambda a, b: (a >= 0) & (b <= 0)),
    ),
    "A pair may move the wrong way; you count every pair that moves.": (
        _counts(lambda a, b: a != b, _solves)
    ),
}


TABLES = {
    1: Mistakes(
        _changes, CHANGE_MISTAKES, "Each change", DIGITS, _near_changes, _reported
    ),
    2: Mistakes(_judged, JUDGE_MISTAKES, "Each count", 0, _same_counts),
}
