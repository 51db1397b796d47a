"""What "Labels that are not one of two" says of this run, and when it is true."""

import numpy as np

from chapters.many_labels import figures
from chapters.many_labels.tickets import kept
from helpers import glue
from helpers.verdicts import claim


def opening():
    made = kept("thresholds").pivot(
        index=["crew", "threshold"], columns="way", values="f1"
    )
    half, best = made.xs(0.5, level="threshold"), made.groupby(level="crew").max()
    mean = figures.mean_curves()
    for way, (x, y) in mean.items():
        glue(f"half_{way.lower()}", float(y[np.isclose(x, 0.5)][0]))
        glue(f"best_{way.lower()}", float(y.max()))
        glue(f"at_{way.lower()}", float(x[y.argmax()]))
    claim(
        "half-far-from-best",
        bool((best - half > 0.08).all(axis=None)),
        f"{(best - half).round(2)}",
        "results",
    )
    claim(
        "threshold-lifts-words",
        bool(
            (best.words - half.words > 0.3).all()
            and (best.words > half.BERT).all()
            and (best.BERT > best.words).all()
        ),
        f"{best.round(2)} {half.round(2)}",
        "results",
    )


def two_ways(p):
    """p: the probabilities of a ticket with two faults, a sigmoid each."""
    scores = np.log(p / (1 - p))
    shares = np.exp(scores) / np.exp(scores).sum()
    two = np.argsort(p)[-2:]
    glue("sigmoid_low", float(p[two].min()))
    glue("softmax_low", float(shares[two].min()))
    claim(
        "softmax-loses-one",
        bool((p[two] > 0.5).all() and shares[two].min() < 0.5 and p.sum() > 1),
        f"{p.round(2)}",
    )


def thresholds(f1, strict):
    """f1: {(who, way): four pairs of micro and macro F1}.

    strict: {C: (micro F1 above 0.5, micro F1 above a chosen threshold, mean average
    precision)} of counted words, the mean of four crews.
    """
    micro = {key: np.array(four)[:, 0] for key, four in f1.items()}
    half, one, each = (
        {who: micro[who, way] for who in ("words", "BERT")}
        for way in figures.WAYS_TO_GIVE
    )
    told = {key: four.round(2).tolist() for key, four in micro.items()}
    glue("words_half", float(half["words"].mean()))
    glue("words_one", float(one["words"].mean()))
    glue("bert_half", float(half["BERT"].mean()))
    glue("bert_one", float(one["BERT"].mean()))
    weak, strong = min(strict), max(strict)
    glue("weak_half", strict[weak][0])
    glue("strong_half", strict[strong][0])
    glue("strong_C", f"{strong:g}")
    glue("n_ahead", int((one["BERT"] > one["words"]).sum()))
    claim(
        "bert-stays-ahead",
        bool((one["BERT"] > one["words"] + 0.03).all()),
        f"{told}",
    )
    claim(
        "half-measures-caution",
        bool(
            strict[strong][0] > 2.5 * strict[weak][0]
            and abs(strict[strong][1] - strict[weak][1]) < 0.03
            and abs(strict[strong][2] - strict[weak][2]) < 0.03
        ),
        f"{strict}",
        "data",
    )
    claim(
        "one-threshold-enough",
        bool(
            max((each[who] - one[who]).mean() for who in each) < 0.015
            and (one["BERT"] > one["words"] + 0.03).all()
        ),
        f"{told}",
    )
    claim(
        "above-every-label",
        bool(
            (one["words"] > micro["every label", "given"]).all()
            and (one["BERT"] > micro["every label", "given"] + 0.05).all()
        ),
        f"{told}",
    )


def rare(table):
    """table: a row a way, as `figures.table_of_rare` makes it."""
    area, named = table["average precision"], table["named"]
    tops = table["hurt in the top 35"]
    louder, told = ["weights", "over-sampling"], f"{table.round(3)}"
    knows = area["plain"] > area["plain, words"] + 0.03
    glue("plain_named", int(named["plain"]))
    glue("plain_found", int(table["hurt among them"]["plain"]))
    glue("weights_named", int(named["weights"]))
    glue("weights_found", int(table["hurt among them"]["weights"]))
    glue("plain_area", float(area["plain"]))
    glue("weights_area", float(area["weights"]))
    glue("under_area", float(area["under-sampling"]))
    glue("plain_top", int(tops["plain"]))
    glue("weights_top", int(tops["weights"]))
    claim(
        "names-more",
        bool(knows and min(named[louder]) > 3 * named["plain"]),
        told,
    )
    claim(
        "list-no-better",
        bool(
            knows
            and max(area[louder]) < area["plain"] + 0.01
            and max(tops[louder]) <= tops["plain"] + 1
        ),
        told,
    )
    claim(
        "under-sampling-worst",
        bool(
            knows
            and area["under-sampling"]
            < 0.75 * area.drop(["under-sampling", "plain, words"]).min()
        ),
        told,
    )


def few_and_all(every):
    """every: what giving every label to every ticket gets, four crews as they judge."""
    rows = {w: tuple(map(np.array, pair)) for w, pair in figures.few_and_all().items()}
    told = {w: [of.round(2).tolist() for of in pair] for w, pair in rows.items()}
    for name, way in {"words": "words", "bert": "BERT"}.items():
        glue(f"all_{name}", float(rows[way][0].mean()))
        glue(f"few_{name}", float(rows[way][1].mean()))
    from_few = {way: pair[1] - np.array(every) for way, pair in rows.items()}
    claim(
        "few-words-nothing",
        bool(
            from_few["words"].max() < 0.01 and (rows["words"][0] - every).min() > 0.015
        ),
        f"{told}",
        "results",
    )
    claim(
        "few-bert-something",
        bool(
            from_few["BERT"].min() > 0.04
            and from_few["random BERT"].max() < from_few["BERT"].min()
        ),
        f"{told}",
        "results",
    )
