"""Checks of the chapter, inputs; the truth comes from the running model's tokenizer."""

from functools import partial
from itertools import permutations

import numpy as np

from helpers.exercises import NotYet
from helpers.exercises.asking import (
    a_dict,
    a_list,
    a_number,
    a_text,
    a_whole_number,
    first_wrong,
)
from helpers.exercises.mistakes import Choices, Mistakes
from helpers.exercises.seeds import rng
from helpers.models import load_bert

PAIR = "Who wrote it?", "She did."
PLACES = 12


def check_1(answer):
    """A dict: pieces, segments and mask of the padded pair, 12 entries each."""
    pieces, segments, mask = a_dict(answer, ("pieces", "segments", "mask"))
    given = {
        "pieces": a_list(pieces, "pieces", PLACES, each=a_text),
        "segments": a_list(_one_row(segments), "segments", PLACES, each=_bit),
        "mask": a_list(_one_row(mask), "mask", PLACES, each=_bit),
    }
    truth = _encoded()["pieces"]
    if [*given["pieces"]] != truth:  # the other rows stand under the pieces
        raise NotYet(_about_pieces(given["pieces"], truth))
    TABLES[1].judge(given, _told)
    return "Three rows, three questions: what is it, which part, is it real?"


def _encoded():
    bert = load_bert()
    encoding = bert.tokenizer(*PAIR, padding="max_length", max_length=PLACES)
    return {
        "pieces": encoding.tokens(),
        "segments": encoding["token_type_ids"],
        "mask": encoding["attention_mask"],
    }


def _one_row(value):
    """Take a batch of one, as the tokenizer returns it, for its row."""
    return value[0] if getattr(value, "shape", None) == (1, PLACES) else value


def _bit(value, what):
    return int(value) if isinstance(value, bool) else a_whole_number(value, what)


def _told(name, got):
    if name == "mask":
        return (
            "The mask is 1 at every real piece, special tokens included, and 0 at "
            "padding."
        )
    return (
        "Expected segment 0 for [CLS] and the first part with its [SEP], 1 for the "
        "second part with its [SEP]."
    )


def _about_pieces(got, truth):
    if got[0] == "[PAD]":
        return "Here the padding goes to the end; the pair begins with [CLS]."
    if got.count("[CLS]") > 1:
        return "[CLS] opens the whole input, once; [SEP] ends each part."
    place = next(i for i in range(PLACES) if got[i] != truth[i])
    where = f"The first wrong piece is {got[place]!r} at place {place}."
    if got[place].lower() == truth[place].lower():
        return f"{where} Mind capitals: the vocabulary has no such entry."
    if place and truth[place] == "[SEP]":
        return f"{where} [SEP] ends each of the two parts."
    return (
        f"{where} Mind the special tokens at both ends and between the parts, and that "
        "punctuation stands alone."
    )


SEGMENTS, MASK = [0] * 6 + [1] * 4 + [0] * 2, [1] * 10 + [0] * 2
ROW_MISTAKES = {
    "Your segments are the mask, and your mask the segments.": {
        "segments": MASK,
        "mask": SEGMENTS,
    },
    "Padding belongs to no part: its segment id is 0.": {"segments": [0] * 6 + [1] * 6},
    "The first [SEP] belongs to the part that it ends, the first.": {
        "segments": [0] * 5 + [1] * 5 + [0] * 2
    },
    "The second [SEP] belongs to the part that it ends, the second.": {
        "segments": [0] * 6 + [1] * 3 + [0] * 3
    },
    "These are all 0, but two texts went in: the second has id 1.": {
        "segments": [0] * PLACES
    },
    "Your mask is all ones: that attends to the padding too.": {"mask": [1] * PLACES},
    "Your mask is the wrong way round: 1 is for the places to read.": {
        "mask": [1 - bit for bit in MASK]
    },
}


class _Vocabulary(frozenset):
    """Cannot be changed, so a copy for every call would be wasted time."""

    def __deepcopy__(self, memo):
        return self


TOY = _Vocabulary(["a", "ab", "##bc", "##c", "##d", "##de", "##e", "##bcde"])
GAPS = _Vocabulary(["a", "ab", "##bc"])


def check_2(answer):
    """A function: word, vocabulary -> as few pieces as possible, or ["[UNK]"]."""
    TABLES[2].ask(
        "fewest_pieces", answer, _cases(), read=_spelling, otherwise=_not_fewest
    )
    return "As few pieces as can be, for a thousand words."


def _cases():
    """Pairs of a word and a vocabulary."""
    for word in ("abcde", "abc", "ad", "a"):
        yield word, TOY
    for word in ("abc", "abx", "xab"):
        yield word, GAPS
    for number in range(10):
        yield from _small_cases(number)
    vocabulary = _Vocabulary(load_bert().tokenizer.get_vocab())
    for word in _real_words(vocabulary):
        yield word, vocabulary


def _spelling(got, word, vocabulary):
    """How many pieces there are; none where the answer gives up."""
    got = a_list(got, "The answer", each=a_text, hint="Return a list of pieces.")
    if got == ["[UNK]"]:
        return 0
    if _fewest(word, vocabulary) is None:
        raise NotYet(
            f'{word!r} cannot be spelled to its end, so expected ["[UNK]"] for the '
            f"whole word; yours is {got}."
        )
    bare = [got[0] if got else "", *(piece.removeprefix("##") for piece in got[1:])]
    if "".join(bare) != word:
        raise NotYet(f"Put together, {got} does not give {word!r}.")
    if any(not piece.startswith("##") for piece in got[1:]):
        raise NotYet(f"In {got} the pieces after the first must begin with ##.")
    if unknown := [piece for piece in got if piece not in vocabulary]:
        raise NotYet(f"{unknown[0]!r} in {got} is no entry of the vocabulary.")
    return len(got)


def _not_fewest(got, wanted, word, vocabulary):
    yours = f"{got:g}" if got else '["[UNK]"]'
    return (
        f"{word!r} can be spelled as {' '.join(_fewest(word, vocabulary))}, the fewest "
        f"pieces, {wanted:g}; yours are {yours}."
    )


def _fewest(word, vocabulary, best=min):
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


def _count(spell, word, vocabulary):
    return len(spell(word, vocabulary) or ())


def _spelled_by(count):
    [spell] = count.args
    return lambda word, vocabulary: spell(word, vocabulary) or ["[UNK]"]


SPELLING_MISTAKES = {
    "This is the longest match from the left. It is not always shortest, and where its "
    "cut leads nowhere, another may still reach the end.": partial(_count, _greedy),
    "These are the most pieces that spell the word; asked for are the fewest.": (
        partial(_count, partial(_fewest, best=max))
    ),
}


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
    for number, text in enumerate(texts, 1):
        if (n := len(text.split())) < 20:
            raise NotYet(f"Text {number} has only {n} words; expected at least 20.")
        if len(set(text.lower().split())) < 10:
            raise NotYet(f"Text {number} repeats a few words; take a real text.")
    if len({" ".join(text.lower().split()) for text in texts}) < 3:
        raise NotYet("Two of the texts are the same; take three different ones.")
    values = a_list(values, "fertility", 3, each=a_number)
    TABLES[3].judge([((texts,), values)], _fertility_off)
    return "Now look which words were cut into the most pieces."


def _pieces(text):
    return load_bert().tokenizer.tokenize(text)


def _fertility(text):
    return len(_pieces(text)) / len(text.split())


def _of_each(measure):
    return lambda texts: [measure(text) for text in texts]


def _in_order(order):
    return lambda texts: [_fertility(texts[place]) for place in order]


def _fertility_off(got, wanted, texts):
    [place] = first_wrong(got, wanted, 2)
    text = texts[place]
    return (
        f"The fertility of text {place + 1} is not right: expected, to two decimals, "
        f"its {len(_pieces(text))} pieces divided by its {len(text.split())} words; "
        f"yours is {got[place]:.6g}."
    )


def _words_and_marks(text):
    """How many words and punctuation marks there are."""
    backend = load_bert().tokenizer.backend_tokenizer
    return len(backend.pre_tokenizer.pre_tokenize_str(text))


FERTILITY_MISTAKES = {
    "These are the right numbers in another order than the texts.": (
        *(_in_order(order) for order in [*permutations(range(3))][1:]),
    ),
    "You count [CLS] and [SEP] too, which spell no word.": (
        _of_each(lambda text: (len(_pieces(text)) + 2) / len(text.split()))
    ),
    "This is words a piece, the other way round.": (
        _of_each(lambda text: 1 / _fertility(text))
    ),
    "This is how many pieces there are; divide by the words.": (
        _of_each(lambda text: len(_pieces(text)))
    ),
    "A word is what str.split() gives, with its punctuation.": (
        _of_each(lambda text: len(_pieces(text)) / _words_and_marks(text))
    ),
}

TABLES = {
    1: Choices(_encoded, ROW_MISTAKES),
    2: Mistakes(
        partial(_count, _fewest),
        SPELLING_MISTAKES,
        "The number of pieces",
        answer=_spelled_by,
    ),
    3: Mistakes(_of_each(_fertility), FERTILITY_MISTAKES, "fertility", 2),
}
