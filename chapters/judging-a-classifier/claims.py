"""What "Judging a classifier" says of this run, and when it is true."""

import numpy as np

from chapters.judging_a_classifier.figures import sorted_hundred
from chapters.judging_a_classifier.mail import rates
from helpers import glue
from helpers.verdicts import claim, compare

RARE = 13  # spam among a hundred messages of an inbox


def folders(p, labels):
    shares = {}
    for name, spam in (("test", 50), ("inbox", RARE)):
        called, _ = sorted_hundred(p, labels, spam, 0.5)
        shares[name] = called[0] / sum(called) if sum(called) else 0.0
        glue(f"{name}_spam", called[0])
        glue(f"{name}_called", sum(called))
    found = f"{shares['test']:.2f} and {shares['inbox']:.2f}"
    claim("test-folder-good", shares["test"] > 0.7, found)
    claim(
        "inbox-folder-mixed",
        0 < shares["inbox"] < 0.5 and shares["test"] > 0.7,
        found,
    )


def filter_at_half(bert, train, judged, p, hit):
    of_score = compare(hit, 0.5, groups=judged.twin)
    found, lost = rates(p, judged.label.to_numpy(), 0.5)
    glue("n_train", len(train))
    glue("n_judged", len(judged))
    glue("accuracy", float(hit.mean()))
    glue("ends", f"{0.5 + of_score.low:.2f} to {0.5 + of_score.high:.2f}")
    glue("recall", found)
    glue("lost", lost)
    claim("course-model", "course model" in bert.name, f"Here {bert.name} runs.")


def repeats(known, near):
    claim(
        "repeats-unnoticed",
        bool(known.sum() >= 2 and near.sum() > known.sum()),
        f"{known.sum()} and {near.sum()}",
        "data",
    )


def promise(rows, kept):
    """rows: each mail, half and who is judged; kept: their means."""
    chose, others = "on those that chose", "on the others"
    test, inbox = kept.loc["50%"], kept.loc["13%"]
    glue("chose_recall", float(test.recall[chose]))
    glue("chose_precision", float(test.precision[chose]))
    glue("other_precision", float(test.precision[others]))
    glue("inbox_recall", float(inbox.recall[others]))
    found = f"{kept.round(2)}"
    met = rows[rows[""] == chose].precision.min() >= 0.9
    claim(
        "hardly-any-found",
        bool(inbox.recall.max() < 0.25 < 0.35 < test.recall.min()),
        found,
    )
    claim(
        "promise-missed",
        bool(
            met
            and max(test.precision[others], inbox.precision[others]) < 0.9
            and test.recall.min() > 0.35
        ),
        found,
    )


def sureness(table, plain, tempered, hit, twin):
    """table: confidence, accuracy, ECE and its luck of both."""
    raw, mild = (
        compare(np.maximum(p, 1 - p), hit, groups=twin) for p in (plain, tempered)
    )
    gap, left = (
        of["confidence"] - of["accuracy"]
        for of in (table.loc["fine-tuned"], table.loc["tempered"])
    )
    glue("confidence", float(table.confidence["fine-tuned"]))
    glue("tempered_confidence", float(table.confidence["tempered"]))
    learned = hit.mean() > 0.65
    claim("not-sure-enough", bool(raw.high < 0 and learned), raw.interval())
    claim(
        "tempering-mends",
        bool(raw.high < 0 and learned and abs(left) < abs(gap) / 4),
        f"The gap is {gap:+.3f}, then {left:+.3f}; {mild.interval()}.",
    )


def bills(of, moved):
    none, half = of["no filter"], of["0.5"]
    glue("bill_half", float(half))
    glue("bill_strict", float(of["3/4"]))
    glue("highest", float(moved.max()))
    claim("dearer-than-none", bool(half > 2 * none), f"{of}")
    moved_bill = of["3/4, tempered and moved"]
    claim(
        "moved-costs-no-less",
        bool(moved_bill > none - 1e-9 and of["3/4, tempered"] > none),
        f"{of}",
    )


def kin(slices, hit, labels):
    row = slices.loc["names a relative"]
    glue("kin_found", float(row["spam found"]))
    glue("kin_right", float(row["accuracy"]))
    glue("kin_constant", float(row["best constant"]))
    overall = float(hit[labels == 1].mean())
    claim(
        "relatives-missed",
        bool(row["spam found"] < overall - 0.15 and overall > 0.6),
        f"{row['spam found']:.2f} and {overall:.2f}",
    )


def elsewhere(p, hit):
    """p: of the 48 texts of another kind; hit: of the messages that judge."""
    called = int((p > 0.5).sum())
    glue("called_abroad", called)
    claim(
        "calls-most",
        bool(called > 0.6 * len(p) and hit.mean() > 0.7),
        f"It calls {called} spam.",
    )
