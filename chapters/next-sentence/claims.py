"""What "Next sentence prediction" says of this run, and when it is true.

One function for each hidden cell. A claim's name is the one that its sentence carries.
"""

import numpy as np

from helpers import glue
from helpers.verdicts import AHEAD, BEHIND, claim, compare


def opening(model):
    """model: a table (stories, kinds) of probabilities."""
    accepted = model > 0.5
    counts = accepted.sum()
    said = ", ".join(f"{kind} {count}" for kind, count in counts.items())
    for kind, count in counts.items():
        glue(f"accepted_{kind.split()[0]}", int(count))
    fewer = compare(accepted["other topic"], accepted["true"]).word == BEHIND
    claim("accepts-true", counts["true"] > 28 and fewer, said)
    claim(
        "accepts-swapped",
        bool(abs(counts["swapped"] - counts["true"]) <= 4)
        and compare(accepted["other topic"], accepted["swapped"]).word == BEHIND,
        said,
    )
    claim(
        "rejects-other-story",
        found=said,
        holds=fewer
        and compare(accepted["same topic"], accepted["true"]).word == BEHIND,
    )


def one_pair(share, difference):
    glue("store_share", f"{share:.3f}")
    claim("models-own-logits", difference < 1e-4, about="mathematics")
    claim("sure-of-the-opposite", share < 0.05, f"It gives {share:.2f}.")


def single(followed, elsewhere, model):
    """followed, elsewhere: shares of single sentences; model: those of the opening."""
    true, false = followed > 0.5, elsewhere > 0.5
    glue("single_true", int(true.sum()))
    glue("single_pairs", len(true))
    glue("single_percent", float(100 * true.mean()))
    glue("single_false", float(100 * false.mean()))
    longer = float((model["true"] > 0.5).mean())
    glue("double_percent", 100 * longer)
    stories = np.arange(len(true)) // 4
    claim(
        "two-in-five-refused",
        bool(0.35 < 1 - true.mean() < 0.45)
        and compare(true, false, stories).word == AHEAD,
        f"It refuses {1 - true.mean():.0%}.",
    )
    first = true.to_numpy().reshape(-1, 4).mean(axis=1)
    claim(
        "longer-parts-better",
        compare(model["true"] > 0.5, first).word == AHEAD
        and compare(true, false, stories).word == AHEAD,
        f"It accepts {longer:.0%} of the halves.",
    )


def choices(wins):
    """wins: {scorer: {kind: 1, 0.5 or 0 for each story}}."""
    rule, ours = wins["word vectors"], wins["model"]
    only_model = int(((ours["other topic"] == 1) & (rule["other topic"] == 0)).sum())
    only_rule = int(((ours["other topic"] == 0) & (rule["other topic"] == 1)).sum())
    glue("model_topic", int(ours["other topic"].sum()))
    glue("rule_topic", int(rule["other topic"].sum()))
    glue("only_model", only_model)
    claim(
        "rule-half-swapped",
        rule["swapped"].sum() == len(rule["swapped"]) / 2,
        about="mathematics",
    )
    claim(
        "above-chance-both",
        compare(ours["other topic"], 0.5).low > 0.2
        and compare(rule["other topic"], 0.5).word == AHEAD,
    )
    claim(
        "something-added",
        only_rule == 0
        and compare(ours["other topic"], rule["other topic"]).word == AHEAD,
        f"The rule alone is right in {only_rule}.",
    )


def passages(scores, cosines, preferred):
    """scores, cosines: tables (passages, kinds), the model's and the rule's."""
    yes = scores > 0.5
    glue("true_accepted", float(100 * yes["true"].mean()))
    for kind in ("same book", "other book"):
        glue(f"rejected_{kind.split()[0]}", float(100 * (1 - yes[kind].mean())))
    wins = {
        kind: [preferred(of["true"], of[kind]) for of in (scores, cosines)]
        for kind in ("same book", "other book", "swapped")
    }
    for kind, (ours, theirs) in wins.items():
        glue(f"wins_{kind.split()[0]}", float(100 * ours.mean()))
        glue(f"rule_wins_{kind.split()[0]}", float(100 * theirs.mean()))
    better = {kind: compare(*pair) for kind, pair in wins.items()}
    claim(
        "other-book-rejected",
        yes["other book"].mean() < 0.1 and yes["true"].mean() > 0.8,
        f"It accepts {yes['other book'].mean():.0%}.",
        "results",
    )
    claim(
        "same-book-less",
        compare(yes["same book"], yes["other book"]).low > 0.15,
        about="results",
    )
    claim(
        "model-beats-rule",
        min(better[kind].low for kind in ("same book", "other book")) > 0.05,
        f"{better['other book'].interval()}, {better['same book'].interval()}",
        "results",
    )
    order = compare(wins["swapped"][0], 0.5)
    claim(
        "knows-order-little",
        order.low > 0 and order.high < 0.25 < wins["same book"][0].mean() - 0.5,
        f"{order.interval()}",
        "results",
    )


def lines(table, areas):
    """table: per cent of right answers (lines, kinds); areas: {kind: area}."""
    half, chosen = table.loc["0.5"], table.loc["chosen"]
    glue("chosen_true", float(chosen["true"]))
    glue("chosen_same", float(chosen["same book"]))
    for kind, area in areas.items():
        glue(f"area_{kind.split()[0]}", float(area))
    apart = half["true"] - half["same book"], chosen["true"] - chosen["same book"]
    claim(
        "line-moves-share",
        bool(
            chosen["same book"] > half["same book"] + 5
            and chosen["true"] < half["true"] - 5
            and abs(apart[1]) < abs(apart[0]) / 2
        ),
        f"The two are {apart[0]:.0f} points apart, then {apart[1]:.0f}.",
        "results",
    )
    claim(
        "areas-apart",
        areas["swapped"] + 0.2 < areas["same book"] < areas["other book"] - 0.05,
        f"They are {', '.join(f'{area:.2f}' for area in areas.values())}.",
        "results",
    )
