"""Every word and layer of the running model on the official CoarseWSD-20.

Wrote data/results/word-senses.csv on 2026-11-23. It can be run again:

    COARSE_WSD_HOME=FOLDER python -m experiments.word_senses --out data/results
"""

from experiments.results_table import today_and_versions, write_results
from helpers.datasets import COARSE_WSD
from helpers.models import load_bert
from helpers.senses import averages, evaluate_all


def main(arguments=None):
    results = write_results(
        "experiments.word_senses", COARSE_WSD, "word-senses.csv", _results, arguments
    )
    print(averages(results).round(4).to_string(index=False))


def _results():
    bert = load_bert()
    about = [
        f"{bert.name}, official CoarseWSD-20, full train and test sets, float32",
        today_and_versions("torch", "transformers"),
    ]
    return about, evaluate_all(bert, dtype="float32")


if __name__ == "__main__":
    main()
