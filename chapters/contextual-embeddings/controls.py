"""What "Contextual embeddings" holds its results against."""

from dataclasses import replace

import numpy as np
from sklearn.decomposition import PCA
from transformers import BertModel, set_seed

from helpers.embeddings import embed_words
from helpers.senses import unit


def nearest_other(vectors, senses):
    """The sense of the nearest other vector, for each of (n, hidden)."""
    cosine = unit(vectors) @ unit(vectors).T
    np.fill_diagonal(cosine, -np.inf)  # not itself
    return np.asarray(senses)[cosine.argmax(axis=1)]


def share_in_plane(vectors):
    """The share of the variance in the two directions of the widest spread.

    >>> points = [[3, 0, 1], [-3, 0, 1], [0, 2, -1], [0, -2, -1]]
    >>> round(float(share_in_plane(points)), 2)
    0.87
    """
    return PCA(2).fit(vectors).explained_variance_ratio_.sum()


def eights_of_one_sense(train, vectors):
    """`share_in_plane` of eight occurrences of each sense that has so many."""
    rng = np.random.default_rng(0)
    alike = train.groupby(["word", "sense"]).indices.values()
    eights = [rng.choice(some, 8, replace=False) for some in alike if len(some) >= 8]
    return np.array([share_in_plane(vectors[some]) for some in eights])


def untrained(bert, rows, seed=0):
    """Vectors of the words of rows from the same network with random weights."""
    set_seed(seed)
    blank = BertModel(bert.model.config).to(bert.device).eval()
    return embed_words(replace(bert, model=blank), rows.words, rows.place, "all")


def by_order(people, left_out):
    """How often a probe that knows the order alone is right on a form left out."""
    others = people.place.to_numpy().reshape(-1, 2)[:, ::-1].ravel()
    rows = people.assign(is_first=people.place < others)
    learned = rows[~rows.new & (rows.form != left_out)].groupby("is_first").does.mean()
    asked = rows[rows.new & (rows.form == left_out)]
    return float((asked.is_first.map(learned > 0.5) == asked.does).mean())
