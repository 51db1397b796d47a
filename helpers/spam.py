"""Messages that are spam or ham: read, put into families, encoded and answered."""

import csv

import numpy as np
import pandas as pd
import torch
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import GridSearchCV, StratifiedGroupKFold

from helpers import DATA
from helpers.embeddings import piece_states

# Of C, the inverse strength of logistic regression's penalty
CHOICES = (0.001, 0.01, 0.1, 1, 10, 100, 1000)
FOLDS = 3
PIECES = 48  # a longer message is cut


def read_messages(name):
    """Return a file of data/sms-spam-mini as a table: kind, text, label (1: spam).

    >>> list(read_messages("messages").columns)
    ['kind', 'text', 'label']
    """
    rows = pd.read_csv(
        DATA / "sms-spam-mini" / f"{name}.tsv",
        sep="\t",
        names=["kind", "text"],
        quoting=csv.QUOTE_NONE,
    )
    return rows.assign(label=(rows.kind == "spam").astype(int))


def families(texts, share=0.5):
    """Return a number for each text, the same for near repeats, int (n,).

    Texts are near repeats where they share at least `share` of their runs of four
    words (Jaccard), all digits counted as one; near repeats of a near repeat belong to
    the family too. Case and punctuation do not count. Taught in "Judging a
    classifier".

    >>> families(["Win 50 now, call 0123", "WIN 90 now! Call 0777", "call now"])
    array([0, 0, 1], dtype=int32)
    """
    texts = pd.Series(list(texts)).str.lower().str.replace(r"\d+", "0", regex=True)
    runs = CountVectorizer(ngram_range=(4, 4), token_pattern=r"\w+", binary=True)
    ends = " s0 s1 s2"  # so that short texts have runs too
    table = runs.fit_transform(texts + ends).astype(float)
    common = (table @ table.T).tocoo()
    sizes = np.asarray(table.sum(axis=1)).ravel()
    both = sizes[common.row] + sizes[common.col] - common.data
    near = common.data / both >= share
    pairs = (common.data[near], (common.row[near], common.col[near]))
    _, numbers = connected_components(coo_matrix(pairs, shape=common.shape))
    return numbers


def tuned(model, inputs, labels, groups):
    """Fit the model, with the C of CHOICES that is best within the training part.

    Three-fold cross-validation by log loss; no group is on both sides of a fold.

    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.pipeline import make_pipeline
    >>> words = make_pipeline(CountVectorizer(), LogisticRegression())
    >>> texts, labels = ["win a prize", "see you"] * 6, [1, 0] * 6
    >>> tuned(words, texts, labels, range(12)).predict(["a prize"])
    array([1])
    """
    folds = StratifiedGroupKFold(FOLDS, shuffle=True, random_state=0)
    grid = {"logisticregression__C": CHOICES}
    search = GridSearchCV(model, grid, scoring="neg_log_loss", cv=folds)
    return search.fit(inputs, labels, groups=groups)


def encode(bert, texts):
    """Return the piece ids of each text, cut to PIECES, as lists.

    Raises ValueError for a single string, whose letters would be taken for texts.

    >>> encode(bert, ["Win a prize", "Hi"])
    [[101, 2663, 1037, 3396, 102], [101, 7632, 102]]
    """
    if isinstance(texts, str):
        raise ValueError("texts is one string; give a list of texts")
    return bert.tokenizer(
        list(texts), truncation=True, max_length=PIECES, verbose=False
    )["input_ids"]


def pad(bert, rows):
    """Return a batch: input_ids and attention_mask, both (rows, longest row).

    >>> pad(bert, [[101, 2663, 102], [101, 102]])["attention_mask"].tolist()
    [[1, 1, 1], [1, 1, 0]]
    """
    return bert.tokenizer.pad({"input_ids": rows}, return_tensors="pt")


def frozen_features(bert, texts):
    """Return the last layer at [CLS] and its mean over the pieces, each (n, hidden).

    >>> first, mean = frozen_features(bert, ["Win a prize", "Hi"])
    >>> first.shape == mean.shape == (2, bert.hidden_size)
    True
    """
    rows = [{"input_ids": row} for row in encode(bert, texts)]
    states = piece_states(bert, rows)
    return np.array([s[0] for s in states]), np.array([s.mean(axis=0) for s in states])


@torch.inference_mode()
def spam_probability(bert, model, texts, size=32):
    """Return the model's probability of spam for each text, float (n,).

    >>> from transformers import BertForSequenceClassification
    >>> model = BertForSequenceClassification(bert.model.config).eval()
    >>> spam_probability(bert, model, ["Win a prize", "Hi"]).shape
    (2,)
    """
    rows = encode(bert, texts)
    order = np.argsort([len(row) for row in rows], kind="stable")
    probability = np.empty(len(rows))
    for start in range(0, len(rows), size):
        chosen = order[start : start + size]
        batch = pad(bert, [rows[i] for i in chosen]).to(bert.device)
        probability[chosen] = model(**batch).logits.softmax(-1)[:, 1].cpu()
    return probability
