"""Five ways to tell spam from ham, scored on the official SMS Spam Collection.

Wrote data/results/sms-spam.csv on 2026-11-23. It can be run again, in a
quarter of an hour:

    SMS_SPAM_HOME=FOLDER python -m experiments.spam_filters --out data/results

The chapter "Fine-tuning" builds the same steps in its own cells, on few messages.
"""

import time
from dataclasses import asdict

import numpy as np
import pandas as pd
import torch
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedGroupKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from experiments.results_table import today_and_versions, write_results
from helpers.datasets import SMS_SPAM, load_sms_spam
from helpers.models import load_bert
from helpers.spam import (
    FOLDS,
    PIECES,
    expected_calibration_error,
    f1_parts,
    families,
    fine_tune,
    frozen_features,
    scores,
    spam_probability,
    tfidf_classifier,
    tuned,
)
from helpers.training import mixed_precision
from helpers.verdicts import compare

METHODS = ("TF-IDF", "frozen [CLS]", "frozen mean", "fine-tuned", "LoRA")
SPLITS = ("repeats dropped", "families together")


def split_messages(messages, seed, split=SPLITS[1]):
    """Return train and test rows, two thirds and one third, without repeats.

    seed: 0, 1 or 2; the three test parts have no message in common. split: one of
    SPLITS; with the second no family has messages on both sides. Both parts have about
    the same share of spam.
    """
    distinct = messages.drop_duplicates("text")
    alone = np.arange(len(distinct))
    groups = families(distinct.text) if split == SPLITS[1] else alone
    folds = StratifiedGroupKFold(FOLDS, shuffle=True, random_state=0)
    train, test = list(folds.split(distinct, distinct.label, groups))[seed]
    return distinct.iloc[train], distinct.iloc[test]


def evaluate(bert, messages, epochs=3, say=lambda row: None):
    """Score the five METHODS, each on every message once: trained on two thirds, judged
    on the other, three times.

    A seed decides the fold that is judged, the head's first weights and the order of
    the batches. The encoder is fine-tuned for the split by families only. messages: as
    `load_sms_spam` gives them. say: called with each row once it is known.

    Returns a DataFrame with a row for each split, method and seed; seconds are those of
    features, training and prediction together. Further rows have "all" for a seed: the
    F1 of all answers, and its difference from that of TF-IDF, as `compare` gives it.
    """
    features, taken = _all_features(bert, messages)
    results = []
    for split in SPLITS:
        answers = {}
        for seed in range(FOLDS):
            train, test = split_messages(messages, seed, split)
            for method in METHODS if split == SPLITS[1] else METHODS[:3]:
                started = time.perf_counter() - taken * (method in features)
                learn = _linear if method in METHODS[:3] else _network
                p = learn(bert, method, features, train, test, seed, epochs)
                seconds = time.perf_counter() - started
                row = {"split": split, "method": method, "seed": seed}
                row |= {"train": len(train), "test": len(test), "epochs": epochs}
                row |= scores(test.label, p > 0.5)
                row["ece"] = expected_calibration_error(test.label, p)
                results.append(row | {"seconds": round(seconds, 1)})
                say(results[-1])
                parts = answers.setdefault(method, [])
                parts.append(pd.DataFrame({"label": test.label, "spam": p > 0.5}))
        results += _compared(split, answers)
    whole = dict.fromkeys(("train", "epochs", "n"), "Int64")  # some rows have none
    return pd.DataFrame(results).astype(whole)


def _linear(bert, method, features, train, test, seed, epochs):
    """Return the probability of spam from TF-IDF or from frozen features."""
    groups = families(train.text)
    if method == "TF-IDF":
        return tuned(tfidf_classifier(), train.text, train.label, groups).predict_proba(
            test.text
        )[:, 1]
    table = features[method]
    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000))
    model = tuned(model, table.loc[train.index], train.label, groups)
    return model.predict_proba(table.loc[test.index])[:, 1]


def _network(bert, method, features, train, test, seed, epochs):
    """Return the probability of spam from a fine-tuned encoder."""
    lora = method == "LoRA"
    model = fine_tune(bert, train.text, train.label, seed, lora, epochs)
    return spam_probability(bert, model, test.text)


def _compared(split, answers):
    """Return a row for each method: the F1 of all answers, compared with TF-IDF's."""
    whole = {method: pd.concat(parts) for method, parts in answers.items()}
    parts = {name: f1_parts(part.label, part.spam) for name, part in whole.items()}
    for method, part in whole.items():
        verdict = compare(parts[method], parts["TF-IDF"])
        row = {"split": split, "method": method, "seed": "all", "test": len(part)}
        yield row | scores(part.label, part.spam) | asdict(verdict)


def _all_features(bert, messages):
    """Return the frozen features of every distinct message and the seconds taken."""
    distinct = messages.drop_duplicates("text")
    started = time.perf_counter()
    parts = frozen_features(bert, distinct.text)
    tables = [pd.DataFrame(part, index=distinct.index) for part in parts]
    taken = time.perf_counter() - started
    return dict(zip(("frozen [CLS]", "frozen mean"), tables, strict=True)), taken


def main(arguments=None):
    results = write_results(
        "experiments.spam_filters", SMS_SPAM, "sms-spam.csv", _results, arguments
    )
    print(results[results.seed == "all"].drop(columns=["seed", "epochs", "seconds"]))


def _results():
    messages, bert = load_sms_spam(), load_bert()
    precision = "bfloat16" if mixed_precision() == "bf16" else "float32"
    about = [
        f"{bert.name}, official SMS Spam Collection, {FOLDS} folds, every message",
        f"judged once, {PIECES} pieces a message, batches of 16, {precision}",
        "C of logistic regression by cross-validation within the training part",
        today_and_versions("torch", "transformers", "peft", "scikit-learn"),
        f"seconds on {torch.get_num_threads()} thread(s) of {bert.device}",
    ]
    return about, evaluate(bert, messages=messages, say=_print_row)


def _print_row(row):
    print({k: round(v, 4) if isinstance(v, float) else v for k, v in row.items()})


if __name__ == "__main__":
    main()
