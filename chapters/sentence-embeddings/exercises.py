"""Checks of the chapter, sentence embeddings."""

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
    name_mistake,
    name_rounding,
)
from helpers.exercises.seeds import rng, torch_rng
from helpers.models import load_bert

DIGITS = 4  # to which means are asked for
SLACK = 2e-5  # of sums in float32
POOLINGS = ("cls", "mean", "max")
COLUMNS = ("first", "second", "grade")
MOST_PAIRS = 100
NEARNESS = {
    "cosine": torch.cosine_similarity,
    "product": lambda u, v: (u * v).sum(1),
    "distance": lambda u, v: -torch.linalg.vector_norm(u - v, dim=1),
}


def check_1(answer):
    """A function: states, mask, special -> mean over real pieces but the special."""
    a_function(answer, "mean_of_words")
    generator = torch_rng(1)
    mask = torch.tensor([[1, 1, 1, 1, 1, 0], [1, 1, 1, 1, 1, 1], [1, 1, 1, 0, 0, 0]])
    special = torch.tensor([[1, 0, 0, 0, 1, 0], [1, 0, 0, 0, 0, 1], [1, 0, 1, 0, 0, 0]])
    pair = torch.tensor([[1] * 6, [0, 0, 1, 1, 1, 1]])  # a pair; padded on the left
    seps = torch.tensor([[1, 0, 1, 0, 0, 1], [0, 0, 1, 0, 0, 1]])
    empty = torch.tensor([[1, 1, 0, 0], [1, 1, 1, 1]])
    ends = torch.tensor([[1, 1, 0, 0], [1, 0, 0, 1]])
    for real, marks in ((mask, special), (pair, seps), (empty, ends)):
        states = torch.randn(*real.shape, 4, generator=generator)
        hint = "Return one tensor: the mean over axis 1, the pieces; keep the others."
        got = answer(states, real, marks)
        got = an_array(got, (len(real), 4), "The answer", finite=False, hint=hint)
        counted = ((real == 1) & (marks == 0)).unsqueeze(-1)
        truth = (states * counted).sum(1) / counted.sum(1).clamp(min=1)
        if not is_right_to(got, truth, DIGITS, SLACK):
            _name_wrong_mean(got, truth, states, real, marks)
    return "Neither padding nor the special pieces have a say, and no sentence is nan."


def _name_wrong_mean(got, truth, states, mask, special):
    mask, words = mask.unsqueeze(-1), (special == 0).unsqueeze(-1)
    counted = mask * words
    total = (states * counted).sum(1)
    not_special = (states * words).sum(1) / words.sum(1)
    inverted = mask * ~(1 - words.long())
    tilde = "~ of whole numbers: ~1 is -2. Make booleans of the masks first."
    mistakes = {
        f"You multiplied by {tilde}": (states * inverted).sum(1) / inverted.sum(1),
        f"Your mask has {tilde}": (states * inverted).sum(1),
        "A sentence with no piece left gives nan, from 0 / 0; give zeros.": total
        / counted.sum(1),
        "This is the mean over all places, padding included.": states.mean(1),
        "This is the mean over all real pieces; [CLS] and [SEP] count in it. Leave "
        "them out.": (states * mask).sum(1) / mask.sum(1),
        "You left out the special pieces, but the padding is still counted.": (
            not_special
        ),
        "You leave out the first and the last real piece. In a pair a [SEP] stands in "
        "the middle, too; see `special`.": _between_ends(states, mask[..., 0]),
        "This is the mean of the special pieces; leave them out, keep the others.": (
            (states * mask * ~words).sum(1) / (mask * ~words).sum(1)
        ),
        "This is the maximum over the pieces; take their mean.": (
            states.masked_fill(counted == 0, -torch.inf).amax(1)
        ),
        "The sum is right, but you divide by the length of the padded row. Divide by "
        "the number of pieces that count.": total / states.shape[1],
        "You divide by the number of real pieces, but [CLS] and [SEP] are not in the "
        "sum.": total / mask.sum(1),
        "This is the sum; divide it by the number of pieces that count.": total,
    }
    name_mistake(got, mistakes, atol=1e-5)
    name_rounding(got, truth, DIGITS, "Each number")
    row, column = first_wrong(got, truth, DIGITS, SLACK)
    if not counted[row].any():
        raise NotYet(f"Row {row} has no piece left; give zeros there.")
    raise NotYet(
        f"Row {row} is not the mean of its words: its number {column} is "
        f"{got[row, column]:.6g}, expected {truth[row, column]:.4f}, to four decimals."
    )


def _between_ends(states, mask):
    order = mask.cumsum(1)
    inside = (mask * (order > 1) * (order < mask.sum(1, keepdim=True))).unsqueeze(-1)
    return (states * inside).sum(1) / inside.sum(1).clamp(min=1)


def check_2(answer):
    """A function: query, vectors, k -> indices of the k nearest rows by cosine."""
    a_function(answer, "search")
    draw = rng(2)
    vectors = draw.normal(size=(80, 8)) * draw.uniform(0.1, 10, size=(80, 1))
    for k in (30, 1, 80):
        _compare(answer, draw.normal(size=8) * 3, vectors, k)
    # products with one entry are exact, so equal cosines are equal to the last bit
    ties = np.array([[3.0, 4, 0], [4, 3, 0], [3, 4, 0], [4, 3, 0], [0, 1, 0]])
    _compare(answer, np.array([2.0, 0, 0]), ties, 4)
    _compare(answer, np.array([2.0, 0, 0]), np.tile(ties, (8, 1)), 20)
    _compare(answer, np.array([2.0, 0, 0]), ties, 9)
    return "Highest cosine first, ties in their order: the same answer every time."


def _compare(answer, query, vectors, k):
    products = vectors @ query
    lengths = np.linalg.norm(vectors, axis=1)
    cosine = products / lengths / np.linalg.norm(query)
    truth = np.argsort(-cosine.round(9), kind="stable")[:k].tolist()
    got = _indices(answer(query, vectors, k), len(vectors))
    if got == truth:
        return
    if len(got) != len(truth):
        raise NotYet(
            f"Expected {len(truth)} rows for k = {k} among {len(vectors)}; yours are "
            f"{len(got)}."
        )
    upwards = np.argsort(cosine, kind="stable")
    distance = np.linalg.norm(vectors - query, axis=1)
    mistakes = {
        "These are the largest dot products: long vectors win. Divide by the lengths "
        "to get cosines.": np.argsort(-products, kind="stable")[:k],
        "These are the lowest cosines; np.argsort sorts upwards.": upwards[:k],
        "The right rows, but the best one comes last; it should be first.": (
            upwards[-k:]
        ),
        "These are the smallest distances, which depend on the lengths; use the "
        "cosine.": np.argsort(distance, kind="stable")[:k],
        "These count from 1; row numbers count from 0.": np.add(truth, 1),
        "The best row is missing: yours begin with the second.": (
            np.argsort(-cosine, kind="stable")[1 : k + 1]
        ),
        "A cosine of -1 is the lowest, not the highest: take no absolute values or "
        "squares.": np.argsort(-np.abs(cosine).round(9), kind="stable")[:k],
    }
    if k > 1:  # a single row can fit by chance
        name_mistake(got, mistakes)
    if np.allclose(cosine[got], cosine[truth]):
        raise NotYet(
            "The cosines are right, but where two are equal the smaller index must "
            "come first."
        )
    if set(got) == set(truth):
        raise NotYet("The right rows in another order: the highest cosine comes first.")
    place = np.flatnonzero(np.not_equal(got, truth))[0]
    raise NotYet(
        f"For k = {k}, row {truth[place]} comes at place {place} by cosine; yours has "
        f"row {got[place]} there."
    )


def _indices(result, n):
    hint = "Return one flat list of row numbers."
    values = an_array(result, (None,), "The answer", finite=False, hint=hint)
    if n in values and set(values.tolist()) <= set(range(1, n + 1)):
        raise NotYet(f"Row {n} is none of {n} rows: row numbers count from 0.")
    if (outside := values[~np.isin(values, range(n))]).size:
        whole = (values == values.round()).all()
        raise NotYet(
            f"Return row numbers, from 0 to {n - 1}, "
            + (f"and no {outside[0]:g}." if whole else "not the cosines.")
        )
    return values.astype(int).tolist()


def check_3(answer):
    """A dict: pairs of one's own with grades, and Spearman for the three poolings."""
    pairs, got = a_dict(answer, ("pairs", "spearman"))
    first, second, grades = _own_pairs(pairs)
    got = a_dict(got, POOLINGS, "spearman", only=True)
    got = np.array([a_number(value, "Each correlation") for value in got])
    sides = [_encode(first), _encode(second)]
    truth = _correlations(sides, grades)
    if not np.allclose(got, truth, atol=1e-6):  # to all digits those of a mistake?
        _name_mistake(got, sides, grades, atol=1e-6)
    if np.allclose(got, truth, atol=0.01):
        best = POOLINGS[int(np.argmax(truth))]
        return (
            f"Here {best} comes out best, on {len(grades)} pairs. Draw them again with "
            "replacement: how often does it stay so?"
        )
    _name_mistake(got, sides, grades, atol=0.003)
    _name_change(got, truth)


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
    if len({pair for pair in pairs if len(pair) == 2} - _pairs_of_the_chapter()) < 12:
        raise NotYet(
            "Write twelve pairs of your own. One from the page does not count, nor "
            "does a sentence beside itself."
        )
    return list(first), list(second), np.array(grades)


def _pairs_of_the_chapter():
    table = pd.read_csv(DATA / "sentence-pairs.tsv", sep="\t", quoting=3, header=None)
    return set(map(frozenset, table[[1, 2]].to_numpy()))


def _encode(texts):
    """Hidden states (n, layers + 1, pieces, hidden) and mask (n, pieces)."""
    bert = load_bert()
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


def _correlations(
    sides, grades, layer=-1, masked=True, ranked="average", how_near="cosine"
):
    found = []
    for how in POOLINGS:
        u, v = (
            _pool(states[:, layer], mask if masked else torch.ones_like(mask), how)
            for states, mask in sides
        )
        scores = NEARNESS[how_near](u, v)
        scores, wanted = pd.Series(scores.numpy()), pd.Series(grades)
        if ranked:
            scores, wanted = scores.rank(), wanted.rank(method=ranked)
        found.append(scores.corr(wanted))
    return np.array(found, float)


def _kendall(sides, grades):
    pooled = ([_pool(s[:, -1], m, how) for s, m in sides] for how in POOLINGS)
    scores = (pd.Series(torch.cosine_similarity(*own).numpy()) for own in pooled)
    return [own.corr(pd.Series(grades), "kendall") for own in scores]


def _without_ties(sides, grades):
    """Spearman by the sum of squared differences, which ties make wrong."""
    n, found = len(grades), []
    for how in POOLINGS:
        u, v = (_pool(states[:, -1], mask, how) for states, mask in sides)
        ranks = pd.Series(torch.cosine_similarity(u, v).numpy()).rank()
        squares = ((ranks - pd.Series(grades).rank()) ** 2).sum()
        found.append(1 - 6 * squares / (n * (n * n - 1)))
    return found


def _name_mistake(got, sides, grades, atol):
    for change, message in (
        ({"ranked": False}, "These are Pearson's correlations; Spearman's uses ranks."),
        ({"masked": False}, "Your pooling counts the padding; use the mask."),
        (
            {"how_near": "product"},
            "These compare dot products; divide by the lengths.",
        ),
        ({"how_near": "distance"}, "These compare distances; take cosines."),
        (
            {"ranked": "first"},
            "Equal grades have different ranks in yours (as from argsort); give each "
            "the mean of theirs.",
        ),
        ({"layer": 0}, "These come from the input embeddings; take the last layer."),
        ({"layer": 1}, "These come from the first layer; take the last."),
        ({"layer": -2}, "These come from the second-to-last layer; take the last."),
    ):
        guess = _correlations(sides, grades, **change)
        # near the input the cosines of [CLS] differ by rounding alone
        sure = slice(1 if change.get("layer") in (0, 1) else 0, None)
        name_mistake(got[sure], {message: guess[sure]}, atol=atol)
    kendall = "These are Kendall's correlations; the task is Spearman's."
    name_mistake(got, {kendall: _kendall(sides, grades)}, atol=atol)
    formula = "The formula with squared differences needs grades that are all unlike."
    name_mistake(got, {formula: _without_ties(sides, grades)}, atol=atol)


def _name_change(got, truth):
    turned = "The signs are turned: a high cosine must go with a high grade."
    name_mistake(got, {turned: -truth}, atol=0.01)
    name_mistake(got, {"Give correlations, not per cent.": 100 * truth}, atol=1)
    names = "The right numbers under the wrong names: see which pooling has which."
    name_mistake(np.sort(got), {names: np.sort(truth)}, atol=0.01)
    far = int(np.argmin(np.isclose(got, truth, atol=0.01)))
    raise NotYet(
        f"The correlation for {POOLINGS[far]} is not the one that this model gives, to "
        f"two decimals; yours is {got[far]:.6g}."
    )
