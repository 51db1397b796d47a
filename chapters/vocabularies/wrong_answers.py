"""Typical wrong answers to the exercises of the chapter, and what is said to them."""

from collections import Counter

from helpers.corpus import read_documents


def _pairs(cuts, weighed=True, window=None):
    pairs = Counter()
    for cut, n in cuts.items():
        found = (window or _neighbours)(cut)
        for pair in found:
            pairs[pair] += n if weighed else 1
    return pairs


def _neighbours(cut):
    return list(zip(cut, cut[1:], strict=False))


def _without_overlap(cut):
    found, i = [], 0
    while i < len(cut) - 1:
        found.append((cut[i], cut[i + 1]))
        i += 2 if i + 2 < len(cut) and cut[i] == cut[i + 1] == cut[i + 2] else 1
    return found


def _best(pairs):
    return min(pairs, key=lambda pair: (-pairs[pair], pair), default=None)


def _join(cut, pair):
    pieces, i = list(cut), 0
    while i < len(pieces) - 1:
        if (pieces[i], pieces[i + 1]) == pair:
            pieces[i : i + 2] = ["".join(pair)]
        i += 1
    return tuple(pieces)


def _from_the_right(cut, pair):
    return tuple(
        piece[::-1]
        for piece in _join(
            tuple(p[::-1] for p in cut[::-1]), tuple(p[::-1] for p in pair[::-1])
        )
    )[::-1]


def _once(cut, pair):
    for i, found in enumerate(_neighbours(cut)):
        if found == pair:
            return (*cut[:i], "".join(pair), *cut[i + 2 :])
    return cut


def _merge(cuts, pair, join=_join):
    return {join(cut, pair): n for cut, n in cuts.items()} if pair else cuts


def wrong_1(names):
    yield (lambda cuts: cuts), "nothing was joined"
    yield (
        lambda cuts: _merge(cuts, _best(_pairs(cuts)), _from_the_right),
        "join from the left",
    )
    yield (lambda cuts: _merge(cuts, _best(_pairs(cuts)), _once)), "not only once"
    yield (
        lambda cuts: _merge(cuts, _best(_pairs(cuts, weighed=False))),
        "as often as it occurs",
    )
    yield (
        lambda cuts: _merge(cuts, _best(_pairs(cuts, window=_without_overlap))),
        "the pair to join is",
    )
    yield (
        lambda cuts: _merge(cuts, max(p := _pairs(cuts), key=p.get, default=None)),
        "first in the alphabet",
    )
    yield _across_words, "no longer spell the words"
    yield (lambda cuts: list(cuts)), "Return a dict"
    yield (
        lambda cuts: {" ".join(cut): n for cut, n in cuts.items()},
        "A cut word is a tuple",
    )
    yield (lambda cuts: _merge(cuts, max(_pairs(cuts)))), "with a count of 6"


def _across_words(cuts):
    """Joins the last piece of a word to the first of the next."""
    words = list(cuts.items())
    if len(words) < 2:
        return _merge(cuts, _best(_pairs(cuts)))
    (one, n), (other, m), *rest = words
    return {(*one, other[0]): n, other[1:]: m, **dict(rest)}


def _scores(pairs, first, second):
    return {(a, b): n / (first[a] * second[b]) for (a, b), n in pairs.items()}


def _single(cuts, weighed=True, each=tuple):
    single = Counter()
    for cut, n in cuts.items():
        for piece in each(cut):
            single[piece] += n if weighed else 1
    return single


def wrong_2(names):
    yield (lambda cuts: dict(_pairs(cuts))), "divide by the counts of the pieces"
    yield (
        lambda cuts: _scores(_pairs(cuts), *[_single(cuts, each=set)] * 2),
        "counts twice",
    )
    yield (
        lambda cuts: _scores(_pairs(cuts), *[_single(cuts, weighed=False)] * 2),
        "in the pieces' counts too",
    )
    yield (
        lambda cuts: _scores(_pairs(cuts, weighed=False), *[_single(cuts)] * 2),
        "in the pair's count too",
    )
    yield _by_place, "wherever it stands"
    yield _added, "do not add them"
    yield _by_first, "not by the first alone"
    yield (lambda cuts: list(_pairs(cuts))), "Return a dict from pair"
    yield (
        lambda cuts: {"".join(pair): 1.0 for pair in _pairs(cuts)},
        "a score for each pair",
    )
    yield (lambda cuts: dict.fromkeys(_pairs(cuts), 0.5)), "yours is 0.5"
    yield _rounded, "right to five decimals"


def _rounded(cuts):
    single = _single(cuts)
    right = _scores(_pairs(cuts), single, single)
    return {pair: round(score, 3) for pair, score in right.items()}


def _by_place(cuts):
    pairs = _pairs(cuts)
    firsts, lasts = Counter(), Counter()
    for (a, b), n in pairs.items():
        firsts[a] += n
        lasts[b] += n
    return _scores(pairs, firsts, lasts)


def _added(cuts):
    single = _single(cuts)
    return {(a, b): n / (single[a] + single[b]) for (a, b), n in _pairs(cuts).items()}


def _by_first(cuts):
    single = _single(cuts)
    return {(a, b): n / single[a] for (a, b), n in _pairs(cuts).items()}


def _texts(names):
    chapters = read_documents(names["folder"] / "time-machine.txt.gz")
    return " ".join(chapters[0]), " ".join(chapters[2])


def _lengths(names, learned, tried):
    learned, tried = learned.lower(), tried.lower()
    counts = Counter(names["words"](learned))
    letters = sorted(set("".join(counts)))
    merges = list(names["learn"](counts, names["frequent"], 200))
    cuts = [names["by_joining"](merges[:n], letters)(tried) for n in (0, 50, 100, 200)]
    return [len(cut) for cut in cuts]


def wrong_3(names):
    learned, tried = _texts(names)
    n_words = len(names["words"](tried.lower()))
    lengths = _lengths(names, learned, tried)
    right = [n / n_words for n in lengths]

    def answer(values, texts=(learned, tried)):
        return {
            "learned_on": texts[0],
            "tried_on": texts[1],
            "pieces_a_word": values,
        }

    own = len(names["words"](learned.lower()))
    on_itself = [n / own for n in _lengths(names, learned, learned)]
    yield answer(on_itself), "that it was learned on"
    from_other = [n / n_words for n in _lengths(names, tried, tried)]
    yield answer(from_other), "learn from the first text"
    yield answer(lengths), "divide by the words"
    yield answer([n / len(tried.split()) for n in lengths]), "a comma is one too"
    yield answer([1 / value for value in right]), "cannot rise"
    yield answer(right[::-1]), "cannot rise"
    yield answer([value + 0.05 for value in right]), "After 0 merges"
    yield answer(right[:3]), "4 entries"
    yield answer(right, ("a short text", tried)), "expected 200"
    yield answer(right, (learned, "a short one")), "expected 100"
    yield answer(right, (learned, learned)), "Both texts are the same"
    yield answer("2.1"), "must be a list"
