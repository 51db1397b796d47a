"""Checks of the chapter, vocabularies; the truth of the third comes from tokenizers."""

import json
from collections import Counter

from helpers.exercises import NotYet
from helpers.exercises.asking import (
    a_dict,
    a_function,
    a_list,
    a_number,
    a_text,
    first_wrong,
    is_right_to,
    name_mistake,
    name_rounding,
)
from helpers.exercises.seeds import rng

MERGES = 0, 50, 100, 200
DIGITS = 5  # to which scores are asked for


def check_1(answer):
    """A function: {cut word: count} -> the same after one merge of BPE."""
    a_function(answer, "merge_once")
    for cuts in (
        {("a", "a", "a"): 1},
        {("a", "a", "a", "a", "b"): 2},
        {("th", "e"): 3, ("t", "h"): 1, ("t", "h", "a"): 1},
        {("c", "d"): 2, ("a", "b"): 2},
        {("a", "b", "c"): 2, ("b", "c"): 1, ("c",): 9},
        {("ab",): 3, ("c",): 1},
    ):
        _try_merge(answer, cuts)
    for number in range(40):
        _try_merge(answer, _made_up(number))
    return "One merge, and a vocabulary is nothing but many of them."


def _made_up(number):
    """Up to nine different words of few letters, cut, with counts."""
    draw = rng(100 + number)
    pieces = ["a", "b", "c", "ab", "bc"] if number % 2 else ["a", "b", "c"]
    words = {}
    for n in draw.integers(1, 6, 9):
        cut = tuple(map(str, draw.choice(pieces, draw.integers(1, 8))))
        words["".join(cut)] = cut, int(n)
    return dict(words.values())


def _pairs(cuts, weighed=True):
    pairs = Counter()
    for cut, n in cuts.items():
        for pair in zip(cut, cut[1:], strict=False):
            pairs[pair] += n if weighed else 1
    return pairs


def _apart(cut, pair):
    """How often a pair can be joined in a cut word."""
    return len(cut) - len(_joined(cut, pair))


def _joined(cut, pair):
    pieces, i = [], 0
    while i < len(cut):
        both = cut[i : i + 2] == pair
        pieces.append("".join(pair) if both else cut[i])
        i += 1 + both
    return tuple(pieces)


def _first(pairs):
    return min(pairs, key=lambda pair: (-pairs[pair], pair))


def _after(cuts, pair):
    """The cuts after a merge; as the words differ, no two become alike."""
    return {_joined(cut, pair): n for cut, n in cuts.items()}


def _try_merge(function, cuts):
    got = _cut_words(function(cuts))
    if not (pairs := _pairs(cuts)):
        if got != cuts:
            raise NotYet(f"No word of {cuts} has two pieces: return it as it is.")
        return
    best = _first(pairs)
    right = _after(cuts, best)
    if _alike(got, right):
        return
    if _alike(got, cuts):
        raise NotYet(f"For {cuts} nothing was joined; expected {'+'.join(best)}.")
    shown = f"For {cuts} you return {got}"
    last = min(pairs, key=lambda pair: (-pairs[pair], [-ord(c) for c in pair[0]]))
    unweighed = _first(_pairs(cuts, weighed=False))
    apart = Counter({p: sum(n * _apart(c, p) for c, n in cuts.items()) for p in pairs})
    reversed_join = {_reversed_join(cut, best): n for cut, n in cuts.items()}
    once = {_join_once(cut, best): n for cut, n in cuts.items()}
    mistakes = {
        "join from the left: a a a becomes aa a": reversed_join,
        "join the pair wherever it stands, not only once a word": once,
        "a word counts as often as it occurs": _after(cuts, unweighed),
        "in a a a the pair a a occurs twice, although one alone is joined": _after(
            cuts, _first(apart)
        ),
        "of equally frequent pairs, join the one first in the alphabet": _after(
            cuts, last
        ),
    }
    named = {said for said, wrong in mistakes.items() if _alike(got, wrong)}
    if len(named) == 1:
        raise NotYet(f"{shown}; {named.pop()}.")
    together = sorted("".join(cut) for cut in got)
    if together != sorted("".join(cut) for cut in cuts):
        raise NotYet(f"{shown}; its pieces no longer spell the words that went in.")
    raise NotYet(
        f"{shown}; the pair to join is {'+'.join(best)}, with a count of "
        f"{pairs[best]}, everywhere and nothing else."
    )


def _cut_words(value):
    if not isinstance(value, dict | Counter):
        raise NotYet("Return a dict from cut words, tuples of pieces, to counts.")
    if wrong := [cut for cut in value if not isinstance(cut, tuple)]:
        raise NotYet(f"A cut word is a tuple of pieces; one of yours is {wrong[0]!r}.")
    return value


def _alike(one, other):
    return dict(one) == dict(other)


def _reversed_join(cut, pair):
    pieces, i = list(cut), len(cut) - 2
    while i >= 0:
        if tuple(pieces[i : i + 2]) == pair:
            pieces[i : i + 2] = ["".join(pair)]
            i -= 1
        i -= 1
    return tuple(pieces)


def _join_once(cut, pair):
    for i in range(len(cut) - 1):
        if cut[i : i + 2] == pair:
            return (*cut[:i], "".join(pair), *cut[i + 2 :])
    return cut


def check_2(answer):
    """A function: {cut word: count} -> {pair: count / (count of a x count of b)}."""
    a_function(answer, "ratio_scores")
    for cuts in (
        {("a", "b", "a"): 2, ("a",): 3, ("b", "c"): 4},
        {("t", "##h", "##e"): 9, ("j", "##a"): 1},
        {("a", "a", "a"): 2, ("b",): 5},
        *(_made_up(number) for number in range(40)),
    ):
        _try_scores(answer, cuts)
    return "The ratio asks how sure a pair is, the count how often it occurs."


def _try_scores(function, cuts):
    got = function(cuts)
    pairs, single, words, firsts, lasts = _pairs(cuts), *_counters(cuts)
    if not isinstance(got, dict | Counter):
        raise NotYet("Return a dict from pair, a tuple of two pieces, to its score.")
    if set(got) != set(pairs):
        missing = [*set(pairs) - set(got), *set(got) - set(pairs)]
        raise NotYet(
            f"For {cuts} expected a score for each pair of neighbours and nothing "
            f"else; look at {missing[0]!r}."
        )
    order = sorted(pairs)
    values = [a_number(got[pair], f"The score of {pair}") for pair in order]
    right = _scores(order, pairs, single)
    if is_right_to(values, right, DIGITS):
        return
    where = f"For {cuts} the scores are not right"
    unweighed = _counters({cut: 1 for cut in cuts})[0]
    mistakes = {
        "divide by the counts of the pieces": [pairs[pair] for pair in order],
        "a piece that occurs twice in a word counts twice": _scores(
            order, pairs, words
        ),
        "a word weighs as often as it occurs, in the pieces' counts too": _scores(
            order, pairs, unweighed
        ),
        "a word weighs as often as it occurs, in the pair's count too": _scores(
            order, _pairs(cuts, weighed=False), single
        ),
        "count a piece wherever it stands, not only as first or second of a pair": [
            pairs[a, b] / (firsts[a] * lasts[b]) for a, b in order
        ],
        "multiply the two counts, do not add them": [
            pairs[a, b] / (single[a] + single[b]) for a, b in order
        ],
        "divide by both counts, not by the first alone": [
            pairs[a, b] / single[a] for a, b in order
        ],
    }
    said = ((f"{where}: {s}.", v) for s, v in mistakes.items())
    name_mistake(values, said, digits=DIGITS)
    name_rounding(values, right, DIGITS, "Each score")
    [wrong] = first_wrong(values, right, DIGITS)
    a, b = order[wrong]
    raise NotYet(
        f"{where}: {(a, b)} occurs {pairs[a, b]} times, {a!r} {single[a]} and {b!r} "
        f"{single[b]} times; yours is {values[wrong]:.6g}."
    )


def _counters(cuts):
    """Counts of pieces; of words with the piece; of pieces as first, as second."""
    single, words, firsts, lasts = (Counter() for _ in range(4))
    for cut, n in cuts.items():
        for piece in cut:
            single[piece] += n
        for piece in set(cut):
            words[piece] += n
        for a, b in zip(cut, cut[1:], strict=False):
            firsts[a] += n
            lasts[b] += n
    return single, words, firsts, lasts


def _scores(order, pairs, single):
    return [pairs[a, b] / (single[a] * single[b]) for a, b in order]


def check_3(answer):
    """A dict: two texts, and pieces a word of the second after 0 to 200 merges."""
    learned, tried, values = a_dict(answer, ("learned_on", "tried_on", "pieces_a_word"))
    learned = a_text(learned, "learned_on").lower()
    tried = a_text(tried, "tried_on").lower()
    for text, least in ((learned, 200), (tried, 100)):
        if len(text.split()) < least:
            raise NotYet(
                f"One text has only {len(text.split())} words; expected {least}."
            )
    if learned == tried:
        raise NotYet("Both texts are the same: try the list on another one.")
    values = a_list(values, "pieces_a_word", len(MERGES), each=a_number)
    merges = _learned(learned)
    truth = _pieces_a_word(learned, tried, merges)
    if is_right_to(values, truth, 2):
        return "Now a text of another kind: how much of the fall is left?"
    if any(later > one + 0.01 for one, later in zip(values, values[1:], strict=False)):
        raise NotYet(
            "A merge makes no text longer, so the numbers cannot rise; give them for "
            f"{', '.join(map(str, MERGES))} merges in this order."
        )
    words = len(_words(tried))
    mistakes = {
        "these are for the text that it was learned on": _pieces_a_word(
            learned, learned, merges
        ),
        "this is how many pieces there are; divide by the words": [
            words * value for value in truth
        ],
        "this is words a piece, the other way round": [1 / v for v in truth],
        "a word is what `words` gives, so a comma is one too": [
            value * words / len(tried.split()) for value in truth
        ],
        "learn from the first text and cut the second": _pieces_a_word(
            tried, tried, _learned(tried)
        ),
    }
    for said, wrong in mistakes.items():
        name_mistake(values, {f"Not yet right: {said}.": wrong}, digits=2)
    place = next(
        i for i, t in enumerate(truth) if not is_right_to(values[i : i + 1], [t], 2)
    )
    raise NotYet(
        f"After {MERGES[place]} merges expected, to two decimals, the pieces of the "
        f"second text divided by its {words} words; yours is {values[place]:.6g}. "
        "Both texts in small letters, the characters of the first."
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


def _pieces_a_word(learned, tried, merges):
    from tokenizers import models

    letters, words = sorted(set("".join(_words(learned)))), _words(tried)
    found = []
    for size in MERGES:
        pieces = ["[UNK]", *letters, *map("".join, merges[:size])]
        vocabulary = {piece: n for n, piece in enumerate(dict.fromkeys(pieces))}
        model = models.BPE(vocabulary, merges[:size], unk_token="[UNK]")
        found.append(sum(len(model.tokenize(word)) for word in words) / len(words))
    return found
