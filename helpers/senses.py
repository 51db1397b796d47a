"""Nearest-sense classification of CoarseWSD-20, its scores and its baselines."""

import numpy as np
import pandas as pd
from scipy.stats import bootstrap
from sklearn.metrics import accuracy_score, f1_score

from helpers._support.valid_numbers import finite_numbers
from helpers.datasets import coarse_wsd_words, load_coarse_wsd


def unit(vectors):
    """Scale vectors (..., hidden) to length 1; zero vectors stay as they are.

    Raises ValueError for vectors that hold nan or infinity.

    >>> unit([[3, 4], [0, 0]]).tolist()
    [[0.6, 0.8], [0.0, 0.0]]
    """
    vectors = np.asarray(vectors)
    with np.errstate(over="ignore"):
        lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    # squares of very large and very small numbers leave the range of floats
    if not ((lengths > 0.1) & np.isfinite(lengths)).all():
        largest = np.abs(vectors).max(axis=-1, keepdims=True, initial=0)
        if not np.isfinite(largest).all():
            raise ValueError("a vector holds nan or infinity; look where it comes from")
        vectors = vectors / np.where(largest == 0, 1, largest)
        lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return vectors / np.where(lengths == 0, 1, lengths)


def sense_centroids(vectors, labels):
    """Return the distinct labels, sorted, and the mean vector of each (senses, hidden).

    vectors: (n, hidden). labels: n sense numbers. Raises ValueError where there are
    no labels, and where they are more or fewer than the vectors.

    >>> vectors = np.array([[0, 0], [2, 0], [5, 5]])
    >>> names, centroids = sense_centroids(vectors, labels=[0, 0, 1])
    >>> names.tolist(), centroids.tolist()
    ([0, 1], [[1.0, 0.0], [5.0, 5.0]])
    """
    labels = np.asarray(labels)
    if not len(labels) or labels.shape != np.shape(vectors)[:1]:
        raise ValueError(
            f"labels of shape {labels.shape} for vectors of shape "
            f"{np.shape(vectors)}; give one label for each vector"
        )
    names = np.unique(labels)
    return names, np.stack([vectors[labels == name].mean(axis=0) for name in names])


def pairs_by_sense(vectors, senses):
    """Return the cosines of all pairs of one sense, and those of pairs of two senses.

    vectors: (n, hidden). senses: n labels. Each pair counts once; two arrays.

    >>> same, other = pairs_by_sense([[1, 0], [2, 0], [0, 3]], ["a", "a", "b"])
    >>> same.tolist(), other.tolist()
    ([1.0], [0.0, 0.0])
    """
    vectors, senses = unit(vectors), np.asarray(senses)
    first, second = np.triu_indices(len(senses), k=1)
    cosines = (vectors[first] * vectors[second]).sum(axis=1)
    alike = senses[first] == senses[second]
    return cosines[alike], cosines[~alike]


def nearest_sense(train_vectors, train_labels, test_vectors):
    """Give each test vector the sense whose training centroid has the highest cosine.

    The vectors are (n, hidden); returns an array of labels. This is the
    nearest-neighbour strategy of Loureiro et al. (2021), built in "Word senses".

    >>> nearest_sense(np.array([[1, 0], [0, 1]]), [0, 1], [[5, 1], [1, 3]]).tolist()
    [0, 1]
    """
    names, centroids = sense_centroids(train_vectors, train_labels)
    return names[(unit(test_vectors) @ unit(centroids).T).argmax(axis=1)]


def score(labels, predicted):
    """Return accuracy and macro-F1 over the senses in `labels`, as a dict of floats.

    labels, predicted: n sense numbers each. Macro-F1 is the mean of the senses' F1.

    >>> score(labels=[0, 0, 0, 1], predicted=[0, 0, 0, 0])
    {'accuracy': 0.75, 'macro_f1': 0.428...}
    """
    senses = np.unique(labels)
    return {
        "accuracy": float(accuracy_score(labels, predicted)),
        "macro_f1": float(
            f1_score(labels, predicted, labels=senses, average="macro", zero_division=0)
        ),
    }


def majority(train_labels, n):
    """Answer the most frequent training sense n times (ties: the lowest number).

    >>> majority([0, 1, 1], n=2).tolist()
    [1, 1]
    """
    names, counts = np.unique(train_labels, return_counts=True)
    return np.full(n, names[counts.argmax()])


def static_context_vectors(bert, sentences, positions):
    """Average the input embeddings of a sentence's words without its focal word.

    A baseline of static word vectors: it knows which words stand around the focal
    one, but neither their order nor what they mean together.

    sentences: n lists of words. positions: n indices of the focal words. Returns
    float32 (n, hidden); a sentence without another word gives a zero vector.

    >>> vectors = static_context_vectors(bert, [["river", "bank"], ["bank"]], [1, 0])
    >>> vectors.shape, vectors.any(axis=1).tolist()
    ((2, 384), [True, False])
    """
    table = bert.model.get_input_embeddings().weight.detach().float().cpu().numpy()
    vectors = np.zeros((len(sentences), table.shape[1]), np.float32)
    for row, (words, position) in enumerate(zip(sentences, positions, strict=True)):
        context = [word for i, word in enumerate(words) if i != position]
        ids = bert.tokenizer(
            context, is_split_into_words=True, add_special_tokens=False, verbose=False
        )["input_ids"]
        if ids:
            vectors[row] = table[ids].mean(axis=0)
    return vectors


def bootstrap_interval(correct):
    """Return the bootstrap interval (low, high) of a mean, which holds 95 % of draws.

    correct: n numbers, one a test sentence: 1 for a right answer and 0 for a wrong
    one, or the difference between two models' numbers. 2,000 times, n of them are
    drawn with replacement and averaged (Efron and Tibshirani 1993, chapter 13). Raises
    ValueError where there are no numbers, and for nan and infinity. Taught in "Word
    senses".

    >>> bootstrap_interval([1, 1, 1, 1, 1, 1, 1, 1, 0, 0])  # the mean is 0.8
    (0.5, 1.0)
    """
    if not len(correct):
        raise ValueError("no test sentences to draw from; give at least one")
    correct = finite_numbers(correct, "correct")
    if len(correct) == 1:  # one that scipy refuses: each draw is the same
        return float(correct[0]), float(correct[0])
    settings = {"n_resamples": 2000, "method": "percentile"}
    found = bootstrap((correct,), np.mean, rng=np.random.default_rng(0), **settings)
    return tuple(map(float, found.confidence_interval))


def load_parts(word, most=None):
    """Return the train and the test rows of a word, at most `most` of each.

    Two DataFrames, as from `load_coarse_wsd`. Where a part has more rows, `most` of
    them are drawn, the same ones each time.

    >>> train, test = load_parts("bank", most=5)
    >>> len(train), len(test)
    (5, 5)
    """
    parts = [load_coarse_wsd(word, split) for split in ("train", "test")]
    return [
        part.sample(most, random_state=0).reset_index(drop=True)
        if most and len(part) > most
        else part
        for part in parts
    ]


def all_parts(most):
    """Return the train and the test rows of all words, at most `most` of each word.

    Two DataFrames, as from `load_parts`, with a column more, `word`.

    >>> [len(rows) for rows in all_parts(most=2)]
    [40, 40]
    """
    words = coarse_wsd_words()
    parts = zip(*(load_parts(word, most) for word in words), strict=True)
    return [
        pd.concat(
            [rows.assign(word=word) for word, rows in zip(words, part, strict=True)],
            ignore_index=True,
        )
        for part in parts
    ]
