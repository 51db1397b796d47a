"""What "Question answering" says of this run: its numbers, and when it is true."""

import re

import numpy as np
import pandas as pd

from chapters.question_answering.reader import answer_scores
from chapters.question_answering.rivals import first_of_kind, words_then_kind
from helpers import DATA, glue
from helpers.verdicts import AHEAD, BEHIND, LEVEL, claim, compare

RIVALS = ("first of its kind", "nearest sentence, its kind")
BARE, MIXED = "reader, without the question", "reader, words shuffled"
SILENT, ALWAYS = "never answers", "always answers"
ZERO, CHOSEN = "answers above 0", "above the chosen"


def exact(said, golds):
    """Whether each answer is exact: (questions,)."""
    pairs = zip(said, golds, strict=True)
    return np.array([answer_scores(*pair)[0] for pair in pairs]) == 1


def opening(bert, hand, says):
    glue("n_hand", len(hand))
    glue("n_passages", hand.passage.nunique())
    claim(
        "four-and-silence",
        says["How many colours did Celestine Aubry use?"] == "four"
        and says["How many colours did the dentist use?"] == ""
        and says["What did the painter paint again and again?"] == "",
        f"{says}",
    )
    stolen = [says[f"When was the {thing} stolen?"] for thing in ("picture", "chair")]
    claim("chair-also-1996", all(s.endswith("1996") for s in stolen), f"{says}")
    claim("course-model", "course model" in bert.name, f"It is {bert.name}.", "data")


def small(said):
    claim(
        "finds-old-dog",
        answer_scores(said, ["the old dog"])[0] == 1,
        f"It is {said}.",
    )


def trained(before, after, rows, losses):
    """before, after: exact answers to rows; losses: of the steps between."""
    first, nearest = (
        exact(map(rule, rows.question, rows.text), rows.answers)
        for rule in (first_of_kind, words_then_kind)
    )
    more = [compare(after, other) for other in (before, first)]
    glue("n_tried", len(after))
    glue("before", int(before.sum()))
    glue("after", int(after.sum()))
    glue("first", int(first.sum()))
    glue("nearest", int(nearest.sum()))
    glue("first_loss", float(np.mean(losses[:5])))
    glue("last_loss", float(np.mean(losses[-5:])))
    claim(
        "learns-to-point",
        all(verdict.word == AHEAD for verdict in more),
        f"It leads by {[verdict.interval() for verdict in more]}.",
    )


def reads(scores, groups):
    """scores: {(way, where): exact (questions,)}; groups: {where: their passages}."""
    rule, hand = (
        {way: got for (way, at), got in scores.items() if at == where}
        for where in groups
    )
    share = {way: [float(got.mean()) for got in (rule[way], hand[way])] for way in hand}
    better = max(RIVALS, key=lambda way: share[way][1])
    leads = {
        way: compare(hand["reader"], hand[way], groups["by hand"], family=4)
        for way in (*RIVALS, BARE, MIXED)
    }
    at_home = [
        compare(rule["reader"], rule[way], groups["by rule"]) for way in (BARE, MIXED)
    ]
    more = [
        compare(one[MIXED], one[BARE], groups[where])
        for where, one in zip(groups, (rule, hand), strict=True)
    ]
    glue("rule", share["reader"][0])
    glue("hand", share["reader"][1])
    glue("best_rival", share[better][1])
    glue("lead_rival", leads[better].interval())
    glue("bare", share[BARE][1])
    glue("mixed", share[MIXED][1])
    found = f"{share}"
    told = {way: lead.interval() for way, lead in leads.items()}
    claim("nine-by-rule", 0.85 <= share["reader"][0] < 0.95, found)
    claim("ahead-of-rivals", all(leads[w].word == AHEAD for w in RIVALS), f"{told}")
    claim(
        "needs-both",
        all(lead.word == AHEAD for lead in (leads[BARE], leads[MIXED], *at_home)),
        f"By hand it leads by {told}; by rule {[v.interval() for v in at_home]}.",
    )
    claim(
        "question-more",
        all(verdict.word == AHEAD for verdict in more),
        f"Without the order it has more by {[v.interval() for v in more]}.",
    )


def overlap(question, text):
    """Share of a question's words that the text has."""
    asked = set(re.findall(r"\w+", question.lower()))
    return len(asked & set(re.findall(r"\w+", text.lower()))) / len(asked)


def told(higher, groups):
    """higher: {way: (pairs,)}, 1 where the question has the higher score, 1/2 equal."""
    ours, cheap = higher["lead"], higher["words in common"]
    coin = {name: compare(got, 0.5, groups) for name, got in higher.items()}
    apart = compare(ours, cheap, groups)
    glue("n_pairs", len(ours))
    glue("pairs", int((ours == 1).sum()))
    glue("counting", float(cheap.mean()))
    glue("reading", float(ours.mean()))
    glue("apart", apart.interval())
    claim(
        "both-beat-coin",
        all(verdict.word == AHEAD for verdict in coin.values()),
        f"Above one half: { {n: v.interval() for n, v in coin.items()} }.",
    )
    claim(
        "cannot-separate",
        apart.word == LEVEL and coin["lead"].word == AHEAD,
        f"The reader leads by {apart.interval()}.",
    )


def at_zero(rows, said):
    """Whether each question is dealt with where leads above 0 are answers."""
    right = exact(said.said, rows.answers)
    return np.where(said.lead > 0, right, rows.answers.str.len() == 0)


def policies(table, groups, at_home, lines):
    """table: {policy: dealt with (questions,)}; at_home: the same by rule, above 0."""
    gain = {n: compare(got, table[SILENT], groups) for n, got in table.items()}
    share = {n: float(got.mean()) for n, got in table.items()}
    glue("dealt_always", share[ALWAYS])
    glue("dealt_zero", share[ZERO])
    glue("dealt_chosen", share[CHOSEN])
    glue("dealt_rule", float(at_home.mean()))
    glue("line_low", float(min(lines)))
    glue("line_high", float(max(lines)))
    answered = share[ALWAYS] > 0.2  # somebody who finds nothing is no reader
    claim(
        "always-worst",
        gain[ALWAYS].word == BEHIND
        and min(share, key=share.get) == ALWAYS
        and answered,
        f"{gain[ALWAYS].interval()}",
    )
    claim(
        "no-more-than-silence",
        gain[ZERO].word != AHEAD
        and gain[ZERO].difference <= 0
        and at_home.mean() > 0.75,
        f"{gain[ZERO].interval()}, by rule {at_home.mean():.2f}",
    )
    claim("larger-lead", bool(min(lines) > 5 and answered), f"{lines}")
    claim(
        "threshold-wins-little",
        gain[CHOSEN].word == AHEAD and gain[CHOSEN].difference < 0.1,
        f"{gain[CHOSEN].interval()}; {lines}",
    )


def cited(many, given, groups):
    """many: of `searching.over_passages`; given: exact, from the right passage."""
    apart = compare(many.cited, many.first, groups)
    costs = compare(given, many.exact, groups)
    glue("found_first", float(many.first.mean()))
    glue("cited", float(many.cited.mean()))
    glue("from_all", float(many.exact.mean()))
    able = bool(given.mean() > 0.4)
    claim("among-three", bool(many.among.mean() > 0.9))
    claim(
        "cites-alike",
        apart.word == LEVEL and able and bool(many.cited.mean() > 0.8),
        f"Citing leads by {apart.interval()}.",
    )
    claim(
        "searching-costs",
        costs.word == AHEAD and able,
        f"The given passage leads by {costs.interval()}.",
    )


def book(asked, line):
    """asked: of `searching.over_book`; line: the threshold of our passages."""
    known = asked.known
    lead = compare(asked.search[known], asked.reader[known])
    says, right = asked.lead > line, int(asked.exact[known].sum())
    glue("n_known", int(known.sum()))
    glue("book_first", int(asked.search[known].sum()))
    glue("book_cited", int(asked.reader[known].sum()))
    glue("book_exact", right)
    glue("book_above", int(says.sum()))
    claim(
        "points-no-better",
        lead.word == LEVEL and abs(lead.difference) < 0.1 and right > 3,
        f"The search leads by {lead.interval()}.",
    )
    claim(
        "says-little",
        bool(0 < says.sum() <= len(says) / 4 and right > 3),
        f"{says.sum()} of {len(says)}, exact {right}",
    )


def loss(by_hand, library):
    claim(
        "loss-by-hand",
        bool(abs(by_hand - library) < 1e-3),
        f"{by_hand} and {library}",
        about="mathematics",
    )


def stored_steps():
    """The table of the training that made the reader: {set: exact by step}."""
    steps = pd.read_csv(DATA / "results" / "reader-steps.csv", comment="#")
    of = {name: p.set_index("step").exact for name, p in steps.groupby("set")}
    gain = {name: float(exact[750] - exact[375]) for name, exact in of.items()}
    claim("rule-keeps-improving", gain["rule"] > 0.05, f"{gain}", about="results")
    claim("hand-stalls", 0 < gain["hand"] < 0.03, f"{gain}", about="results")
