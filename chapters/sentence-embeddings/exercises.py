"""Checks of the chapter, sentence embeddings."""

import itertools
from dataclasses import replace

import numpy as np
import pandas as pd
import torch

from helpers import DATA
from helpers.exercises import NotYet
from helpers.exercises.asking import (
    a_dict,
    a_function,
    a_list,
    a_number,
    a_text,
    an_array,
    first_wrong,
    is_right_to,
)
from helpers.exercises.mistakes import Mistakes
from helpers.exercises.seeds import rng, torch_rng
from helpers.models import load_sentence_encoder

DIGITS = 4  # to which means are asked for
SLACK = 2e-5  # of sums in float32
POOLINGS = ("cls", "mean", "max")
COLUMNS = ("first", "second", "grade")
MOST_PAIRS = 100


def check_1(answer):
    """A function: states, mask, special -> mean over real pieces but the special."""
    a_function(answer, "mean_of_words")
    generator, trials = torch_rng(1), []
    mask = torch.tensor([[1, 1, 1, 1, 1, 0], [1, 1, 1, 1, 1, 1], [1, 1, 1, 0, 0, 0]])
    special = torch.tensor([[1, 0, 0, 0, 1, 0], [1, 0, 0, 0, 0, 1], [1, 0, 1, 0, 0, 0]])
    pair = torch.tensor([[1] * 6, [0, 0, 1, 1, 1, 1]])  # a pair; padded on the left
    seps = torch.tensor([[1, 0, 1, 0, 0, 1], [0, 0, 1, 0, 0, 1]])
    empty = torch.tensor([[1, 1, 0, 0], [1, 1, 1, 1]])
    ends = torch.tensor([[1, 1, 0, 0], [1, 0, 0, 1]])
    tables = (mask, special), (pair, seps), (empty, ends), (mask[:1], special[:1])
    for real, marks in tables:
        given = torch.randn(*real.shape, 4, generator=generator), real, marks
        hint = "Return one tensor: the mean over axis 1, the pieces; keep the others."
        shape = len(real), 4
        got = an_array(answer(*given), shape, "The answer", finite=False, hint=hint)
        trials.append((given, got))
    TABLES[1].judge(trials, _mean_told)
    return "Neither padding nor the special pieces have a say, and no sentence is nan."


def _mean_told(got, truth, states, mask, special):
    row, column = first_wrong(got, truth, DIGITS, SLACK)
    if not (mask[row] > special[row]).any():
        return f"Row {row} has no piece left; give zeros there."
    return (
        f"Row {row} is not the mean of its words: its number {column} is "
        f"{got[row, column]:.6g}, expected {truth[row, column]:.4f}, to four decimals."
    )


def _words(mask, special):
    return mask * (1 - special)


def _mean(weights=_words, count=None, least=0):
    """Sum by weights(mask, special), divided by count(mask) or the sum of weights."""

    def mean(states, mask, special):
        chosen = weights(mask, special).unsqueeze(-1)
        n = count(mask).unsqueeze(-1) if count else chosen.sum(1)
        return (states * chosen).sum(1) / (n.clamp(min=least) if least else n)

    return mean


def _between_ends(mask, special):
    order = mask.cumsum(1)
    return mask * (order > 1) * (order < mask.sum(1, keepdim=True))


MEAN_MISTAKES = {
    "You multiplied by ~ of whole numbers: ~1 is -2. Make booleans of the masks "
    "first.": (
        _mean(lambda mask, special: mask * ~special),
        _mean(lambda mask, special: mask * ~special, least=1),
    ),
    "A sentence with no piece left gives nan, from 0 / 0; give zeros.": _mean(),
    "This is the mean over all places, padding included.": (
        _mean(lambda mask, special: torch.ones_like(mask))
    ),
    "This is the mean over all real pieces; [CLS] and [SEP] count in it. Leave them "
    "out.": _mean(lambda mask, special: mask),
    "You left out the special pieces, but the padding is still counted.": (
        _mean(lambda mask, special: 1 - special)
    ),
    "You leave out the first and the last real piece. In a pair a [SEP] stands in the "
    "middle, too; see `special`.": _mean(_between_ends, least=1),
    "The sum is right; divide it by the number of pieces that count.": (
        _mean(count=lambda mask: torch.ones_like(mask).sum(1)),
        _mean(count=lambda mask: mask.sum(1)),
        _mean(count=lambda mask: torch.ones(len(mask))),
    ),
}


def check_2(answer):
    """A function: query, vectors, k -> indices of the k nearest rows by cosine."""
    a_function(answer, "search")
    draw, trials = rng(2), []
    vectors = draw.normal(size=(80, 8)) * draw.uniform(0.1, 10, size=(80, 1))
    unlike = [(draw.normal(size=8) * 3, vectors, k) for k in (30, 1, 80)]
    unlike.append((unlike[0][0], vectors[:1], 1))
    # products with one entry are exact, so equal cosines are equal to the last bit
    query = np.array([2.0, 0, 0])
    ties = np.array([[3.0, 4, 0], [4, 3, 0], [3, 4, 0], [4, 3, 0], [0, 1, 0]])
    ties = np.vstack([ties, query, 2 * query])  # which are found, too
    alike = [(query, ties, 6), (query, np.tile(ties, (8, 1)), 40), (query, ties, 9)]
    for cases in (unlike, alike):  # in which a mistake may have its ties in any order
        for given in cases:
            trials.append((given, _indices(answer(*given), len(given[1]))))
        TABLES[2].judge(trials, _order_told)
    return "Highest cosine first, ties in their order: the same answer every time."


def _indices(result, n):
    hint = "Return one flat list of row numbers."
    values = an_array(result, (None,), "The answer", finite=False, hint=hint)
    if (outside := values[~np.isin(values, range(n + 1))]).size:
        whole = (values == values.round()).all()
        raise NotYet(
            f"Return row numbers, from 0 to {n - 1}, "
            + (f"and no {outside[0]:g}." if whole else "not the cosines.")
        )
    return values


def _order_told(got, truth, query, vectors, k):
    got, truth, n = got.astype(int).tolist(), truth.astype(int).tolist(), len(vectors)
    if n in got:
        return f"Row {n} is none of {n} rows: row numbers count from 0."
    if len(got) != len(truth):
        return (
            f"Expected {len(truth)} rows for k = {k} among {n}; yours are {len(got)}."
        )
    cosine = _cosine(query, vectors)
    if np.allclose(cosine[got], cosine[truth]):
        return (
            "The cosines are right, but where two are equal the smaller index must "
            "come first."
        )
    if set(got) == set(truth):
        return "The right rows in another order: the highest cosine comes first."
    place = np.flatnonzero(np.not_equal(got, truth))[0]
    return (
        f"For k = {k}, row {truth[place]} comes at place {place} by cosine; yours has "
        f"row {got[place]} there."
    )


def _cosine(query, vectors):
    lengths = np.linalg.norm(vectors, axis=1) * np.linalg.norm(query)
    return (vectors @ query / lengths).round(9)


def _by(near, part=slice):
    """The rows in falling order of near(query, vectors), of which a part(k)."""
    return lambda query, vectors, k: np.argsort(-near(query, vectors), kind="stable")[
        part(k)
    ]


def _upwards(query, vectors):
    return -_cosine(query, vectors)


SEARCH_MISTAKES = {
    "These are the largest dot products: long vectors win. Divide by the lengths to "
    "get cosines.": _by(lambda query, vectors: vectors @ query),
    "These are the lowest cosines; np.argsort sorts upwards.": _by(_upwards),
    "The right rows, but the best one comes last; it should be first.": (
        _by(_upwards, lambda k: slice(-k, None))
    ),
    "These are the smallest distances, which depend on the lengths; use the cosine.": (
        _by(lambda query, vectors: -np.linalg.norm(vectors - query, axis=1))
    ),
    "These count from 1; row numbers count from 0.": (
        lambda *given: _by(_cosine)(*given) + 1
    ),
    "The best row is missing: yours begin with the second.": (
        _by(_cosine, lambda k: slice(1, k + 1))
    ),
    "A cosine of -1 is the lowest, not the highest: take no absolute values or "
    "squares.": _by(lambda query, vectors: np.abs(_cosine(query, vectors))),
}


def check_3(answer):
    """A dict: pairs of one's own with grades, and Spearman for the three poolings."""
    pairs, got = a_dict(answer, ("pairs", "spearman"))
    first, second, grades = _own_pairs(pairs)
    got = a_dict(got, POOLINGS, "spearman", only=True)
    got = np.array([a_number(value, "Each correlation") for value in got])
    sides = [_encode(first), _encode(second)]
    trials = [((sides, grades), got)]
    replace(TABLES[3], digits=5, near=None).name(trials)  # to all digits a mistake's?
    TABLES[3].judge(trials, _correlation_told)
    best = POOLINGS[int(np.argmax(_correlations(sides, grades)))]
    return (
        f"Here {best} comes out best, on {len(grades)} pairs. Draw them again with "
        "replacement: how often does it stay so?"
    )


def _own_pairs(pairs):
    hint = "Each pair must be (first, second, grade)."
    if set(COLUMNS) <= set(getattr(pairs, "columns", ())):
        pairs = pairs[list(COLUMNS)]

    def row(pair, what):
        first, second, grade = a_list(pair, what, 3, hint=hint)
        texts = [a_text(text, "A sentence", hint=hint) for text in (first, second)]
        return *texts, a_number(grade, "Each grade")

    rows = a_list(pairs, "pairs", each=row, hint=hint)
    if len(rows) < 12:
        raise NotYet(f"{len(rows)} pairs; twelve or more are asked for.")
    if len(rows) > MOST_PAIRS:
        raise NotYet(f"{len(rows)} pairs; take at most {MOST_PAIRS}.")
    first, second, grades = zip(*rows, strict=True)
    if max(map(len, first + second)) > 300:
        raise NotYet("A sentence has more than 300 letters; take a shorter one.")
    if not all(0 <= grade <= 5 for grade in grades):
        raise NotYet("Grades go from 0 to 5.")
    if len(set(grades)) < 3:
        raise NotYet("Use at least three different grades.")
    pairs = {frozenset(pair) for pair in zip(first, second, strict=True)}
    if len(pairs) < len(rows):
        raise NotYet("A pair comes twice, perhaps turned round; write another.")
    known = set(map(frozenset, _table_of_the_chapter()[[1, 2]].to_numpy()))
    if len({pair for pair in pairs if len(pair) == 2} - known) < 12:
        raise NotYet(
            "Write twelve pairs of your own. One from the page does not count, nor "
            "does a sentence beside itself."
        )
    return list(first), list(second), np.array(grades)


def _table_of_the_chapter():
    return pd.read_csv(DATA / "sentence-pairs.tsv", sep="\t", quoting=3, header=None)


def _encode(texts):
    """Hidden states (n, layers + 1, pieces, hidden) and mask (n, pieces)."""
    bert = load_sentence_encoder()
    batch = bert.tokenizer(texts, padding=True, truncation=True, return_tensors="pt")
    with torch.inference_mode():
        output = bert.model(**batch.to(bert.device), output_hidden_states=True)
    return torch.stack(output.hidden_states, 1).cpu(), batch["attention_mask"].cpu()


def _pool(states, mask, how):
    real = mask.unsqueeze(-1).bool()
    if how == "cls":
        return states[:, 0]
    if how == "mean":
        return (states * real).sum(1) / real.sum(1)
    return states.masked_fill(~real, -torch.inf).amax(1)


def _spearman(scores, grades):
    return scores.rank().corr(grades.rank())


def _correlations(
    sides,
    grades,
    layer=-1,
    masked=True,
    near=torch.cosine_similarity,
    agree=_spearman,
):
    found = []
    for how in POOLINGS:
        u, v = (
            _pool(states[:, layer], mask if masked else torch.ones_like(mask), how)
            for states, mask in sides
        )
        found.append(agree(pd.Series(near(u, v).numpy()), pd.Series(grades)))
    return np.array(found, float)


def _changed(change=lambda found: found, **settings):
    return lambda *given: change(_correlations(*given, **settings))


def _by_squares(scores, grades):
    """The formula with squared differences, which ties make wrong."""
    n = len(grades)
    squares = ((scores.rank() - grades.rank()) ** 2).sum()
    return 1 - 6 * squares / (n * (n * n - 1))


def _near_correlation(got, wanted, *_):
    return np.allclose(got, wanted, rtol=0, atol=0.01 * max(1, np.abs(wanted).max()))


def _correlation_told(got, truth, sides, grades):
    far = int(np.argmin(np.isclose(got, truth, atol=0.01)))
    return (
        f"The correlation for {POOLINGS[far]} is not the one that this model gives, to "
        f"two decimals; yours is {got[far]:.6g}."
    )


def _with_pairs(function):
    """An answer with the correlations of a function, for the page's pairs, changed."""
    table = _table_of_the_chapter().iloc[1::3]
    first, second = (  # of unequal length, so that padding counts
        [text + " So it is." * (1 + place % 4) for place, text in enumerate(table[n])]
        for n in (1, 2)
    )
    grades = table[0].to_numpy(float)
    found = function([_encode(first), _encode(second)], grades)
    return {
        "pairs": list(zip(first, second, grades, strict=True)),
        "spearman": dict(zip(POOLINGS, found, strict=True)),
    }


CORRELATION_MISTAKES = {
    "These are Pearson's or Kendall's correlations; Spearman's is Pearson's of the "
    "ranks.": (
        _changed(agree=pd.Series.corr),
        _changed(agree=lambda scores, grades: scores.corr(grades, "kendall")),
    ),
    "The formula with squared differences needs grades that are all unlike.": (
        _changed(agree=_by_squares)
    ),
    "Equal grades have different ranks in yours (as from argsort); give each the mean "
    "of theirs.": _changed(
        agree=lambda scores, grades: scores.rank().corr(grades.rank(method="first"))
    ),
    "Your pooling counts the padding; use the mask.": _changed(masked=False),
    "These compare dot products or distances; take cosines.": (
        _changed(near=lambda u, v: (u * v).sum(1)),
        _changed(near=lambda u, v: -torch.linalg.vector_norm(u - v, dim=1)),
    ),
    "These come from the second-to-last layer; take the last.": _changed(layer=-2),
    "The right numbers under the wrong names: see which pooling has which.": tuple(
        _changed(lambda found, order=order: found[list(order)])
        for order in itertools.permutations(range(3))
        if order != (0, 1, 2)
    ),
}

TABLES = {
    1: Mistakes(
        _mean(least=1),
        MEAN_MISTAKES,
        "Each number",
        near=lambda got, wanted, *_: is_right_to(got, wanted, DIGITS, SLACK),
    ),
    2: Mistakes(_by(_cosine), SEARCH_MISTAKES, "Each row"),
    3: Mistakes(
        _correlations,
        CORRELATION_MISTAKES,
        "Each correlation",
        digits=2,
        near=_near_correlation,
        answer=_with_pairs,
    ),
}
