"""What "Pre-training" says of this run, and when it is true.

One function for each hidden cell. A claim's name is the one that its sentence carries.
"""

import math

import pandas as pd
import torch

from chapters.pretraining.figures import MANY, MOMENTS, ONES, best
from helpers import DATA, glue
from helpers.verdicts import AHEAD, claim, compare

HALF_WAY = 500  # a step at which most of the loss has fallen


def first_screen(run, shown):
    one, many = shown
    verbs = {*ONES, *MANY}
    early = [best(run, text, MOMENTS[0]) for text in shown]
    last = [next(iter(best(run, text, MOMENTS[-1]))) for text in shown]
    ones, many = run.about["right"]
    glue("n_kept", len(run.steps))
    glue("right_ones", ones)
    glue("right_many", many)
    claim(
        "common-words-first",
        not any(verbs & {*guesses} for guesses in early),
        f"The guesses are {[*map(list, early)]}.",
        "results",
    )
    claim("first-right", last[0] in ONES, f"It is {last[0]}.", "results")
    claim("second-wrong", last[1] in ONES, f"It is {last[1]}.", "results")
    kinds = bool(ones > 90 and abs(many - 50) < 6)
    claim("two-kinds", kinds, f"{ones:.0f} and {many:.0f} of 100.", "results")


def one_batch(fresh, batch, losses, falls):
    (own, other), (own_last, other_last) = falls[0], falls[-1]
    glue("own_first", own)
    glue("own_last", own_last)
    glue("other_first", other)
    glue("other_last", other_last)
    with torch.no_grad():
        ours = sum(part.mean() for part in losses(fresh, batch))
        theirs = fresh(**batch).loss
    claim("loss-near-nothing", own_last < 0.2, f"It is {own_last:.2f}.", "data")
    claim("cut-off-rises", other_last > other + 0.5, about="data")
    claim("library-adds-up", torch.isclose(ours, theirs, atol=1e-4), "", "mathematics")


def course(table, chance, frequencies, between, seen, unread, read, held):
    """Return the first kept step that is better than the neighbours.

    table: loss, pairs and exchanged for each kept step; seen: of stories read. held:
    the sentences of the held-out stories, before those that were read are left out.
    """
    last, common = table.iloc[-1], frequencies.mean()
    passed = int(table.index[table.loss < between.mean()][0])
    glue("first_loss", float(table.loss.iloc[0]))
    glue("final_loss", float(last.loss))
    glue("final_exchanged", float(last.exchanged))
    glue("passed", passed)
    glue("perplexity", math.exp(last.loss))
    glue("n_pieces", round(math.exp(chance)))
    glue("seen_loss", seen["loss"])
    share = sum(text in read for text in held) / len(held)
    claim(
        "exam-unread",
        0.25 <= share < 0.35
        and not any(text in read for story in unread for text in story),
        f"Of all {share:.0%} were read.",
        "data",
    )
    claim("above-even-guess", table.loss.iloc[0] > chance + 0.1, about="results")
    flat = table.loc[60:150]
    parted = (table.exchanged - table.loss).loc[:150].abs().max()
    claim(
        "rests-on-frequencies",
        bool((flat.loss - common).abs().max() < 0.2 and table.loss[300] < common - 0.5),
        f"{flat.loss.max():.2f} to {flat.loss.min():.2f}.",
        "results",
    )
    claim(
        "words-around-unused",
        bool(parted < 0.1 and table.exchanged[300] > table.loss[300] + 0.5),
        f"They differ by {parted:.2f}.",
        "results",
    )
    claim(
        "rest-owed-to-words",
        bool(last.exchanged > common and last.loss < common - 1),
        about="results",
    )
    claim("below-neighbour", last.loss < between.mean() - 0.5, "", "results")
    claim(
        "trained-hardly-lower",
        abs(last.loss - seen["loss"]) < 0.2,
        f"{seen['loss']:.2f} against {last.loss:.2f}.",
        "results",
    )
    glue("pairs_right", float(100 * last.pairs))
    _pairs(table, common)
    return passed


def _pairs(table, common):
    asked = 12 * 32  # pairs of the exam: two standard errors are five points of 100
    then, now = table.pairs[HALF_WAY], table.pairs.iloc[-1]
    way = (common - table.loss[HALF_WAY]) / (common - table.loss.iloc[-1])
    glue("pairs_then", float(100 * then))
    claim(
        "pairs-late",
        bool(abs(then - 0.5) < 1 / math.sqrt(asked) and way > 0.5 and now > 0.7),
        f"{then:.0%} are right after {way:.0%} of the way, {now:.0%} at the end.",
        "results",
    )


def own_run(loss, table):
    stop = 400
    glue("own_run", loss)
    glue("kept_run", float(table.loss[stop]))
    claim(
        "same-training",
        abs(loss - table.loss[stop]) < 0.15,
        f"{loss:.2f} against {table.loss[stop]:.2f}.",
        "data",
    )


def verbs(table, by_step, passed, said):
    """Return {"near", "far"}: per cent of right verbs, for each kept step.

    said: the two numbers of the first screen. passed: the first kept step whose loss
    is below that of the neighbours.
    """
    agrees, plural = table["nearest agrees"].to_numpy(), table.plural.to_numpy(bool)
    final, common = table["model"].to_numpy(), table["commoner form"].to_numpy()
    shares = {
        name: [float(100 * right[mask].mean()) for right in by_step.values()]
        for name, mask in (("near", agrees), ("far", ~agrees))
    }
    ones, many = (100 * final[~agrees & (plural == kind)].mean() for kind in (0, 1))
    then = shares["far"][[*by_step].index(passed)]
    glue("cell_ones", float(ones))
    glue("cell_many", float(many))
    glue("far", shares["far"][-1])
    glue("far_passed", then)
    glue("far_common", float(100 * common[~agrees].mean()))
    seeds = pd.read_csv(DATA / "results/pretraining-seeds.csv").far.dropna()
    glue("seeds_low", float(seeds.min()))
    glue("seeds_high", float(seeds.max()))
    slips = plural[~agrees & ~final].mean()
    told = max(abs(ones - said[0]), abs(many - said[1])) < 1
    claim(
        "verb-beats-commoner",
        told and compare(final[~agrees] * 1, common[~agrees] * 1).word == AHEAD,
        f"{shares['far'][-1]:.0f} of 100 are right.",
        "results",
    )
    claim("slips-plural", bool(slips > 0.6), f"{slips:.0%} are.", "results")
    claim(
        "right-when-agreeing",
        bool(min(final[agrees & (plural == kind)].mean() for kind in (0, 1)) > 0.9),
        f"{shares['near'][-1]:.0f} of 100.",
        "results",
    )
    claim(
        "rule-later",
        bool(abs(then - 50) < 8 and shares["far"][-1] > then + 10),
        f"It was {then:.0f} of 100.",
        "results",
    )
    return shares


def cost(table):
    ratio = table.loc["BERT-Base"] / table.loc["this training"]
    glue("times", f"{ratio['operations'] / 1e6:.0f} million")


def tasks(both, alone):
    glue("seed_both", float(both[0]))
    glue("seed_alone", float(alone[0]))
    claim(
        "pairs-go-better",
        compare(both, alone).word == AHEAD and bool((both > alone).all()),
        about="results",
    )
    claim("pairs-alone-coin", bool((alone - 50).abs().max() < 10), about="results")


def course_model(shown, known):
    """shown: scores of the course model at [MASK]; known: what others get there."""
    glue("course_top1", float(100 * shown["top1"]))
    glue("common_top1", float(100 * known["top1"]))
    claim("same-targets", int(known["targets"]) == shown["targets"], "", "results")
    claim("course-model-below", shown["loss"] < known["loss"] - 2, "", "results")
