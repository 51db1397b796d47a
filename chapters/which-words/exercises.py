"""Checks of the chapter, which-words; the running model gives the truth."""

from functools import lru_cache, partial

import numpy as np
import torch

from helpers.attention import heads_off
from helpers.exercises import NotYet
from helpers.exercises.asking import (
    a_dict,
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
    "These are 0, as if the head were still on. Measure inside the with block, and "
    "give three decimals.": (
        lambda *given: 0 * _changes(*given),
        _turned(lambda own, others: 0 * others),
    ),
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
    draw, cases = rng(2), []
    for n in (1, 7, 30, 30):
        first, second = draw.normal(0.3, 1, size=(2, n)).round(1)
        second[n // 2] = first[n // 2]  # neither way
        first[0], second[-1] = 0, 0
        cases.append((first, second))
    TABLES[2].ask("judged", answer, cases, hint="Return two counts.")
    return "To move the right way is easy; to be right twice is not."


def _judged(first, second):
    return [int((first > second).sum()), int(((first > 0) & (second < 0)).sum())]


def _counts(moved, solved):
    """A mistake: both counts from (first, second) -> booleans."""
    return lambda a, b: [int(moved(a, b).sum()), int(solved(a, b).sum())]


def _moves(a, b):
    return a > b


def _solves(a, b):
    return (a > 0) & (b < 0)


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
}


TABLES = {
    1: Mistakes(_changes, CHANGE_MISTAKES, "Each change", DIGITS, slack=SLACK),
    2: Mistakes(_judged, JUDGE_MISTAKES, "Each count"),
}
