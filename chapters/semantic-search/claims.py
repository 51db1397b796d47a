"""What "Search: vectors at work" says of this run: its numbers, and when it is true.

found: {way: rank of the first right text, for each question}; kinds: {kind: its rows}.
Hits are shares among the first ten; MRR is the mean of 1 / rank.
"""

import numpy as np

from helpers import glue
from helpers.verdicts import AHEAD, BEHIND, LEVEL, claim, compare

OTHER, OWN = "other words", "own words"
FEW = "many, 1 bit"


def hit(ranks):
    return (ranks <= 10) * 1


def opening(across, down, cosines):
    words = {"which", "sport", "noble", "lady", "asked", "letter"}
    nearest = {
        p: down[at] for p, at in zip(across, cosines.argmax(axis=0), strict=True)
    }
    column = dict(zip(across, cosines.max(axis=0), strict=True))
    glue("lady_queen", float(column["lady"]))
    claim("only-letter-left", words & {*down} == {"letter"}, about="data")
    claim(
        "lady-meets-queen",
        [nearest[word] for word in ("lady", "sport", "asked")]
        == ["queen", "play", "invitation"],
        f"lady meets {nearest['lady']}, sport {nearest['sport']}.",
    )


def kinds_of_question(found, kinds):
    n = len(found["words"][kinds[OWN]])
    counts = {
        (way, kind): int(hit(found[way][rows]).sum())
        for way in ("words", "one vector")
        for kind, rows in kinds.items()
    }
    for (way, kind), count in counts.items():
        glue(f"n_{way.replace(' ', '_')}_{kind.split()[0]}", count)
    rr = {way: {k: 1 / found[way][rows] for k, rows in kinds.items()} for way in found}
    gain = compare(
        hit(found["one vector"][kinds[OTHER]]), hit(found["words"][kinds[OTHER]])
    )
    said = f"Of {n}: {counts}"
    claim("words-find-all", counts["words", OWN] == n, said, "data")
    claim("words-one-fifth", 0.1 < counts["words", OTHER] / n < 0.25, said, "data")
    claim(
        "vector-finds-twice",
        gain.word == AHEAD and counts["one vector", OTHER] > 2 * counts["words", OTHER],
        said,
    )
    between = [
        (
            compare(rr["both"][kind], rr[worse][kind], family=4).word,
            compare(rr["both"][kind], rr[better][kind], family=4).word,
        )
        for kind, worse, better in (
            (OTHER, "words", "one vector"),
            (OWN, "one vector", "words"),
        )
    ]
    claim("joining-insures", between == [(AHEAD, BEHIND)] * 2, str(between))
    claim(
        "opposite-winners",
        compare(rr["words"][OWN], rr["one vector"][OWN], family=2).word == AHEAD
        and compare(rr["words"][OTHER], rr["one vector"][OTHER], family=2).word
        == BEHIND
        and gain.word == AHEAD
        and counts["words", OWN] > counts["one vector", OWN],
        said,
    )


def many_vectors(found, kinds, answers):
    many = compare(hit(found["many vectors"]), hit(found["one vector"]), answers)
    for name, key in (("many vectors", "many"), ("one vector", "one")):
        glue(f"hits_{key}", float(hit(found[name]).mean()))
    claim(
        "maxsim-finds-most",
        many.word == AHEAD
        and all(
            hit(found["many vectors"]).mean() > hit(r).mean()
            for name, r in found.items()
            if name != "many vectors"
        )
        and bool(hit(found["many vectors"][kinds[OWN]]).all()),
        f"hits, many less one: {many.interval()}.",
    )


def reranked(before, after, kinds):
    own = kinds[OWN]
    glue("rr_before", float((1 / before[own]).mean()))
    glue("rr_after", float((1 / after[own]).mean()))
    claim(
        "reranking-same-hits",
        bool((hit(after) == hit(before)).all()),
        about="mathematics",
    )
    moved = compare(1 / after[own], 1 / before[own])
    claim("reranking-moves-up", moved.word == AHEAD, f"By {moved.interval()}.")


def learned_words(weights, text, bert):
    order = weights.argsort(descending=True).tolist()
    inside = set(bert.tokenizer(text)["input_ids"])
    names = bert.tokenizer.convert_ids_to_tokens(order)
    added = [n for i, n in zip(order, names, strict=True) if i not in inside][:40]
    glue("n_kept", int((weights > 0).sum()))
    glue("n_vocabulary", f"{len(weights):,}", display=False)
    claim(
        "doctors-added",
        {"doctors", "dr", "physician"} <= set(added[:25])
        and {",", "an"} <= set(added[:5]),
        f"Added: {added[:5]}.",
    )


def shrunk(found, answers, sizes):
    """found, sizes: of each way to keep the texts, ranks and bytes a text."""
    one = found["one vector"]

    def lost(name):
        return compare(hit(found[name]), hit(one), answers)

    said = "; ".join(f"{n} {lost(n).interval()}" for n in list(found)[1:4])
    for name, key in (
        ("one vector", "one"),
        ("bits", "bits"),
        ("int8", "int8"),
        ("bits, 40 rescored", "rescored"),
    ):
        glue(f"kept_{key}", float(hit(found[name]).mean()))
    claim(
        "bytes-cost-little",
        bool(abs(lost("int8").difference) < 0.01 and hit(one).mean() > 0.5),
        said,
    )
    claim("bits-cost-some", lost("bits").word == BEHIND, said, "mathematics")
    won = compare(hit(found["bits, 40 rescored"]), hit(found["bits"]), answers)
    claim(
        "rescoring-wins-back",
        won.word == AHEAD and bool(lost("bits, 40 rescored").difference > -0.01),
        said,
    )
    glue("bytes_few", int(sizes[FEW]))
    claim(
        "smaller-than-vector",
        bool(sizes["int8"] < sizes[FEW] < sizes["one vector"]),
        f"{sizes[FEW]:.0f} and {sizes['one vector']:.0f}.",
        about="data",
    )


def one_bit(found, kinds):
    """Hits and MRR apart: in other words the two counts need not agree."""
    few, one = found[FEW], found["one vector"]
    other, own = kinds[OTHER], kinds[OWN]
    glue("few_hits", float(hit(few)[other].mean()))
    glue("one_hits", float(hit(one)[other].mean()))
    glue("few_mrr", float((1 / few)[other].mean()))
    glue("one_mrr", float((1 / one)[other].mean()))
    glue("few_own", float((1 / few)[own].mean()))
    glue("one_own", float((1 / one)[own].mean()))
    higher = compare((1 / few)[own], (1 / one)[own])
    hits = compare(hit(few)[other], hit(one)[other])
    ranks = compare((1 / few)[other], (1 / one)[other])
    claim(
        "one-bit-higher",
        higher.word == AHEAD and bool((1 / few)[own].mean() > 0.9),
        f"MRR: {higher.interval()}.",
    )
    claim(
        "one-bit-open",
        hits.word == ranks.word == LEVEL,
        f"Hits {hits.interval()}, MRR {ranks.interval()}.",
        about="data",
    )


def times(seconds, after):
    one = seconds["one vector"]
    claim("pass-takes-most", bool(after < 0.5 * one), about="mathematics")
    claim(
        "ten-pairs-dear",
        bool(seconds["one vector, then ten pairs"] > 2 * one),
        about="mathematics",
    )


def kept_of_ten(ten, answers):
    """ten: {way: share of the exact first ten, (questions,)}."""
    signs, rescored = ten["bits, 40 by signs"], ten["bits, 40 rescored"]
    claim(
        "signs-win-part",
        compare(signs, ten["bits"], answers).word == AHEAD
        and compare(signs, rescored, answers).word == BEHIND,
        about="mathematics",
    )
    claim(
        "bits-beat-eighth",
        compare(ten["bits"], ten["first eighth"], answers).word == AHEAD,
        about="mathematics",
    )


def walks(kept, costs):
    """kept: {(vectors, ef): shares}; costs: {vectors: its columns}."""
    sizes = sorted({size for size, _ in kept})
    few, many = sizes[0], sizes[-1]
    claim(
        "same-walk-misses",
        compare(kept[many, 20], kept[few, 20]).word == BEHIND
        and compare(kept[many, 80], kept[many, 20]).word == AHEAD,
        about="data",
    )
    rows = np.array([list(columns.values()) for columns in costs.values()])
    built, gained = rows[:, 0], rows[:, 2]
    claim(
        "large-index-gains",
        bool((np.diff(built) > 0).all() and (np.diff(gained) > 0).all()),
        f"Gains: {gained.round(1).tolist()}.",
        about="data",
    )


def long_texts(rr, behind, goal):
    """rr: {way: 1 / rank}; behind: whose answer stands behind the beginning."""

    first, mean, best = (of[behind] for of in rr.values())
    later = [compare(of, first, goal[behind]).word for of in (mean, best)]
    open_ = compare(best, mean, goal[behind])
    glue("long_first", float(first.mean()))
    glue("long_best", float(best.mean()))
    claim("beginning-loses", later == [AHEAD] * 2 and bool(best.mean() > 0.6))
    claim(
        "best-window-open",
        open_.word == LEVEL,
        f"Best less mean: {open_.interval()}.",
        about="data",
    )
