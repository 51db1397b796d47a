"""What "Texts of your own" says of this run, and when it is true."""

import numpy as np

from chapters.your_own_domain.texts import CREWS
from helpers import glue
from helpers.verdicts import BEHIND, claim

LAST, SHOWN = 80, "heron"  # the step at which the kept runs end; the crew on top
READS = 5.5  # who has read nothing is surprised by about 10


def _ends(losses):
    return (losses.xs(step, level="step") for step in (0, LAST))


def opening(losses):
    start, end = _ends(losses)
    gain = {name: start[name] - end[name] for name in ("tickets", "everyday")}
    kept = start["everyday"] - end["everyday, mixed"]
    falls = losses[["tickets", "tickets, mixed"]].groupby(level="crew")
    steady = all(
        (
            of.loc[crew]
            .fillna({"tickets, mixed": of.loc[crew]["tickets"].iloc[0]})
            .diff()
            .iloc[1:]
            < 0
        ).all(axis=None)
        for crew, of in falls
    )
    glue("start_tickets", float(start.tickets[SHOWN]))
    glue("end_tickets", float(end.tickets[SHOWN]))
    glue("start_everyday", float(start.everyday[SHOWN]))
    glue("end_everyday", float(end.everyday[SHOWN]))
    claim(
        "tickets-surprise-less",
        bool(steady and gain["tickets"].min() > 1),
        f"{gain['tickets'].to_dict()}",
        "results",
    )
    claim(
        "forgets-everyday",
        bool((gain["everyday"] < -0.2).all()),
        f"{gain['everyday'].to_dict()}",
        "results",
    )
    claim(
        "mixing-prevents-forgetting",
        bool((kept > 0).all() and (gain["everyday"] < -0.2).all()),
        f"{kept.to_dict()}",
        "results",
    )


def masked_words(table, change, losses):
    """table: before, after and the rival's surprise of each set; change: verdicts."""
    told = {name: verdict.interval() for name, verdict in change.items()}
    drop = {name: -verdict.difference for name, verdict in change.items()}
    reads = table["tickets"]["after"] < READS
    counted = {name: row["common pieces"] for name, row in table.items()}
    glue("tickets_before", float(table["tickets"]["before"]))
    glue("tickets_after", float(table["tickets"]["after"]))
    glue("tickets_counted", float(counted["tickets"]))
    phrases = table.get("new phrases", {"before": np.nan, "after": np.nan})
    glue("phrases_before", float(phrases["before"]))
    glue("phrases_after", float(phrases["after"]))
    new = change.get("new phrases")
    claim(
        "phrases-win-less",
        bool(
            reads
            and new is not None
            and new.word == BEHIND
            and change["tickets"].high < new.low
        ),
        f"{told}",
    )
    claim(
        "counting-far-off",
        bool(
            reads
            and all(row["after"] < counted[name] - 0.5 for name, row in table.items())
        ),
        f"{table}",
    )
    claim(
        "everyday-kept",
        bool(reads and change["everyday"].high < 0.1 and drop["tickets"] > 0.5),
        f"{told}",
    )


def mixing(losses):
    start, end = _ends(losses)
    costs = end["tickets, mixed"] - end["tickets"]
    gained = start["tickets"] - end["tickets"]
    dearer = end["new phrases, mixed"] - end["new phrases"]
    share = dearer / (start["new phrases"] - end["new phrases"])
    glue("mixed_tickets", float(end["tickets, mixed"][SHOWN]))
    glue("alone_tickets", float(end["tickets"][SHOWN]))
    claim(
        "mixing-spares-tickets",
        bool((costs.abs() < gained / 10).all()),
        f"{costs.to_dict()}",
        "results",
    )
    claim(
        "mixing-costs-phrases",
        bool(
            (share > costs / gained).all()
            and (end["new phrases, mixed"] < start["new phrases"]).all()
        ),
        f"{share.to_dict()}",
        "results",
    )


def sixteen(shares, hits, away):
    """shares: {way: four crews}. hits: this run's, of the crew that judges."""
    of = {way: np.array(four) for way, four in shares.items()}
    told = f"{ {way: four.round(2).tolist() for way, four in of.items()} }"
    words, frozen, adapted, pairs, short, long, blank = of.values()
    for name, four in {
        "words": words,
        "frozen": frozen,
        "adapted": adapted,
        "pairs": pairs,
        "tuned30": short,
        "tuned60": long,
        "random": blank,
    }.items():
        glue(f"mean_{name}", float(four.mean()))
    now = {name: float(hit.mean()) for name, hit in hits.items()}
    at = CREWS.index(away) if away in CREWS else None
    agrees = at is not None and (
        abs(now["BERT"] - frozen[at]) < 0.04
        and abs(now["BERT, pairs first"] - pairs[at]) < 0.06
    )
    glue("run_frozen", now["BERT"])
    glue("run_pairs", now["BERT, pairs first"])
    claim(
        "vectors-beat-words",
        bool(agrees and (frozen > words + 0.08).all()),
        f"{told}; this run {now}",
    )
    claim(
        "pairs-first-win",
        bool(
            agrees
            and now["BERT, pairs first"] > now["BERT"] + 0.03
            and (pairs > frozen + 0.03).all()
        ),
        f"{told}; this run {now}",
    )
    claim("pairs-lead-early", bool((pairs > short).all()), told, "results")
    claim(
        "tuning-draws-level",
        bool(abs(long.mean() - pairs.mean()) < 0.03 < (long - short).mean()),
        told,
        "results",
    )
    claim(
        "random-stays-guessing",
        bool((blank < 1 / 6 + 0.04).all() and (pairs > blank + 0.15).all()),
        told,
        "results",
    )
    bought = adapted - frozen
    claim(
        "masking-brings-nothing",
        bool(bought.max() < 0.01 and (pairs - frozen).min() > 0.03),
        told,
        "results",
    )


def all_labels(stored):
    """stored: `texts.kept_run`; F1 above 0.5 with all labels, before and after."""
    f1 = stored[stored.what.str.startswith("F1")].pivot(
        index="crew", columns="what", values="value"
    )
    gain = f1["F1, adapted"] - f1["F1, frozen"]
    claim(
        "masking-with-all-labels",
        bool((gain > 0).sum() == 3 and 0.015 <= gain.mean() < 0.025),
        f"{gain.round(3).to_dict()}",
        "results",
    )
