"""What "Encoders today" says of this run: its numbers, and when it is true."""

from itertools import product

import numpy as np

from chapters.encoders_today.costs import BASE, compared
from chapters.encoders_today.figures import same_distance
from helpers import glue
from helpers.verdicts import AHEAD, claim, compare


def boxes(start):
    """The number between encoder and writer, as the boxes are ticked one by one."""

    def times(is_sorted, kept, size):
        on = start | {"sorted": is_sorted, "kept": kept, "encoder": size}
        _, encoder, writer = compared(on)
        return writer / encoder

    own = start["encoder"]
    none, ordered = times(False, False, own), times(True, False, own)
    two, three = times(True, True, own), times(True, True, BASE)
    for name, value in zip(
        ("none", "sorted", "kept", "base"), (none, ordered, two, three), strict=True
    ):
        glue(f"times_{name}", float(f"{value:.2g}"))  # as the picture says it
    found = f"It goes {none:.0f}, {ordered:.0f}, {two:.0f}, {three:.0f}."
    every = [times(*on) for on in product((False, True), (False, True), (own, BASE))]
    claim(
        "boxes-pull-apart",
        ordered > none and two < ordered and three < two and none / three > 10,
        found,
        about="data",
    )
    claim("writer-always-dearer", min(every) > 1, found, about="data")


def sizes(table):
    bert, xlm, gemma = (
        table.loc[name]
        for name in ("BERT-base, 2018", "XLM-R-base, 2019", "EmbeddingGemma, 2025")
    )
    for name, row in (("bert", bert), ("xlm", xlm)):
        glue(f"{name}_all", float(row["all"]))
        glue(f"{name}_table", float(row.table))
    claim(
        "surplus-all-table",
        bool(xlm["all"] > 2 * bert["all"] and xlm.rest < 1.05 * bert.rest),
        about="mathematics",
    )
    claim(
        "gemma-mostly-table",
        bool(abs(gemma.table / gemma["all"] - 2 / 3) < 0.02),
        about="mathematics",
    )


def albert(held, done, seconds):
    """held, done: parameters and products of BERT and ALBERT; seconds: of rounds."""
    took = float(np.median(np.array(seconds["ALBERT"]) / seconds["BERT"]))
    claim(
        "albert-same-products",
        held[1] < held[0] / 2 and abs(done[1] / done[0] - 1) < 0.05,
        about="mathematics",
    )
    claim(
        "albert-hardly-faster",
        took > 0.85,
        f"It took {took:.2f} times as long.",
        about="data",
    )


def softening(logits, best, temperatures):
    ratios = np.array(
        [
            [float(((logits[best[0]] - logits[b]) / t).exp()) for b in best[1:]]
            for t in temperatures
        ]
    )
    claim(
        "order-stays",
        bool(
            (np.diff(ratios, axis=0) < 0).all() and (np.diff(ratios, axis=1) > 0).all()
        ),
        about="mathematics",
    )


def soft(alike, unsure, equal):
    """Losses of a student to which all words are alike, of an unsure, an equal one."""
    claim(
        "zero-when-equal",
        abs(float(equal)) < 1e-4 and bool(alike > unsure > 0.01),
        about="mathematics",
    )


def estimate(weights, ratio):
    claim(
        "estimate-within-two",
        bool(weights / 2 < ratio < weights * 2),
        f"The weights are {weights:.1f} times as many, and it took {ratio:.1f} times "
        "as long.",
        about="data",
    )


def alone(one, rate):
    """one: seconds of a text alone; rate: texts a second in a batch."""
    claim(
        "alone-costs-more",
        bool(one * rate > 10),
        f"It takes {one * rate:.1f} times its share.",
        about="data",
    )


def student(losses, same, of):
    nearer = compare(losses[0], losses[-1], groups=of)
    glue("same_start", float(100 * same[0].mean()))
    glue("same_end", float(100 * same[-1].mean()))
    claim(
        "student-comes-nearer",
        nearer.word == AHEAD,
        f"Loss at the start less loss at the end: {nearer.interval()}.",
        "data",
    )
    guesses = compare(100.0 * same[-1], 100.0 * same[0], groups=of)
    claim(
        "first-guess-moves-little",
        -5 < guesses.difference < 10 and guesses.high < 15,
        f"Points that it gained: {guesses.interval('+.0f')}.",
    )


def generator(targets, replaced, ordinary):
    glue("more_labels", float(ordinary.sum() / targets.sum()))
    claim("generator-hits", bool((targets & ~replaced).sum() > 0.03 * targets.sum()))


def positions(scores, bare):
    share = {name: same_distance(s) for name, s in scores.items()}
    claim(
        "relative-diagonals-even",
        max(share[name] for name in ("Shaw", "ALiBi", "rotary")) < 1e-6,
        about="mathematics",
    )
    claim(
        "absolute-diagonals-vary",
        bool(share["sinusoidal"] > 0.1 and share["learned"] > 0.1),
        about="mathematics",
    )
    claim(
        "bare-product-relative", bool(same_distance(bare) < 0.01), about="mathematics"
    )


def formulas(exact, long, short):
    """exact: of each model; long, short: the scores that are left."""
    claim(
        "formula-exact",
        len(exact) == 12 and all(exact),
        f"{exact}",
        about="mathematics",
    )
    claim("long-texts-gain", long < 0.4 and short > 0.8, about="mathematics")
