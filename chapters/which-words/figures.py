"""What "Which words an answer needs" draws and tabulates."""

import numpy as np
import pandas as pd

from helpers.plotting.pictures import Matrix, draw, matrices
from helpers.verdicts import compare


def draw_words(words, lost, looked):
    """One row a word: what its hiding costs, and what attention it gets."""
    columns = {
        "hide the word: log-odds for animal lost": (lost, ".1f"),
        "mean attention from [MASK]": (looked, ".2f"),
    }
    said = (
        "Of the words that speak for animal, animal and tired cost most when they are "
        "hidden.",
        "By mean attention from [MASK] another word comes first.",
    )
    draw(
        *(
            matrices(
                Matrix(title, np.array(of)[:, None], words, [""], "weights", form, 52),
                words=told,
            )
            for (title, (of, form)), told in zip(columns.items(), said, strict=True)
        )
    )


def table_of_ranks(ranks):
    """ranks: (texts, scores), rank correlations with occlusion."""
    verdicts = {name: compare(of, 0) for name, of in ranks.items()}
    return pd.DataFrame(
        {
            name: {"mean": f"{v.difference:.2f}", "95 %": v.interval()}
            for name, v in verdicts.items()
        }
    ).T


def table_of_riddles(told):
    """told: {what is read: log-odds with the first endings, with the second}."""
    rows = {}
    for name, (first, second) in told.items():
        n = len(first)
        rows[name] = {
            "shift": f"{(first - second).mean():.2f}",
            "95 %": compare(first, second).interval(),
            f"right way, of {n}": int((first > second).sum()),
            f"solved, of {n}": int(((first > 0) & (second < 0)).sum()),
        }
    return pd.DataFrame(rows).T


def table_of_heads(chosen):
    """chosen: {how the head was chosen: (its name, (pairs,) effects)}."""
    rows = {}
    for how, (name, of) in chosen.items():
        v = compare(of, 0)
        rows[how] = {
            "head": name,
            "effect": f"{v.difference:.2f}",
            "95 %": v.interval(),
            "pairs": len(of),
        }
    return pd.DataFrame(rows).T
