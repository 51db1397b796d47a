"""Checks of the chapter, vocabularies; the truth of the third comes from tokenizers."""

import json
import operator
from collections import Counter
from itertools import accumulate, pairwise

import numpy as np

from helpers.exercises import NotYet
from helpers.exercises.asking import (
    a_dict,
    a_list,
    a_number,
    a_text,
    a_whole_number,
    as_dict,
    first_wrong,
)
from helpers.exercises.mistakes import Mistakes
from helpers.exercises.seeds import rng

MERGES = 0, 50, 100, 200
RUN = 8  # words in a row that stand in two texts only if they share a passage


def check_1(answer):
    """A function: {cut word: count} -> the same after one merge of BPE."""
    cases = [
        {("a", "a", "a"): 1},
        {("a", "a", "a", "a", "b"): 2},
        {("th", "e"): 3, ("t", "h"): 1, ("t", "h", "a"): 1},
        {("c", "d"): 2, ("a", "b"): 2},
        {("a", "b", "c"): 2, ("b", "c"): 1, ("c",): 9},
        *map(_made_up, range(40)),
    ]
    no_pair = [({("ab",): 3, ("c",): 1},)]  # where those with a mistake may stop
    ours = [(cuts,) for cuts in cases]
    TABLES[1].ask(
        "merge_once", answer, ours, no_pair, read=_merged, otherwise=_not_merged
    )
    for cuts in cases:
        given = _Handed(cuts)
        answer(given)
        if given != cuts:
            raise NotYet("Your function changes `cuts` itself: return a new dict.")
    return "One merge, and a vocabulary is nothing but many of them."


class _Handed(dict):
    """Comes back as an answer left it, which else gets a copy."""

    def __deepcopy__(self, memo):
        return self


def _made_up(number):
    """Up to nine different words of few letters, cut, with counts."""
    draw = rng(100 + number)
    pieces = ["a", "b", "c", "ab", "bc"] if number % 2 else ["a", "b", "c"]
    words = {}
    for n in draw.integers(1, 6, 9):
        cut = tuple(map(str, draw.choice(pieces, draw.integers(1, 8))))
        words["".join(cut)] = cut, int(n)
    return dict(words.values())


def _merged(value, cuts):
    if not isinstance(value, dict):
        raise NotYet("Return a dict from cut words, tuples of pieces, to counts.")
    for cut in value:
        if not isinstance(cut, tuple) or not all(isinstance(p, str) and p for p in cut):
            raise NotYet(f"A cut word is a tuple of pieces; one of yours is {cut!r}.")
    if sorted(map("".join, value)) != sorted(map("".join, cuts)):
        raise NotYet(
            f"For {cuts} you return {value}; its pieces no longer spell the words that "
            "went in."
        )
    counts = {cut: a_whole_number(n, f"The count of {cut}") for cut, n in value.items()}
    return _places(counts, cuts)


def _places(made, cuts):
    """For each word in turn: 1 after a letter where a piece ends, else 0; its count."""
    found, numbers = {"".join(cut): (cut, n) for cut, n in made.items()}, []
    for word in map("".join, cuts):
        cut, n = found[word]
        ends = set(accumulate(map(len, cut)))
        numbers += [*(place + 1 in ends for place in range(len(word))), n]
    return numbers


def _not_merged(got, wanted, cuts):
    pairs = _pairs(cuts)
    if not pairs:
        return f"No word of {cuts} has two pieces: return it as it is."
    best = _first(pairs)
    return (
        f"For {cuts} the pair to join is {'+'.join(best)}, with a count of "
        f"{pairs[best]}, everywhere and nothing else: {_merging()(cuts)}."
    )


def _unweighed(cuts):
    return dict.fromkeys(cuts, 1)


def _pairs(cuts, each=list):
    """Counts of pairs of neighbours; `each` set: those of one word count once."""
    pairs = Counter()
    for cut, n in cuts.items():
        for pair in each(pairwise(cut)):
            pairs[pair] += n
    return pairs


def _first(pairs):
    return min(pairs, key=lambda pair: (-pairs[pair], pair), default=None)


def _joined(cut, pair):
    pieces, i = [], 0
    while i < len(cut):
        both = cut[i : i + 2] == pair
        pieces.append("".join(pair) if both else cut[i])
        i += 1 + both
    return tuple(pieces)


def _from_the_right(cut, pair):
    pieces, i = list(cut), len(cut) - 2
    while i >= 0:
        if tuple(pieces[i : i + 2]) == pair:
            pieces[i : i + 2] = ["".join(pair)]
            i -= 1
        i -= 1
    return tuple(pieces)


def _merging(count=_pairs, choose=_first, join=_joined):
    def merge_once(cuts):
        pair = choose(count(cuts))
        return {join(cut, pair): n for cut, n in cuts.items()}

    return merge_once


MERGE_MISTAKES = {
    "Join from the left: a a a becomes aa a.": _merging(join=_from_the_right),
    "A word counts as often as it occurs.": _merging(lambda c: _pairs(_unweighed(c))),
    "Count a pair as often as it stands in a word, not once a word.": (
        _merging(lambda cuts: _pairs(cuts, each=set))
    ),
    "Of equally frequent pairs, join the one first in the alphabet.": (
        _merging(choose=lambda pairs: max(pairs, key=pairs.get, default=None)),
        _merging(
            choose=lambda pairs: max(
                pairs, key=lambda pair: (pairs[pair], pair), default=None
            )
        ),
    ),
}


def check_2(answer):
    """A function: {cut word: count} -> {pair: count / (count of a x count of b)}."""
    cases = [
        {("a", "b", "a"): 2, ("a",): 3, ("b", "c"): 4},
        {("t", "##h", "##e"): 9, ("j", "##a"): 1},
        {("a", "a", "a"): 2, ("b",): 5},
        {("a", "b", "b"): 3},
        *map(_made_up, range(40)),
    ]
    ours = [(cuts,) for cuts in cases]
    TABLES[2].ask("ratio_scores", answer, ours, read=_scored, otherwise=_not_scored)
    return "The ratio asks how sure a pair is, the count how often it occurs."


def _scored(got, cuts):
    got = as_dict(got)
    if not isinstance(got, dict):
        raise NotYet("Return a dict from pair, a tuple of two pieces, to its score.")
    pairs = set(_pairs(cuts))
    if others := [*pairs - set(got), *set(got) - pairs]:
        raise NotYet(
            f"For {cuts} expected a score for each pair of neighbours and nothing "
            f"else; look at {others[0]!r}."
        )
    numbers = {pair: a_number(n, f"The score of {pair}") for pair, n in got.items()}
    return _in_order(numbers, cuts)


def _in_order(scores, cuts):
    return [scores[pair] for pair in sorted(_pairs(cuts))]


def _not_scored(got, wanted, cuts):
    pairs, single = _pairs(cuts), _single(cuts)
    [wrong] = first_wrong(got, wanted, TABLES[2].digits)
    a, b = sorted(pairs)[wrong]
    return (
        f"For {cuts} the scores are not right: {(a, b)} occurs {pairs[a, b]} times, "
        f"{a!r} {single[a]} and {b!r} {single[b]} times; yours is {got[wrong]:.6g}."
    )


def _single(cuts, each=list):
    """Counts of pieces; `each` set: those of one word count once."""
    single = Counter()
    for cut, n in cuts.items():
        for piece in each(cut):
            single[piece] += n
    return single


def _ratio(pairs, single, by=operator.mul):
    return {(a, b): n / by(single[a], single[b]) for (a, b), n in pairs.items()}


def _ratio_scores(cuts):
    return _ratio(_pairs(cuts), _single(cuts))


SCORE_MISTAKES = {
    "Divide by the counts of the pieces.": _pairs,
    "A piece, or a pair, that occurs twice in a word counts twice.": (
        lambda cuts: _ratio(_pairs(cuts), _single(cuts, set)),
        lambda cuts: _ratio(_pairs(cuts, each=set), _single(cuts)),
    ),
    "A word weighs as often as it occurs, in all three counts.": (
        lambda cuts: _ratio_scores(_unweighed(cuts)),
        lambda cuts: _ratio(_pairs(cuts), _single(_unweighed(cuts))),
        lambda cuts: _ratio(_pairs(_unweighed(cuts)), _single(cuts)),
    ),
    "Multiply the two counts, do not add them.": (
        lambda cuts: _ratio(_pairs(cuts), _single(cuts), by=operator.add)
    ),
}


def check_3(answer):
    """A dict: two texts, and pieces a word of the second after 0 to 200 merges."""
    keys = ("learned_on", "tried_on", "pieces_a_word")
    learned, tried, values = a_dict(answer, keys)
    learned, tried = a_text(learned, keys[0]), a_text(tried, keys[1])
    for name, text, least in ((keys[0], learned, 200), (keys[1], tried, 100)):
        if (n := len(_words(text))) < least:
            raise NotYet(
                f"{name} has only {n} of what `words` gives; expected {least}."
            )
    if _shared(learned.lower(), tried.lower()) > 0.5:
        raise NotYet(
            "Both texts are the same, or most of tried_on stands in learned_on: try "
            "the list on another one."
        )
    values = a_list(values, keys[2], len(MERGES), each=a_number)
    TABLES[3].judge([((learned, tried), values)], _other_lengths)
    return "Now a text of another kind: how much of the fall is left?"


def _shared(learned, tried):
    """The share of runs of words in the second text that stand in the first."""
    runs = []
    for words in map(_words, (learned, tried)):
        runs.append([tuple(words[i : i + RUN]) for i in range(len(words) - RUN + 1)])
    known = set(runs[0])
    return np.mean([run in known for run in runs[1]])


def _other_lengths(got, wanted, learned, tried):
    if (np.diff(got) > 0.01).any():
        return (
            "A merge makes no text longer, so the numbers cannot rise; give them for "
            f"{', '.join(map(str, MERGES))} merges in this order."
        )
    [place] = first_wrong(got, wanted, 2)
    return (
        f"After {MERGES[place]} merges expected, to two decimals, the pieces of the "
        f"second text divided by its {len(_words(tried))} words; yours is "
        f"{got[place]:.6g}. Both texts in small letters, the characters of the first."
    )


def _splitter():
    from tokenizers import pre_tokenizers

    return pre_tokenizers.BertPreTokenizer()


def _words(text):
    return [word for word, _ in _splitter().pre_tokenize_str(text)]


def _learned(text):
    """The first 200 merges that the library learns from a text."""
    from tokenizers import Tokenizer, models, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = _splitter()
    size = len(set("".join(_words(text)))) + MERGES[-1]
    # two pairs can make the same piece, so there may be more merges than that
    trainer = trainers.BpeTrainer(vocab_size=size, show_progress=False)
    tokenizer.train_from_iterator([text], trainer)
    merges = json.loads(tokenizer.to_str())["model"]["merges"]
    return [tuple(pair) for pair in merges][: MERGES[-1]]


def _pieces(learned, tried):
    """How many pieces the second text has, for each number of merges."""
    from tokenizers import models

    letters, merges = sorted(set("".join(_words(learned)))), _learned(learned)
    found = []
    for size in MERGES:
        pieces = ["[UNK]", *letters, *map("".join, merges[:size])]
        vocabulary = {piece: n for n, piece in enumerate(dict.fromkeys(pieces))}
        model = models.BPE(vocabulary, merges[:size], unk_token="[UNK]")
        found.append(sum(len(model.tokenize(word)) for word in _words(tried)))
    return np.array(found)


def _pieces_a_word(learned, tried):
    learned, tried = learned.lower(), tried.lower()
    return _pieces(learned, tried) / len(_words(tried))


LENGTH_MISTAKES = {
    "These are for the text that it was learned on.": (
        lambda learned, tried: _pieces_a_word(learned, learned)
    ),
    "Learn from the first text and cut the second.": (
        lambda learned, tried: _pieces_a_word(tried, tried),
        lambda learned, tried: _pieces_a_word(tried, learned),
    ),
    "Both texts in small letters.": (
        lambda learned, tried: _pieces(learned, tried) / len(_words(tried))
    ),
    "This is how many pieces there are; divide by the words.": (
        lambda learned, tried: _pieces(learned.lower(), tried.lower())
    ),
    "This is characters a piece, as on the page; asked for are pieces a word.": (
        lambda learned, tried: (
            sum(map(len, _words(tried))) / _pieces(learned.lower(), tried.lower())
        )
    ),
    "A word is what `words` gives, so a comma is one too.": (
        lambda learned, tried: (
            _pieces(learned.lower(), tried.lower()) / len(tried.split())
        )
    ),
}


TABLES = {
    1: Mistakes(
        _merging(),
        MERGE_MISTAKES,
        "Each place",
        numbers=lambda merge, cuts: _places(merge(cuts), cuts),
    ),
    2: Mistakes(
        _ratio_scores,
        SCORE_MISTAKES,
        "Each score",
        5,
        numbers=lambda scores, cuts: _in_order(scores(cuts), cuts),
    ),
    3: Mistakes(_pieces_a_word, LENGTH_MISTAKES, "Each number", 2),
}
