"""Checks of the chapter, inputs; the truth comes from the running model's tokenizer."""

import random

import numpy as np

from helpers.exercises import NotYet
from helpers.exercises.asking import (
    a_dict,
    a_function,
    a_list,
    a_number,
    a_text,
    a_whole_number,
    name_mistake,
)
from helpers.models import load_bert

PAIR = "Who wrote it?", "She did."
PLACES = 12


def check_1(answer):
    """A dict: pieces, segments and mask of the padded pair, 12 entries each."""
    pieces, segments, mask = a_dict(answer, ("pieces", "segments", "mask"))
    pieces = a_list(pieces, "pieces", PLACES, each=a_text)
    segments = a_list(segments, "segments", PLACES, each=_bit)
    mask = a_list(mask, "mask", PLACES, each=_bit)
    encoding = load_bert().tokenizer(*PAIR, padding="max_length", max_length=PLACES)
    _compare_pieces(pieces, encoding.tokens())
    real = sum(encoding["attention_mask"])
    _compare_segments(segments, encoding["token_type_ids"], real)
    if mask == [1] * PLACES:
        raise NotYet("Your mask is all ones: that attends to the padding too.")
    if mask == [1 - bit for bit in encoding["attention_mask"]]:
        raise NotYet("Your mask is the wrong way round: 1 is for the places to read.")
    if mask != encoding["attention_mask"]:
        raise NotYet(
            "The mask is 1 at every real piece, special tokens included, and 0 at "
            "padding."
        )
    return "Three rows, three questions: what is it, which part, is it real?"


def _bit(value, what):
    return int(value) if isinstance(value, bool) else a_whole_number(value, what)


def _compare_pieces(got, truth):
    for place, (mine, right) in enumerate(zip(got, truth, strict=True)):
        if mine.lower() == right.lower():
            continue
        if place and right == "[SEP]":
            raise NotYet(
                f"Place {place} is not right: [SEP] ends each of the two parts."
            )
        raise NotYet(
            f"The first wrong piece is at place {place}. Mind the special tokens at "
            "both ends and between the parts, and that punctuation stands alone."
        )


def _compare_segments(got, truth, real):
    if got == truth:
        return
    if got[:real] == truth[:real]:
        raise NotYet("Padding belongs to no part: its segment id is 0.")
    first = truth.index(1)
    if got[: first - 1] + got[first:] == truth[: first - 1] + truth[first:]:
        raise NotYet("The first [SEP] belongs to the part that it ends, the first.")
    if not any(got):
        raise NotYet("These are all 0, but two texts went in: the second has id 1.")
    raise NotYet(
        "Expected segment 0 for [CLS] and the first part with its [SEP], 1 for the "
        "second part with its [SEP]."
    )


class _Vocabulary(frozenset):
    """Cannot be changed, so a copy for every call would be wasted time."""

    def __deepcopy__(self, memo):
        return self


TOY = _Vocabulary(["a", "ab", "##bc", "##c", "##d", "##de", "##e", "##cde"])
GAPS = _Vocabulary(["a", "ab", "##bc"])


def check_2(answer):
    """A function: word, vocabulary -> as few pieces as possible, or ["[UNK]"]."""
    a_function(answer, "fewest_pieces")
    for word in ("abcde", "abc", "ad", "a"):
        _try_word(answer, word, TOY)
    for word in ("abc", "abx", "xab"):
        _try_word(answer, word, GAPS)
    vocabulary = _Vocabulary(load_bert().tokenizer.get_vocab())
    for word in _thousand_words(vocabulary):
        _try_word(answer, word, vocabulary)
    return "As few pieces as can be, for a thousand words."


def _try_word(function, word, vocabulary):
    fewest, hint = _fewest(word, vocabulary), "Return a list of pieces."
    got = a_list(function(word, vocabulary), "The answer", each=a_text, hint=hint)
    if fewest is None:
        if got != ["[UNK]"]:
            raise NotYet(
                f'{word!r} cannot be spelled to its end, so expected ["[UNK]"] for the '
                f"whole word; yours is {got}."
            )
        return
    shown = f"{word!r} can be spelled in {fewest}; yours is {got}"
    if got == ["[UNK]"]:
        raise NotYet(
            f"{shown}. When one cut leads nowhere, another may still reach the end."
        )
    bare = [got[0] if got else "", *(piece.removeprefix("##") for piece in got[1:])]
    if "".join(bare) != word:
        raise NotYet(f"Put together, {got} does not give {word!r}.")
    if any(not piece.startswith("##") for piece in got[1:]):
        raise NotYet(f"In {got} the pieces after the first must begin with ##.")
    if unknown := [piece for piece in got if piece not in vocabulary]:
        raise NotYet(f"{unknown[0]!r} in {got} is no entry of the vocabulary.")
    if len(got) > fewest:
        raise NotYet(
            f"{shown}. Taking the longest match from one end is not always shortest."
        )


def _fewest(word, vocabulary):
    """How many pieces spell `word` at least; None where nothing does."""
    count = [0] + [None] * len(word)
    for end in range(1, len(word) + 1):
        reached = [
            count[start] + 1
            for start in range(end)
            if count[start] is not None
            and ("##" if start else "") + word[start:end] in vocabulary
        ]
        count[end] = min(reached, default=None)
    return count[-1]


def _thousand_words(vocabulary):
    """Compounds of two entries, which tempt a greedy cut, and strings of letters."""
    rng = random.Random(5)
    starts = sorted(p for p in vocabulary if p.isalpha() and p.isascii())
    ends = sorted(p[2:] for p in vocabulary if p.startswith("##") and len(p) > 5)
    ends = [end for end in ends if end.isalpha() and end.isascii()]
    words = [rng.choice(starts) + rng.choice(ends) for _ in range(900)]
    letters = "abcdefghijklmnopqrstuvwxyz☂"
    words += ["".join(rng.choices(letters, k=rng.randint(3, 9))) for _ in range(100)]
    return words


def check_3(answer):
    """A dict: three texts of 20 words or more, and the fertility of each."""
    texts, values = a_dict(answer, ("texts", "fertility"))
    texts = a_list(texts, "texts", 3, each=a_text)
    if short := [text for text in texts if len(text.split()) < 20]:
        raise NotYet(
            f"A text has only {len(short[0].split())} words; expected at least 20."
        )
    if len(set(texts)) < 3:
        raise NotYet("Two of the texts are the same; take three different ones.")
    values = a_list(values, "fertility", 3, each=a_number)
    for number, (text, value) in enumerate(zip(texts, values, strict=True), 1):
        _compare_fertility(number, text, value)
    return "Now look which words were cut into the most pieces."


def _compare_fertility(number, text, got):
    tokenizer = load_bert().tokenizer
    pieces, words = len(tokenizer.tokenize(text)), len(text.split())

    close = {"rtol": 0, "atol": 0.0051}  # rounded to two digits is fine
    if np.allclose(got, pieces / words, **close):
        return
    where = f"The fertility of text {number} is not right"
    different = len(set(tokenizer.tokenize(text)))
    mistakes = {
        "you count [CLS] and [SEP] too, which spell no word.": (pieces + 2) / words,
        "this is words a piece, the other way round.": words / pieces,
        "count every piece, also those that come again.": different / words,
        "this is pieces a character; divide by the words.": pieces / len(text),
    }
    name_mistake(got, {f"{where}: {m}": x for m, x in mistakes.items()}, **close)
    raise NotYet(f"{where}: expected all its pieces divided by its words.")
