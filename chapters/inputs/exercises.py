"""Checks of the chapter, inputs; the truth comes from the running model's tokenizer."""

import numpy as np

from helpers.exercises import NotYet
from helpers.exercises.asking import (
    a_dict,
    a_function,
    a_list,
    a_number,
    a_text,
    a_whole_number,
    is_right_to,
    name_mistake,
)
from helpers.exercises.seeds import rng
from helpers.models import load_bert

PAIR = "Who wrote it?", "She did."
PLACES = 12


def check_1(answer, pair=PAIR):
    """A dict: pieces, segments and mask of the padded pair, 12 entries each."""
    pieces, segments, mask = a_dict(answer, ("pieces", "segments", "mask"))
    pieces = a_list(pieces, "pieces", PLACES, each=a_text)
    segments = a_list(_one_row(segments), "segments", PLACES, each=_bit)
    mask = a_list(_one_row(mask), "mask", PLACES, each=_bit)
    encoding = load_bert().tokenizer(*pair, padding="max_length", max_length=PLACES)
    _compare_pieces(pieces, encoding.tokens())
    if (segments, mask) == (encoding["attention_mask"], encoding["token_type_ids"]):
        raise NotYet("Your segments are the mask, and your mask the segments.")
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


def _one_row(value):
    """Take a batch of one, as the tokenizer returns it, for its row."""
    return value[0] if getattr(value, "shape", None) == (1, PLACES) else value


def _bit(value, what):
    return int(value) if isinstance(value, bool) else a_whole_number(value, what)


def _compare_pieces(got, truth):
    if got == truth:
        return
    if got[0] == "[PAD]":
        raise NotYet("Here the padding goes to the end; the pair begins with [CLS].")
    if got.count("[CLS]") > 1:
        raise NotYet("[CLS] opens the whole input, once; [SEP] ends each part.")
    place = next(i for i in range(PLACES) if got[i] != truth[i])
    where = f"The first wrong piece is {got[place]!r} at place {place}."
    if got[place].lower() == truth[place].lower():
        raise NotYet(f"{where} Mind capitals: the vocabulary has no such entry.")
    if place and truth[place] == "[SEP]":
        raise NotYet(f"{where} [SEP] ends each of the two parts.")
    raise NotYet(
        f"{where} Mind the special tokens at both ends and between the parts, and that "
        "punctuation stands alone."
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
    for number in range(10):
        for word, vocabulary in _small_cases(number):
            _try_word(answer, word, vocabulary)
    vocabulary = _Vocabulary(load_bert().tokenizer.get_vocab())
    for word in _real_words(vocabulary):
        _try_word(answer, word, vocabulary)
    return "As few pieces as can be, for a thousand words."


def _try_word(function, word, vocabulary):
    best, hint = _spelled(word, vocabulary), "Return a list of pieces."
    got = a_list(function(word, vocabulary), "The answer", each=a_text, hint=hint)
    if best is None:
        if got != ["[UNK]"]:
            raise NotYet(
                f'{word!r} cannot be spelled to its end, so expected ["[UNK]"] for the '
                f"whole word; yours is {got}."
            )
        return
    if len(got) == len(best) and _spells(got, word, vocabulary):
        return
    shown = f"{word!r} can be spelled as {' '.join(best)}; yours is {got}."
    if got == ["[UNK]"]:
        lost = _greedy(word, vocabulary) is None
        hint = " When one cut leads nowhere, another may still reach the end."
        raise NotYet(shown + hint * lost)
    bare = [got[0] if got else "", *(piece.removeprefix("##") for piece in got[1:])]
    if "".join(bare) != word:
        raise NotYet(f"Put together, {got} does not give {word!r}.")
    if any(not piece.startswith("##") for piece in got[1:]):
        raise NotYet(f"In {got} the pieces after the first must begin with ##.")
    if unknown := [piece for piece in got if piece not in vocabulary]:
        raise NotYet(f"{unknown[0]!r} in {got} is no entry of the vocabulary.")
    most = _spelled(word, vocabulary, best=max)
    if got == _greedy(word, vocabulary) and len(got) < len(most):
        shown += " The longest match from the left is not always shortest."
    raise NotYet(f"{shown} Expected the fewest pieces, {len(best)} here.")


def _spells(pieces, word, vocabulary):
    bare = pieces[:1] + [piece.removeprefix("##") for piece in pieces[1:]]
    marked = all(piece.startswith("##") for piece in pieces[1:])
    return marked and "".join(bare) == word and vocabulary.issuperset(pieces)


def _spelled(word, vocabulary, best=min):
    """The fewest pieces that spell `word`, or the most; None where nothing does."""
    pieces = [[]] + [None] * len(word)
    for end in range(1, len(word) + 1):
        reached = [
            [*pieces[start], piece]
            for start in range(end)
            if pieces[start] is not None
            and (piece := ("##" if start else "") + word[start:end]) in vocabulary
        ]
        pieces[end] = best(reached, key=len, default=None)
    return pieces[-1]


def _greedy(word, vocabulary):
    """The longest match from the left; None where it does not reach the end."""
    pieces, start = [], 0
    while start < len(word):
        for end in range(len(word), start, -1):
            if (piece := ("##" if start else "") + word[start:end]) in vocabulary:
                break
        else:
            return None
        pieces, start = [*pieces, piece], end
    return pieces


def _small_cases(number):
    """Thirty words, each of six entries of a small vocabulary: many ways to cut."""
    draw = rng(10 + number)
    parts = ["".join(draw.choice(list("ab"), size)) for size in (1, 2, 2, 3, 3, 4, 5)]
    vocabulary = _Vocabulary(["a", "b", *parts, *(f"##{part}" for part in parts)])
    return [("".join(draw.choice(parts, 6)), vocabulary) for _ in range(30)]


def _real_words(vocabulary):
    """Entries, compounds of two, three and fifteen, and strings of letters."""
    draw = rng(5)
    whole = [p for p in vocabulary if p.isalpha() and p.isascii()]
    later = [p[2:] for p in vocabulary if p.startswith("##") and len(p) > 5]
    starts = np.array(sorted(whole))
    ends = np.array(sorted(p for p in later if p.isalpha() and p.isascii()))
    words = list(draw.choice(starts, 50))
    for size, count in ((1, 350), (2, 200), (14, 5)):
        words += [
            draw.choice(starts) + "".join(draw.choice(ends, size)) for _ in range(count)
        ]
    letters = list("abcdefghijklmnopqrstuvwxyz☂")
    words += ["".join(draw.choice(letters, draw.integers(3, 10))) for _ in range(95)]
    return [str(word)[:90] for word in words]


def check_3(answer):
    """A dict: three texts of 20 words or more, and the fertility of each."""
    texts, values = a_dict(answer, ("texts", "fertility"))
    texts = a_list(texts, "texts", 3, each=a_text)
    if short := [text for text in texts if len(text.split()) < 20]:
        raise NotYet(
            f"A text has only {len(short[0].split())} words; expected at least 20."
        )
    if len({" ".join(text.lower().split()) for text in texts}) < 3:
        raise NotYet("Two of the texts are the same; take three different ones.")
    values = a_list(values, "fertility", 3, each=a_number)
    truth = [_fertility(text) for text in texts]
    if is_right_to(values, truth, 2):
        return "Now look which words were cut into the most pieces."
    if is_right_to(sorted(values), sorted(truth), 2):
        raise NotYet("These are the right numbers in another order than the texts.")
    for number, (text, value) in enumerate(zip(texts, values, strict=True), 1):
        _compare_fertility(number, text, value)


def _fertility(text):
    return len(load_bert().tokenizer.tokenize(text)) / len(text.split())


def _compare_fertility(number, text, got):
    tokenizer, truth = load_bert().tokenizer, _fertility(text)
    if is_right_to(got, truth, 2):
        return
    tokens, words = tokenizer.tokenize(text), len(text.split())
    letters = "".join(c if c.isalnum() or c.isspace() else "" for c in text)
    pieces, apart = len(tokens), _words_and_marks(text)
    mistakes = {
        "you count [CLS] and [SEP] too, which spell no word": (pieces + 2) / words,
        "this is words a piece, the other way round": words / pieces,
        "count every piece, also those that come again": len(set(tokens)) / words,
        "count every word, also those that come again": pieces / len(set(text.split())),
        "this is pieces a character; divide by the words": pieces / len(text),
        "this is characters a word; count the pieces": len(text) / words,
        "this is per cent; give pieces a word": 100 * truth,
        "this is how many pieces there are; divide by the words": pieces,
        "punctuation has pieces too": len(tokenizer.tokenize(letters)) / words,
        "a word is what str.split() gives, with its punctuation": pieces / apart,
        "split without an argument": pieces / len(text.split(" ")),
    }
    where = f"The fertility of text {number} is not right"
    named = ((f"{where}: {said}.", wrong) for said, wrong in mistakes.items())
    name_mistake(got, named, digits=2)
    raise NotYet(
        f"{where}: expected, to two decimals, its {pieces} pieces divided by its "
        f"{words} words; yours is {got:.6g}."
    )


def _words_and_marks(text):
    """How many words and punctuation marks there are."""
    backend = load_bert().tokenizer.backend_tokenizer
    return len(backend.pre_tokenizer.pre_tokenize_str(text))
