"""Ways to tell spam from ham, and what judges them.

The chapter "Fine-tuning" builds the same steps in its own cells, on few messages.
`experiments/spam_filters.py` scores them on the official SMS Spam Collection.
"""

import copy
import csv
import warnings

import numpy as np
import pandas as pd
import torch
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, precision_recall_fscore_support
from sklearn.model_selection import GridSearchCV, StratifiedGroupKFold
from sklearn.pipeline import make_pipeline

from helpers import DATA
from helpers.embeddings import piece_states
from helpers.training import batches, train

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


def scores(labels, predicted):
    """Return accuracy, and precision, recall and F1 of spam (label 1), as a dict.

    labels, predicted: n of 0 and 1 each. Taught in "Fine-tuning".

    >>> scores(labels=[1, 1, 0, 0], predicted=[1, 0, 0, 0])
    {'accuracy': 0.75, 'precision': 1.0, 'recall': 0.5, 'f1': 0.666...}
    """
    precision, recall, f1, _ = precision_recall_fscore_support(
        labels, predicted, pos_label=1, average="binary", zero_division=0
    )
    accuracy = accuracy_score(labels, predicted)
    names = ("accuracy", "precision", "recall", "f1")
    return dict(zip(names, map(float, (accuracy, precision, recall, f1)), strict=True))


def expected_calibration_error(labels, probability, bins=10):
    """Return the mean gap between the probability of spam and its share, by bins.

    The messages are put into bins of equal width by their probability. A bin's gap is
    the difference between the mean probability in it and the share of spam in it, and
    weighs as much as the bin has messages (Guo, Pleiss, Sun and Weinberger 2017, for
    the probability of class 1). labels, probability: (n,) each. Raises ValueError
    where their lengths differ and for what is no probability. Taught in "Judging a
    classifier".

    >>> expected_calibration_error([1, 1, 0, 0], [0.95, 0.95, 0.55, 0.55])
    0.3...
    """
    labels, probability = np.asarray(labels, float), np.asarray(probability, float)
    if not len(labels) or labels.shape != probability.shape:
        raise ValueError("give one probability for each label, and at least one")
    if not ((probability >= 0) & (probability <= 1)).all():
        raise ValueError("a probability is not between 0 and 1, or is nan")
    place = np.minimum((probability * bins).astype(int), bins - 1)
    gaps = [abs((labels - probability)[place == number].sum()) for number in set(place)]
    return float(sum(gaps) / len(labels))


def tfidf_classifier():
    """Return the baseline, unfitted: TF-IDF of words under logistic regression.

    With scikit-learn's default C, 1, the baseline would look worse than it is.

    >>> tfidf_classifier().fit(["Win a prize", "See you"], [1, 0]).predict(["A prize"])
    array([1])
    """
    return make_pipeline(TfidfVectorizer(), LogisticRegression(C=100, max_iter=2000))


def tuned(model, inputs, labels, groups):
    """Fit the model, with the C of CHOICES that is best within the training part.

    Three-fold cross-validation by log loss; no group is on both sides of a fold.

    >>> texts, labels = ["win a prize", "see you"] * 6, [1, 0] * 6
    >>> tuned(tfidf_classifier(), texts, labels, range(12)).predict(["a prize"])
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


def classifier(bert, seed, lora=False):
    """Return a BertForSequenceClassification on a copy of the encoder, 2 classes.

    The head is drawn with `seed`. lora: freeze the copy, but not its pooler, and add
    matrices of rank 8 to every weight matrix of each layer (Hu et al. 2022).

    >>> classifier(bert, seed=0).num_labels
    2
    """
    from peft import LoraConfig, get_peft_model
    from transformers import BertForSequenceClassification

    torch.manual_seed(seed)
    config = copy.deepcopy(bert.model.config)
    config.num_labels = 2
    model = BertForSequenceClassification(config)
    model.bert.load_state_dict(bert.model.state_dict())
    if lora:
        adapter = LoraConfig(
            task_type="SEQ_CLS",
            r=8,
            lora_alpha=16,
            target_modules=r".*\.layer\..*(query|key|value|dense)",
            modules_to_save=["pooler", "classifier"],
        )
        with warnings.catch_warnings():  # peft uses a name that transformers will drop
            warnings.simplefilter("ignore", FutureWarning)
            model = get_peft_model(model, adapter)
    return model.to(bert.device)


def fine_tune(bert, texts, labels, seed, lora=False, epochs=3, size=16, rate=None):
    """Train a `classifier` on the texts; returns it, in evaluation mode.

    rate: the learning rate at its height; None takes 1e-4, for LoRA 1e-3, which had the
    lowest losses of data/results/sms-spam-rates.csv at a width of 384.

    >>> model = fine_tune(bert, ["Win a prize", "Hi"], [1, 0], seed=0, epochs=1)
    >>> model.training
    False
    """
    model = classifier(bert, seed, lora)
    rows, labels = encode(bert, texts), torch.tensor(list(labels))
    plan = batches(len(rows), size, epochs, seed)

    def batch_at(step):
        chosen = plan[step]
        return {**pad(bert, [rows[i] for i in chosen]), "labels": labels[chosen]}

    train(
        model,
        batch_at,
        len(plan),
        learning_rate=rate or (1e-3 if lora else 1e-4),
        warmup=0.1,
        seed=seed,
    )
    return model


@torch.inference_mode()
def spam_probability(bert, model, texts, size=32):
    """Return the model's probability of spam for each text, float (n,).

    >>> model = classifier(bert, seed=0).eval()
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
