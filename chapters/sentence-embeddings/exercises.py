"""Checks of the chapter, sentence embeddings."""

import itertools
from dataclasses import replace

import numpy as np
import pandas as pd
import torch

from helpers import DATA
from helpers.exercises import NotYet
from helpers.exercises.asking import a_dict, a_list, a_number, a_text, an_array
from helpers.exercises.mistakes import Mistakes
from helpers.exercises.seeds import rng, torch_rng
from helpers.models import load_sentence_encoder

SLACK = 2e-5  # of sums in float32
POOLINGS = ("cls", "mean", "max")
COLUMNS = ("first", "second", "grade")
MOST_PAIRS = 100


def check_1(answer):
    """A function: states, mask, special -> mean over real pieces but the special."""
    generator = torch_rng(1)
    mask = torch.tensor([[1, 1, 1, 1, 1, 0], [1, 1, 1, 1, 1, 1], [1, 1, 1, 0, 0, 0]])
    special = torch.tensor([[1, 0, 0, 0, 1, 0], [1, 0, 0, 0, 0, 1], [1, 0, 1, 0, 0, 0]])
    pair = torch.tensor([[1] * 6, [0, 0, 1, 1, 1, 1]])  # a pair; padded on the left
    seps = torch.tensor([[1, 0, 1, 0, 0, 1], [0, 0, 1, 0, 0, 1]])
    empty = torch.tensor([[1, 1, 0, 0], [1, 1, 1, 1]])
    ends = torch.tensor([[1, 1, 0, 0], [1, 0, 0, 1]])
    tables = (mask, special), (pair, seps), (empty, ends), (mask[:1], special[:1])
    cases = [(torch.randn(*x.shape, 4, generator=generator), x, y) for x, y in tables]
    hint = "Return one tensor: the mean over axis 1, the pieces; keep the others."
    TABLES[1].ask("mean_of_words", answer, cases, hint=hint)
    return "Neither padding nor the special pieces have a say, and no sentence is nan."


def _words(mask, special):
    return mask * (1 - special)


def _mean(weights=_words, count=None, least=0):
    """Sum by weights(mask, special), divided by count(mask) or the sum of weights."""

    def mean(states, mask, special):
        chosen = weights(mask, special).unsqueeze(-1)
        n = count(mask).unsqueeze(-1) if count else chosen.sum(1)
        return (states * chosen).sum(1) / (n.clamp(min=least) if least else n)

    return mean


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
    "The sum is right; divide it by the number of pieces that count.": (
        _mean(count=lambda mask: torch.ones_like(mask).sum(1)),
        _mean(count=lambda mask: mask.sum(1)),
        _mean(count=lambda mask: torch.ones(len(mask))),
    ),
}


def check_2(answer):
    """A function: query, vectors, k -> indices of the k nearest rows by cosine."""
    draw = rng(2)
    vectors = draw.normal(size=(80, 8)) * draw.uniform(0.1, 10, size=(80, 1))
    unlike = [(draw.normal(size=8) * 3, vectors, k) for k in (30, 1, 80)]
    unlike.append((unlike[0][0], vectors[:1], 1))
    # products with one entry are exact, so equal cosines are equal to the last bit
    query = np.array([2.0, 0, 0])
    ties = np.array([[3.0, 4, 0], [4, 3, 0], [3, 4, 0], [4, 3, 0], [0, 1, 0]])
    ties = np.vstack([ties, query, 2 * query])  # which are found, too
    alike = [(query, ties, 6), (query, np.tile(ties, (8, 1)), 40), (query, ties, 9)]
    # in the last ones a mistake may have its ties in any order
    TABLES[2].ask("search", answer, unlike, alike, read=_indices, otherwise=_order_told)
    return "Highest cosine first, ties in their order: the same answer every time."


def _indices(result, query, vectors, k):
    n, hint = len(vectors), "Return one flat list of row numbers."
    values = an_array(result, (None,), "The answer", finite=False, hint=hint)
    if (outside := values[~np.isin(values, range(n + 1))]).size:
        whole = (values == values.round()).all()
        raise NotYet(
            f"Return row numbers, from 0 to {n - 1}, "
            + (f"and no {outside[0]:g}." if whole else "not the cosines.")
        )
    return values


def _order_told(got, truth, query, vectors, k):
    cosine = np.append(_cosine(query, vectors), np.nan)  # of a row that is none
    alike = got.shape == truth.shape
    if alike and np.allclose(*(cosine[x.astype(int)] for x in (got, truth))):
        return (
            "The cosines are right, but where two are equal the smaller index must "
            "come first."
        )
    return TABLES[2].told(got, truth, query, vectors, k)


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
    TABLES[3].judge(trials)
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
    """The last states (n, pieces, hidden) and the mask (n, pieces)."""
    bert = load_sentence_encoder()
    batch = bert.tokenizer(texts, padding=True, truncation=True, return_tensors="pt")
    with torch.inference_mode():
        states = bert.model(**batch.to(bert.device)).last_hidden_state
    return states.cpu(), batch["attention_mask"].cpu()


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
    sides, grades, masked=True, near=torch.cosine_similarity, agree=_spearman
):
    found = []
    for how in POOLINGS:
        u, v = (
            _pool(states, mask if masked else torch.ones_like(mask), how)
            for states, mask in sides
        )
        found.append(agree(pd.Series(near(u, v).numpy()), pd.Series(grades)))
    return np.array(found, float)


def _changed(change=lambda found: found, **settings):
    return lambda *given: change(_correlations(*given, **settings))


def _near_correlation(got, wanted, *_):
    return np.allclose(got, wanted, rtol=0, atol=0.01 * max(1, np.abs(wanted).max()))


CORRELATION_MISTAKES = {
    "These are Pearson's or Kendall's correlations; Spearman's is Pearson's of the "
    "ranks.": (
        _changed(agree=pd.Series.corr),
        _changed(agree=lambda scores, grades: scores.corr(grades, "kendall")),
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
        slack=SLACK,
    ),
    2: Mistakes(_by(_cosine), SEARCH_MISTAKES, "Each row"),
    3: Mistakes(
        _correlations,
        CORRELATION_MISTAKES,
        "Each correlation",
        digits=2,
        near=_near_correlation,
    ),
}
