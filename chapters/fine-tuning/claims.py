"""What "Fine-tuning" says of this run: the numbers it prints, and when it is true.

One function for each hidden cell. A claim's name is the one that its sentence carries
in the page; its condition is as strict as the words, and holds the control as well.
"""

import numpy as np
import pandas as pd

from chapters.fine_tuning import figures
from chapters.fine_tuning.answers import (
    ALL,
    BLIND,
    FROZEN,
    LORA,
    RANDOM,
    STRONG,
    hits,
    share,
)
from helpers import glue
from helpers.verdicts import AHEAD, claim, compare


def twins(rows):
    by_fold = pd.DataFrame(figures.shares_of_twins(rows))
    blind, mean = by_fold[BLIND].max(axis=1), by_fold.mean()
    glue("n_pairs", rows.family.nunique())
    glue("twins_all", float(mean[ALL]))
    glue("twins_words", float(mean["words"]))
    glue("twins_control", float(mean[RANDOM[1]]))
    claim(
        "counters-two-thirds",
        bool(by_fold[BLIND].max(axis=None) < 0.68 and blind.min() > 0.62),
        f"{by_fold}",
        "results",
    )
    claim(
        "bert-leads-twins",
        bool(
            (
                by_fold[ALL]
                > by_fold.drop(columns=[FROZEN, LORA, ALL]).max(axis=1) + 0.05
            ).all()
        ),
        f"{by_fold}",
        "results",
    )
    claim(
        "random-falls-short",
        bool((by_fold[RANDOM].max(axis=1) < blind).all()),
        f"{by_fold}",
        "results",
    )


def training(seen, judge):
    """seen: the probabilities at each look, (looks, messages)."""
    right = [int(((p > 0.5) == judge.label).sum()) for p in seen]
    lead = compare(((seen[-1] > 0.5) == judge.label).astype(float), 2 / 3, judge.twin)
    glue("right_at_first", right[0])
    glue("right_at_last", right[-1])
    glue("n_judge", len(judge))
    claim(
        "starts-undecided",
        bool(np.ptp(seen[0]) < 0.3 and abs(right[0] / len(judge) - 0.5) < 0.1),
        f"The widest gap is {np.ptp(seen[0]):.2f}; {right[0]} are right.",
        "data",
    )
    claim(
        "ends-right",
        lead.low > 0 and np.ptp(seen[-1]) > 2 * np.ptp(seen[0]),
        f"{right[-1]} of {len(judge)} are right.",
    )


def low_rank(bert, little, before, after):
    names = dict(little.named_parameters())
    thin = sum(p.numel() for name, p in names.items() if "lora" in name)
    whole = sum(p.numel() for p in bert.model.parameters())
    glue("thin_share", float(100 * thin / whole))
    claim(
        "lora-starts-equal",
        bool(abs(after - before).max() < 1e-5),
        f"One answer moves by {abs(after - before).max():.2g}.",
        about="mathematics",
    )


def table(rows, answers, judge):
    """answers: {method: its probabilities in this run}, of six on the first fold."""
    leads = {m: figures.lead(rows, m) for m in [*BLIND, FROZEN, LORA, *RANDOM]}
    told = {m: verdict.interval("+.3f") for m, verdict in leads.items()}
    glue("lead_frozen", told[FROZEN])
    glue("lead_lora", told[LORA])
    claim(
        "ahead-of-rivals",
        all(leads[m].word == AHEAD for m in [*BLIND, FROZEN, *RANDOM]),
        f"{told}",
        "results",
    )
    again = {m: float(((p > 0.5) == judge.label).mean()) for m, p in answers.items()}
    gaps = {m: round(abs(got - share(rows, m)[0]), 3) for m, got in again.items()}
    claim("rerun-agrees", len(gaps) == 6 and max(gaps.values()) < 0.06, f"{gaps}")


def labels(curve):
    """curve: a row a number of labels, a column a filter."""
    gap = (curve[ALL] - curve[FROZEN])[curve.index > 50]
    glue("frozen_40", float(curve[FROZEN][40]))
    glue("all_40", float(curve[ALL][40]))
    glue("strong_all", float(curve[STRONG].iloc[-1]))
    reads = curve[FROZEN][40] > curve[STRONG].max()
    claim("then-leads", bool(reads and gap.min() > 0.02), f"{curve}")
    claim(
        "forty-labels",
        bool(curve[FROZEN][40] > curve[STRONG].max() + 0.05),
        f"{curve}",
    )


def old(free, alike):
    was, now = (
        pd.DataFrame({m: share(rows, m) for m in [*BLIND, FROZEN, LORA, ALL, *RANDOM]})
        for rows in (free, alike)
    )
    fall = was.mean() - now.mean()
    lead = compare(hits(free, RANDOM[0]), hits(free, FROZEN), free.family, family=3)
    ruler, cue = BLIND[0], [STRONG, *RANDOM]
    glue("n_alike", len(alike) // 3)
    glue("ruler_was", float(was[ruler].mean()))
    glue("ruler_now", float(now[ruler].mean()))
    glue("all_was", float(was[ALL].mean()))
    glue("all_now", float(now[ALL].mean()))
    claim("ruler-does-well", bool(was[ruler].min() > 0.8), f"{was}", "results")
    claim("random-beats-frozen", lead.word == AHEAD, lead.interval(), "results")
    claim(
        "ruler-becomes-coin",
        bool(abs(now[ruler] - 0.5).max() < 0.08),
        f"{now}",
        "results",
    )
    claim("surface-loses-tenth", bool(fall[cue].min() > 0.1), f"{fall}", "results")
    claim(
        "trained-lose-less",
        bool(
            max(fall[[ALL, LORA]]) < fall[cue].min() - 0.04
            and min(was[[ALL, LORA]].mean()) > 0.9
            and min(was[cue].mean()) > 0.9
        ),
        f"{fall}",
        "results",
    )


def real(official, label):
    """official: a row a filter. label: 1 for each spam of the collection, else 0."""
    wrong, found = official.mistakes, f"{official.mistakes.to_dict()}"
    for name, method in {"words": "words", "strong": STRONG, "all": ALL}.items():
        glue(f"wrong_{name}", int(wrong[method]))
    glue("wrong_ruler", int(wrong[BLIND[0]]))
    glue("n_spam", int(label.sum()))
    saved = wrong["words"] - wrong[ALL]
    claim(
        "surface-saves-most",
        bool(wrong["words"] - wrong[STRONG] > 0.6 * saved > 0),
        found,
        "results",
    )
    claim("ahead-of-words", official.word[ALL] == AHEAD, f"{official.low}", "results")
    claim(
        "lead-perhaps-luck",
        bool(
            official.low_2[ALL] < 0 < official.high_2[ALL]
            and official.word[STRONG] == AHEAD
        ),
        f"{official.low_2}",
        "results",
    )
    claim("ruler-below-ham", bool(wrong[BLIND[0]] > label.sum()), found, "results")


def trainer(ours, theirs):
    claim(
        "trainer-agrees",
        bool(abs(ours - theirs).max() < 0.01),
        f"{abs(ours - theirs).max():.2g}",
        about="mathematics",
    )


def kept(back, last, sizes):
    """sizes: bytes of the weights in each folder, by the folder's name."""
    times = sizes["spam-filter"] / sizes["spam-lora"]
    glue("lora_times", float(times))
    claim("reads-back", bool(abs(back - last).max() < 1e-4), about="mathematics")
    claim("lora-small-file", bool(times > 20), f"{times:.0f} times.", "mathematics")


def rates(losses, full, lora, own, of_control):
    """losses: a row a network and rate. full, lora: the rates that run on the page.

    own: a row, the control at its own best rate on the first fold. of_control: its
    shares at BERT's rate, in three folds.
    """
    best = losses.set_index("rate").groupby("method").loss.idxmin()
    inside = all(
        part.rate.min() < best[name] < part.rate.max()
        for name, part in losses.groupby("method")
    )
    found = f"{best.to_dict()}"
    glue("rate_full", f"{best['fine-tuned']:g}")
    glue("rate_control", f"{best['random, fine-tuned']:g}")
    glue("own_right", float(own.right.item()))
    glue("at_berts", float(of_control[0]))
    claim(
        "rates-run",
        bool(best["fine-tuned"] == full and best["LoRA"] == lora and inside),
        found,
        "results",
    )
    claim(
        "lora-rate-higher",
        bool(5 < best["LoRA"] / best["fine-tuned"] < 20),
        found,
        "results",
    )
    claim(
        "own-rate-no-help",
        bool(
            own.rate.item() == best["random, fine-tuned"]
            and own.right.item() < of_control[0]
        ),
        f"{own.right.item():.2f} and {of_control[0]:.2f}",
        "results",
    )
