"""Labels by threshold, and from few labels and many.

Wrote two tables for "Labels that are not one of two" on 2026-11-28, in three minutes:

    python -m experiments.many_labels_kept

Two crews teach the six labels, with all their tickets or with 96 of them; a third
chooses C, by log loss, and one threshold, by micro F1; the fourth judges.
thresholds.csv: micro F1 of the judge at each threshold, of words and of BERT, from all
tickets. few.csv: micro F1 above the chosen threshold and mean average precision, of
counted words, BERT and a network of random weights.
"""

from operator import itemgetter
from pathlib import Path

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score, f1_score, log_loss
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from chapters.many_labels.tickets import CREWS, KINDS, labelled, turns, whole_texts
from experiments.results_table import write_beside_page
from experiments.spam_filters import untrained
from helpers.models import load_bert

FOLDER = Path(__file__).parents[1] / "chapters/many-labels"
MODULE = "experiments.many_labels_kept"
STRENGTHS = {"words": (1, 10, 100, 1000), "vectors": (1e-4, 1e-3, 1e-2, 1e-1)}
TRIED = np.linspace(0.05, 0.95, 19)
FEW = 96


def fitted(way, inputs, labels, learn, choose):
    """Return the model whose C has the lowest log loss, and what it says there."""
    words, tried = way == "words", []
    first = TfidfVectorizer() if words else StandardScaler()
    for C in STRENGTHS["words" if words else "vectors"]:
        model = make_pipeline(first, LogisticRegression(C=C, max_iter=2000))
        model = OneVsRestClassifier(model).fit(inputs[learn], labels[learn])
        p = model.predict_proba(inputs[choose])
        tried.append((log_loss(labels[choose].ravel(), p.ravel()), model, p))
    return min(tried, key=itemgetter(0))[1:]


def judged(way, inputs, labels, learn, choose, judge):
    """Return micro F1 and mean average precision of the rows that judge."""
    model, p = fitted(way, inputs, labels, learn, choose)
    truth = labels[choose].ravel()
    limit = max(TRIED, key=lambda t: f1_score(truth, p.ravel() > t, zero_division=0))
    p = model.predict_proba(inputs[judge])
    f1 = f1_score(labels[judge], p > limit, average="micro")
    return f1, average_precision_score(labels[judge], p, average="macro")


def curves(rows, labels, ways):
    """Yield (crew, way, threshold, micro F1) of the crew that judges."""
    for way in ("words", "BERT"):
        for crew, (learn, choose, judge) in zip(CREWS, turns(rows), strict=True):
            model, _ = fitted(way, ways[way], labels, learn, choose)
            p = model.predict_proba(ways[way][judge])
            for limit in TRIED:
                given = p > limit
                f1 = f1_score(labels[judge], given, average="micro", zero_division=0)
                yield crew, way, round(limit, 2), f1


def compared(rows, labels, ways):
    """Yield (crew, draw, labels learned from, way, F1, average precision)."""
    for number, (learn, choose, judge) in enumerate(turns(rows)):
        crew, draws = CREWS[number], np.random.default_rng(number)
        parts = [(0, learn), *((n, draws.choice(learn, FEW, False)) for n in range(4))]
        for way, inputs in ways.items():
            for draw, some in parts:
                found = judged(way, inputs, labels, some, choose, judge)
                yield (crew, draw, len(some), way, *found)


def main():
    bert, rows = load_bert(quiet=True), labelled()
    texts, labels = rows.text.to_numpy(), rows[KINDS].to_numpy()
    ways = {"words": texts, "BERT": whole_texts(bert, texts)}
    ways["random BERT"] = whole_texts(untrained(bert, 0), texts)
    made = {
        "thresholds": (curves, "crew way threshold f1"),
        "few": (compared, "crew draw labels way f1 precision"),
    }
    for name, (make, columns) in made.items():
        file, found = FOLDER / f"{name}.csv", make(rows, labels, ways)
        write_beside_page(file, MODULE, found, columns.split())


if __name__ == "__main__":
    main()
