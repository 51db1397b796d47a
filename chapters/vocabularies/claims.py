"""What "Vocabularies" says of this run: the numbers it prints, and when it is true.

One function for each hidden cell. A claim's name is the one that its sentence carries.
"""

import math
from collections import Counter
from itertools import chain

import numpy as np

from chapters.vocabularies.learner import words
from helpers import glue
from helpers.verdicts import AHEAD, BEHIND, claim, compare

SAID = "alice's sister wondered"


def four_texts(cuts):
    """cuts: {name: the pieces of each word} after the merges of the first picture."""
    note, russian = cuts["a clinic's note"], cuts["Russian"]
    known = [piece for cut in russian for piece in cut if piece != "[UNK]"]
    glue("note_words", len(note))
    glue("note_pieces", sum(map(len, note)))
    whole = all(len(cut) == 1 for cut in cuts["English"])
    claim("english-whole", whole, about="data")
    claim(
        "splinters",
        whole
        and all(sum(map(len, one)) >= 2 * len(one) for one in (note, cuts["German"])),
        about="data",
    )
    claim(
        "russian-unknown",
        len(known) == 2 and not any(piece.isalnum() for piece in known),
        f"It knows {known}.",
        "data",
    )


def first_merges(found, library):
    joined = ["".join(pair) for pair in found]
    glue("alice_at", joined.index("alice") + 1)
    claim("first-merge", found[:2] == [("h", "e"), ("t", "he")], f"{found[:2]}", "data")
    claim("merges-agree", found == library[:40], about="data")


def three_rules(by_rule, per_piece, book):
    """by_rule: {rule: merges}. per_piece: characters per piece of kept-out texts."""
    for name, values in per_piece.items():
        glue(f"{name}_spells", float(np.mean(values)))
    mean = {name: np.mean(values) for name, values in per_piece.items()}
    claim(
        "ratio-single-letters",
        bool(mean["ratio"] < 1.3 and min(mean["count"], mean["likelihood"]) > 1.6),
        f"Its pieces have {mean['ratio']:.2f} characters.",
        "data",
    )
    often = Counter(chain.from_iterable(words(" ".join(book))))
    rare = {
        name: np.mean([often[one] for pair in pairs[:20] for one in "".join(pair)])
        for name, pairs in by_rule.items()
    }
    claim(
        "begins-rare",
        bool(rare["ratio"] < 0.5 * min(rare["count"], rare["likelihood"])),
        f"{rare}",
        "data",
    )
    short = compare(per_piece["likelihood"], per_piece["count"])
    claim(
        "likelihood-near-count",
        short.word == BEHIND and bool(mean["likelihood"] > 0.95 * mean["count"]),
        f"The difference is {short.interval()} characters.",
        "data",
    )


def library(ours, theirs):
    """ours: {rule: pieces in order}. theirs: those of the library's WordPiece."""
    claim(
        "count-agrees-wholly",
        ours["count"] == theirs and len(theirs) > 3000,
        about="data",
    )
    claim(
        "others-differ-first",
        ours["ratio"][0] != theirs[0] != ours["likelihood"][0],
        about="data",
    )


def curves(of):
    """of: {text: pieces per word by merges}."""
    glue("english_end", float(of["English"][-1]))
    glue("german_end", float(of["German"][-1]))
    left = {name: values[-1] / values[0] for name, values in of.items()}
    others = [share for name, share in left.items() if name != "English"]
    claim(
        "english-gains-most",
        bool(of["English"][-1] < 1.5 and left["English"] < min(others) - 0.05),
        f"Of the pieces are left {left}",
        "data",
    )
    claim("russian-nothing", left["Russian"] == 1, about="data")


def in_bytes(cost, pieces):
    """cost: {language: pieces per character of each sentence}."""
    mean = {name: np.mean(values) for name, values in cost.items()}
    glue("russian_cost", float(mean["Russian"]))
    glue("english_cost", float(mean["English"]))
    claim(
        "nothing-unknown-equal",
        "[UNK]" not in pieces
        and compare(cost["Russian"], cost["German"]).word == AHEAD
        and compare(cost["German"], cost["English"]).word == AHEAD,
        about="data",
    )
    claim(
        "russian-costs-more",
        bool(mean["Russian"] > 4.1 * mean["English"]),
        about="data",
    )


def notes(per_kind):
    for kind, value in per_kind.items():
        glue(f"{kind}_pieces", float(value))


def by_unit(by_piece, by_character):
    """Losses in nats as the list grows."""
    glue("piece_start", float(by_piece[0]))
    glue("piece_end", float(by_piece[-1]))
    glue("character_end", float(by_character[-1]))
    claim(
        "per-character-better",
        sorted(set(by_piece)) == list(by_piece)
        and sorted(set(by_character), reverse=True) == list(by_character),
        about="data",
    )


def leaks(bert, leak, some, alone, whole):
    """leak: {word: losses of its pieces, two ways}. alone, whole: per character."""
    glue("un_alone", leak["unhappiness"][0][0])
    glue("un_left", leak["unhappiness"][1][0])
    one, other = ([sum(way) / len(word) for way in leak[word]] for word in leak)
    claim(
        "unhappiness-easier",
        one[0] < other[0] and one[1] > 1.5 * other[1],
        f"It is {one[0]:.2f} and {other[0]:.2f}, then {one[1]:.2f} and {other[1]:.2f}.",
    )
    flattered, saved = compare(alone, whole), whole - alone
    glue("n_words", len(some))
    glue("flattered", float(100 * (1 - alone.sum() / whole.sum())))
    claim(
        "masking-flatters",
        flattered.word == BEHIND and bool(alone.sum() < 0.9 * whole.sum()),
        f"The difference is {flattered.interval()}.",
    )
    n_pieces = np.array([len(bert.tokenizer.tokenize(word)) for _, word, _ in some])
    two, more = saved[n_pieces == 2], saved[n_pieces > 2]
    claim(
        "finer-saves-more",
        bool(more.mean() > 1.3 * two.mean() > 0.1),
        f"Of two pieces {two.mean():.2f}, of more {more.mean():.2f}.",
    )


def first_order(n, first, second, total, same=False):
    """The rule of other texts, which leave out the -1."""
    return n * math.log(n * total / (first * second))


def gain(totals, gains, orders):
    """totals: log-probabilities before and after each merge. gains: by the formula."""
    off = np.abs(np.diff(totals) - gains).max()
    claim("spellings-agree", bool(off < 1e-3), f"{off}", "mathematics")
    exact, other = orders["exact"], orders["first order"]
    claim(
        "third-pair-differs",
        exact[:2] == other[:2]
        and exact[2] == ("##n", "##g")
        and other[2] == ("##o", "##u"),
        about="data",
    )


def unigram(alike, struck, by_count):
    """struck, by_count: characters per piece of the kept-out texts."""
    glue("unigram_length", float(np.mean(struck)))
    claim("list-cuts-alike", all(alike), about="mathematics")
    claim("shorter-pieces", compare(struck, by_count).word == BEHIND, about="data")


def new_rows(old, apart):
    """old: the rows of the trained entries. apart: of a new one from their mean."""
    usual = (old[1000:2000] - old[2000:3000]).abs().max(dim=1).values.mean()
    claim("untrained-entries-mean", bool(apart < 0.02 * usual), about="mathematics")


def fillings(ways, above, owners, n_known):
    """ways: {filling: losses}. above: how far each is above the own entry."""
    glue("n_known", n_known)
    mean = {name: np.mean(values) for name, values in ways.items()}
    parts = "new: its pieces' mean"
    found = ", ".join(f"{name} {verdict.interval()}" for name, verdict in above.items())
    claim("trained-entry-best", min(mean, key=mean.get) == "own entry", found)
    claim("one-lead-sure", above[parts].low > 0, found)
    worst = compare(ways[parts], ways["new: the table's mean"], groups=owners)
    claim(
        "mean-of-pieces-worst",
        worst.word == AHEAD and max(mean, key=mean.get) == parts,
        f"Above the table's mean it lies by {worst.interval()}.",
    )
