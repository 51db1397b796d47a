"""Checks of the chapter: chunks of a text, the loss of pairs, what was forgotten."""

import numpy as np
from scipy.stats import t

from helpers.exercises.asking import a_list, a_whole_number
from helpers.exercises.mistakes import Mistakes
from helpers.exercises.seeds import rng


def check_1(answer):
    """A function: length, most, overlap -> where each chunk starts."""
    TABLES[1].ask("chunk_starts", answer, _texts(rng(1)), read=_places)
    return "Every piece lies in a chunk, and no chunk lies within the one before it."


def _texts(draw):
    """Lengths of texts, the most pieces of a chunk, and how many two chunks share."""
    yield 10, 4, 1
    yield from [(4, 4, 1), (3, 4, 2), (1, 4, 0), (8, 4, 0), (7, 4, 1), (9, 4, 2)]
    yield 2, 5, 3  # no longer than what two chunks share
    for _ in range(6):
        most = int(draw.integers(5, 40))
        overlap = int(draw.integers(1, most))
        yield int(draw.integers(2 * most, 9 * most)), most, overlap


def _places(result, *case):
    return a_list(result, "The answer", each=a_whole_number)


def _starts(length, most, overlap):
    return [*range(0, max(length - overlap, 1), most - overlap)]


START_MISTAKES = {
    "The last chunk lies within the one before it: leave it out.": (
        lambda length, most, overlap: [*range(0, length, most - overlap)]
    ),
    "What comes after the last full chunk is dropped: the end of a text is in none of "
    "yours.": (
        lambda length, most, overlap: (
            [*range(0, length - most + 1, most - overlap)] or [0]
        )
    ),
    "Your chunks share nothing: each starts most - overlap after the one before.": (
        lambda length, most, overlap: [*range(0, length, most)]
    ),
    "Your last chunk is moved back so that it is full; let it be shorter.": (
        lambda length, most, overlap: [
            min(at, max(length - most, 0)) for at in _starts(length, most, overlap)
        ]
    ),
    "These are the ends of the chunks; give their starts.": (
        lambda length, most, overlap: [
            min(at + most, length) for at in _starts(length, most, overlap)
        ]
    ),
    "Places are counted from 0; yours begin with 1.": (
        lambda length, most, overlap: [1 + at for at in _starts(length, most, overlap)]
    ),
}


def check_2(answer):
    """A function: vectors and kinds -> the loss of all pairs."""
    TABLES[2].ask("pair_loss", answer, _of_kinds(rng(2)))
    return "Each pair once; what is drawn together and what apart, the kinds say."


def _of_kinds(draw):
    yield np.array([[1.0, 0.0], [0.6, 0.8], [0.0, 2.0]]), np.array([0, 0, 1])
    for n, width, kinds in [(5, 3, 2), (8, 4, 3), (12, 6, 4), (6, 8, 2)]:
        vectors = draw.normal(0.3, 1, (n, width)) * draw.uniform(0.5, 3, (n, 1))
        yield vectors.round(3), draw.integers(0, kinds, n) * 3


def _cosines(vectors):
    ways = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return ways @ ways.T


def _of_pairs(vectors, kinds, cosines=_cosines, other=0.0, power=2, which=None):
    same = kinds[:, None] == kinds
    gaps = abs(cosines(vectors) - np.where(same, 1.0, other)) ** power
    pairs = np.triu(np.ones_like(same), 1)
    return gaps[pairs if which is None else which(same, pairs)].mean()


PAIR_MISTAKES = {
    "Each text is paired with itself, too, which costs nothing and thins the mean; "
    "take pairs of two texts.": (
        lambda *given: _of_pairs(*given, which=lambda same, pairs: same | ~same),
        lambda *given: _of_pairs(*given, which=lambda same, pairs: ~pairs),
    ),
    "These are products of vectors, not cosines: divide by the lengths.": (
        lambda *given: _of_pairs(*given, cosines=lambda v: v @ v.T)
    ),
    "Texts of two kinds are drawn to -1 in yours; draw them to 0.": (
        lambda *given: _of_pairs(*given, other=-1.0)
    ),
    "Take the square of each distance, not the distance.": (
        lambda *given: _of_pairs(*given, power=1)
    ),
    "This is the sum over the pairs; take the mean.": (
        lambda vectors, kinds: (
            _of_pairs(vectors, kinds) * len(kinds) * (len(kinds) - 1) / 2
        )
    ),
    "Pairs of one kind alone count in yours; those of two kinds must be drawn apart.": (
        lambda *given: _of_pairs(*given, which=lambda same, pairs: pairs & same)
    ),
    "1 and 0 are exchanged: texts of one kind are drawn to 1.": (
        lambda vectors, kinds: ((_cosines(vectors) - (kinds[:, None] != kinds)) ** 2)[
            np.triu_indices(len(kinds), 1)
        ].mean()
    ),
    "The root is taken of the mean; leave the square.": (
        lambda *given: _of_pairs(*given) ** 0.5
    ),
}


def check_3(answer):
    """A function: losses before and after, text of each piece -> change, its ends."""
    hint = "Return three numbers: change, low, high."
    TABLES[3].ask("change_of_loss", answer, _pieces(rng(3)), hint=hint)
    return (
        "Paired, and one number a text: pieces of a text are not drawn by themselves."
    )


def _pieces(draw):
    """Losses of hidden pieces, more of them in some texts; texts differ."""
    yield (
        np.array([4.0, 6.0, 2.0, 3.0]),
        np.array([3.0, 3.0, 2.5, 1.0]),
        np.array([0, 0, 1, 2]),
    )
    for n, shift in [(5, -1.0), (9, 0.2), (14, -0.4), (25, 0.5)]:
        text = np.repeat(np.arange(n), draw.integers(1, 9, n))
        number = draw.permutation(2 * n)[:n]  # some numbers are no text's
        hard = draw.normal(5, 2, n)[text]
        before = hard + draw.normal(0, 1, len(text))
        after = (
            hard + shift + draw.normal(0, 0.6, n)[text] + draw.normal(0, 1, len(text))
        )
        order = draw.permutation(len(text))
        yield before[order].round(3), after[order].round(3), number[text[order]]


def _by_text(values, text):
    return np.array([values[text == one].mean() for one in np.unique(text)])


def _ends(values, level=0.975, ddof=1, factor=None, root=True):
    n, mean = len(values), values.mean()
    factor = t.ppf(level, n - 1) if factor is None else factor
    reach = factor * values.std(ddof=ddof) / (np.sqrt(n) if root else 1)
    return np.array([mean, mean - reach, mean + reach])


def _change(before, after, text):
    return _ends(_by_text(after - before, text))


def _of_texts(**how):
    return lambda before, after, text: _ends(_by_text(after - before, text), **how)


def _unpaired(before, after, text):
    one, two = _by_text(before, text), _by_text(after, text)
    n, mean = len(one), two.mean() - one.mean()
    reach = t.ppf(0.975, n - 1) * np.sqrt((one.var(ddof=1) + two.var(ddof=1)) / n)
    return np.array([mean, mean - reach, mean + reach])


CHANGE_MISTAKES = {
    "Each piece counts as drawn by itself; those of a text belong together. Take the "
    "mean of each text first.": lambda before, after, text: _ends(after - before),
    "The change is before less after; a loss that falls shall be negative.": (
        lambda before, after, text: _change(after, before, text)
    ),
    "low and high are exchanged.": (lambda *given: _change(*given)[[0, 2, 1]]),
    "before and after are taken as two unpaired sets; take the difference of each "
    "piece first: it is the same piece.": _unpaired,
    "The ends are for 1.96 or 2; with so few texts take Student's t, n - 1 degrees of "
    "freedom.": (_of_texts(factor=1.96), _of_texts(factor=2)),
    "The spread divides by n in yours; divide by n - 1 (ddof=1).": _of_texts(ddof=0),
    "The spread is not divided by the root of the number of texts: these are ends for "
    "a text, not for the mean.": _of_texts(root=False),
    "These ends hold the mean 90 times in 100: the level is 0.975 on each side.": (
        _of_texts(level=0.95)
    ),
}


TABLES = {
    1: Mistakes(_starts, START_MISTAKES, "The answer", digits=0),
    2: Mistakes(_of_pairs, PAIR_MISTAKES, "The loss"),
    3: Mistakes(_change, CHANGE_MISTAKES, "The answer", digits=3),
}
