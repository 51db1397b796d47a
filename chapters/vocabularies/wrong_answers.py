"""Wrong answers that the tables of mistakes do not hold, and words of the reply."""

from itertools import pairwise

from helpers.exercises.checks import mistakes_of


def wrong_1(names):
    right = mistakes_of("vocabularies.1").right
    yield (lambda cuts: cuts), "nothing was joined"
    yield _across_words, "no longer spell the words"
    yield (lambda cuts: {" ".join(c): n for c, n in cuts.items()}), "a tuple"
    yield (lambda cuts: dict.fromkeys(right(cuts), 1)), "stay what they were"
    yield _always_the_last, "with a count of 6"
    yield (lambda cuts: right(cuts) if _pairs(cuts) else {}), "no longer spell"
    yield _in_place, "changes `cuts` itself"


def _pairs(cuts):
    return [pair for cut in cuts for pair in pairwise(cut)]


def _across_words(cuts):
    """Joins the last piece of a word to the first of the next."""
    words = list(cuts.items())
    if len(words) < 2:
        return mistakes_of("vocabularies.1").right(cuts)
    (one, n), (other, m), *rest = words
    return {(*one, other[0]): n, other[1:]: m, **dict(rest)}


def _always_the_last(cuts):
    last = "".join(max(_pairs(cuts)))
    return {
        tuple(" ".join(c).replace(" ".join(last), last).split()): n
        for c, n in cuts.items()
    }


def _in_place(cuts):
    made = mistakes_of("vocabularies.1").right(cuts)
    cuts.clear()
    cuts.update(made)
    return cuts


def wrong_2(names):
    right = mistakes_of("vocabularies.2").right
    yield (lambda cuts: {"".join(pair): 1.0 for pair in right(cuts)}), "a score for"
    yield (lambda cuts: dict.fromkeys(right(cuts), 0.5)), "yours is 0.5"


def wrong_3(names):
    table = mistakes_of("vocabularies.3")
    answer = table.answer(table.right)
    learned, tried, right = answer.values()
    alike = "Both texts are the same"
    yield answer | {"pieces_a_word": right[::-1]}, "cannot rise"
    yield answer | {"pieces_a_word": right + 0.05}, "After 0 merges"
    yield answer | {"pieces_a_word": right.round(1)}, "right to two decimals"
    yield answer | {"pieces_a_word": right[:3]}, "4 entries"
    yield answer | {"learned_on": "a short text"}, "learned_on has only 3"
    yield answer | {"tried_on": "a short one"}, "tried_on has only 3"
    yield answer | {"tried_on": learned}, alike
    yield answer | {"tried_on": learned.upper()}, alike
    yield answer | {"tried_on": learned[500:2500]}, alike
    yield answer | {"tried_on": f"{learned} x"}, alike
    yield answer | {"tried_on": f"{tried} {learned}"}, alike
