"""Draws the pictures of "Encoders today"."""

import numpy as np
import pandas as pd

from chapters.encoders_today.costs import bars_of_two
from chapters.encoders_today.family import FAMILY, counted
from helpers.plotting import show
from helpers.plotting.pictures import Matrix, matrices, slide


def draw_sizes():
    """Draw what each of the family holds; return it in millions, a table."""
    rows = {name: counted(*each) for name, each in FAMILY.items()}
    sizes = pd.DataFrame(rows, ["all", "table"]).T / 1e6
    sizes["rest"] = sizes["all"] - sizes.table
    parts = {"layers and the rest": sizes.rest, "table of pieces": sizes.table}
    show(bars_of_two(sizes.index, parts, "What a model holds", "million parameters"))
    return sizes


def slide_of_softening(logits, names, best, temperatures):
    """The six likeliest answers, their shares at each temperature."""
    frames = []
    for temperature in temperatures:
        shares = (logits / temperature).softmax(-1)[best].tolist()
        when = f"Temperature {temperature:g}"
        said = f"{when}: {names[0]} is {shares[0] / shares[5]:.1f} times as "
        said += f"likely as {names[5]}."
        table = Matrix(
            when, [[s] for s in shares], names, form=".3f", cell=40, high=0.4
        )
        frames.append((said, matrices(table, words=said)))
    slide("temperature:", frames)


def same_distance(scores):
    """Variation along the diagonals, as a share of the whole variation."""
    n = len(scores)
    diagonals = [np.diag(scores, k) for k in range(-n + 2, n - 1)]
    return np.mean([values.std() for values in diagonals]) / scores.std()


def slide_of_schemes(scores):
    """Scores of one word at 32 places, for each way to say where it stands."""
    frames = []
    for name, score in scores.items():
        said = f"{name}: along a diagonal varies {same_distance(score):.2f} of the "
        said += "whole."
        look = dict(hue="weights", form="", cell=10, low=score.min(), high=score.max())
        frames.append(
            (
                said,
                matrices(
                    Matrix(name, score, **look), words=f"Scores of 32 places. {said}"
                ),
            )
        )
    slide("scheme:", frames)
