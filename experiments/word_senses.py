"""Every word and layer of the running model on the official CoarseWSD-20.

Wrote data/results/word-senses.csv on 2026-11-26. It can be run again:

    COARSE_WSD_HOME=FOLDER python -m experiments.word_senses
"""

import pandas as pd

from chapters.word_senses.averages import averages
from experiments.results_table import (
    RESULTS,
    run_on_official,
    today_and_versions,
    write_table,
)
from helpers.datasets import COARSE_WSD, coarse_wsd_words
from helpers.embeddings import embed_words
from helpers.models import load_bert
from helpers.senses import (
    load_parts,
    majority,
    nearest_sense,
    score,
    static_context_vectors,
)


def main():
    bert = load_bert()
    results = evaluate_all(bert)
    about = [
        f"{bert.name}, official CoarseWSD-20, full train and test sets, float32",
        today_and_versions("torch", "transformers"),
        "made by: python -m experiments.word_senses",
    ]
    write_table(RESULTS / "word-senses.csv", results, about)
    print(averages(results).round(4).to_string(index=False))


def evaluate_word(bert, word):
    """Score one word with every layer, the mean of the last four, and two baselines.

    Returns a row each: word, method, layer (a number, or missing), n (test sentences),
    accuracy and macro_f1.
    """
    train, test = parts = load_parts(word)
    places = [(part.sentence, part.word_pos) for part in parts]
    vectors = [embed_words(bert, *place, layers="all") for place in places]
    contexts = [static_context_vectors(bert, *place) for place in places]

    def nearest(known, asked):
        return nearest_sense(known, train.label, asked)

    answers = [
        ("layer", i, nearest(*(part[:, i] for part in vectors)))
        for i in range(bert.n_layers + 1)
    ]
    answers += [
        ("last four", None, nearest(*(p[:, -4:].mean(axis=1) for p in vectors))),
        ("majority", None, majority(train.label, len(test))),
        ("static context", None, nearest(*contexts)),
    ]
    return pd.DataFrame(
        {"word": word, "method": method, "layer": layer, "n": len(test)}
        | score(test.label, predicted)
        for method, layer, predicted in answers
    ).astype({"layer": "Int64"})


def evaluate_all(bert):
    """Stack `evaluate_word` for all 20 words."""
    tables = [evaluate_word(bert, word) for word in coarse_wsd_words()]
    return pd.concat(tables, ignore_index=True)


if __name__ == "__main__":
    run_on_official(COARSE_WSD, main)
