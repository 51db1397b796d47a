"""The tickets of "Many labels", and who learns, chooses and judges."""

from pathlib import Path

import numpy as np
import pandas as pd

from chapters.your_own_domain.texts import CREWS, KINDS, labelled
from helpers.embeddings.texts import embed_texts

__all__ = ["CREWS", "KINDS", "WAYS", "kept", "labelled", "resampled", "turns"]
WAYS = ["plain", "weights", "over-sampling", "under-sampling"]


def kept(name):
    """A table that lies beside the page."""
    return pd.read_csv(Path(__file__).with_name(f"{name}.csv"), comment="#")


def turns(rows):
    """Yield row numbers to learn from, to choose on and to judge by, four times.

    Two crews teach, a third chooses and the fourth judges, each in its turn.
    """
    of = {crew: np.flatnonzero(rows.crew == crew) for crew in CREWS}
    for i in range(len(CREWS)):
        judge, choose, *learn = [CREWS[(i + k) % 4] for k in range(4)]
        yield np.concatenate([of[c] for c in learn]), of[choose], of[judge]


def whole_texts(bert, texts):
    """The mean of the last layer over all pieces of each text, (texts, hidden)."""
    return embed_texts(bert, texts)


def resampled(learn, way, hurt, rng):
    """Row numbers in which both classes are equally many."""
    rare, other = learn[hurt[learn] == 1], learn[hurt[learn] == 0]
    if way == "over-sampling":
        return np.concatenate([other, rng.choice(rare, len(other))])
    return np.concatenate([rare, rng.choice(other, len(rare), replace=False)])


def of_the_top(p, hurt, judges, n=35):
    """How many of each crew's n highest are hurt, all crews together."""
    return int(sum(hurt[judge][np.argsort(-p[judge])[:n]].sum() for judge in judges))
