"""What "Labels that are not one of two" draws and tabulates."""

import numpy as np
import pandas as pd
from scipy.special import softmax
from sklearn.metrics import average_precision_score, precision_recall_curve

from chapters.many_labels.tickets import KINDS, WAYS, kept, of_the_top
from helpers.plotting.pictures import Matrix, curve, draw, matrices, slide
from helpers.plotting.pictures.dots import dots

WAYS_TO_READ = ("words", "BERT", "random BERT")
WAYS_TO_GIVE = ("above 0.5", "one threshold", "a threshold each")


def mean_curves():
    """{way: (thresholds, micro F1, the mean of four crews)}, of the kept runs."""
    made = kept("thresholds").groupby(["way", "threshold"]).f1.mean()
    return {
        w: (made[w].index.to_numpy(), made[w].to_numpy()) for w in ("BERT", "words")
    }


def draw_thresholds():
    lines = mean_curves()
    said = "; ".join(
        f"{way} {y[np.isclose(x, 0.5)][0]:.2f} above 0.5, {y.max():.2f} above "
        f"{x[y.argmax()]:.2f}"
        for way, (x, y) in lines.items()
    )
    words = f"Micro F1 by threshold, the mean of four crews: {said}"
    axes = ("threshold", "micro F1")
    half = {"_half": ([0.5, 0.5], [0, 0.6])}
    draw(curve(lines | half, words, "where the line is drawn", axes, size=(520, 300)))


def draw_two_ways(p):
    """The six probabilities of a ticket, a sigmoid each, and their softmax."""
    shares = softmax(np.log(p / (1 - p)))
    look = {"hue": "value", "cell": 44, "high": 1}
    draw(
        matrices(
            Matrix("a sigmoid each", p[:, None], KINDS, **look),
            words="The six probabilities of a ticket, a sigmoid each",
        ),
        matrices(
            Matrix("softmax: they share 1", shares[:, None], KINDS, **look),
            words="The same scores under a softmax, which sum to 1",
        ),
    )


def table_of_f1(f1):
    """f1: {(who, way): four pairs of micro and macro F1}."""
    mean = {key: np.mean(four, axis=0).round(2) for key, four in f1.items()}
    return pd.DataFrame(mean, ["micro F1", "macro F1"]).T


def measures(p, hurt, judges):
    """What is told of the probability of a rare class, each crew judged by itself."""
    called = p > 0.5
    areas = [average_precision_score(hurt[judge], p[judge]) for judge in judges]
    return {
        "named": int(called.sum()),
        "hurt among them": int(hurt[called].sum()),
        "accuracy": float((called == hurt).mean()),
        "hurt in the top 35": of_the_top(p, hurt, judges),
        "average precision": float(np.mean(areas)),
    }


def table_of_rare(ranked, hurt, judges):
    """ranked: {way: its draws}; a row a way, the mean over its draws."""
    rows = {
        way: pd.DataFrame([measures(p, hurt, judges) for p in draws]).mean()
        for way, draws in ranked.items()
    }
    return pd.DataFrame(rows).T


def _over_recall(p, hurt):
    precise, recall, _ = precision_recall_curve(hurt, p, drop_intermediate=True)
    return recall[::-1], precise[::-1]


def draw_rare(ranked, hurt):
    """Precision over recall of each way, plain dotted, and where 0.5 lies."""
    frames = []
    for way in WAYS:
        p = ranked[way][0]
        called = p > 0.5
        recall = float((called & (hurt == 1)).sum() / hurt.sum())
        precise = float(hurt[called].mean()) if called.any() else 1.0
        plain, own = (_over_recall(one, hurt) for one in (ranked["plain"][0], p))
        said = (
            f"{way.capitalize()}. Above 0.5 it finds {recall:.2f} of the hurt, and "
            f"{precise:.2f} of what it names is hurt."
        )
        words = f"Precision over recall, plain and {way}"
        axes, at = ("recall", "precision"), [(recall, precise)]
        lines = {"_plain": plain, f"_{way}": own}
        frames.append((said, curve(lines, words, way, axes, at, (480, 280))))
    slide("what was done:", frames, start=1)


def few_and_all():
    """{way: (four crews from all labels, four crews from 96)}: micro F1, kept runs."""
    made = kept("few")
    few = made.labels == made.labels.min()
    parts = [of.groupby(["way", "crew"]).f1.mean() for of in (made[~few], made[few])]
    return {way: tuple(of[way].tolist() for of in parts) for way in WAYS_TO_READ}


def draw_few_and_all():
    rows = few_and_all()
    said = "; ".join(
        f"{way} {np.mean(a):.2f}, from 96 {np.mean(b):.2f}"
        for way, (a, b) in rows.items()
    )
    words = f"Micro F1 above a chosen threshold, from all labels of two crews: {said}"
    ticks = [0.3, 0.4, 0.5, 0.6, 0.7]
    series = ("1,200 labelled tickets", "96 of them")
    draw(dots(rows, words, ticks, series, (0.44, "every label")))
