"""What "Fine-tuning" draws and cannot train while a reader waits.

Wrote two tables beside the page on 2026-11-28, in a quarter of an hour of one core:

    python -m experiments.fine_tuning_kept

few-labels.csv: all of BERT trained on some of the twins of the first fold, in as many
passes as make some forty steps or more. control-rates.csv: the network of random
weights, trained on the first fold at four times BERT's rate, its own best one in
sms-spam-rates.csv; what it gets at BERT's rate is in sms-spam-mini.csv.
"""

from functools import partial
from pathlib import Path

import numpy as np

from chapters.judging_a_classifier.filters import fine_tune
from experiments.results_table import write_beside_page
from experiments.spam_filters import folds, sample, untrained
from helpers.models import load_bert
from helpers.spam import spam_probability

FOLDER = Path(__file__).parents[1] / "chapters/fine-tuning"
MODULE = "experiments.fine_tuning_kept"
RATE, OWN_RATE = 1e-4, 4e-4
PLAN = {10: (12, 6), 20: (8, 6), 40: (6, 4), 80: (4, 2), 159: (2, 2)}  # passes, draws


def share_right(bert, learn, judge, seed, epochs, rate):
    model = fine_tune(
        bert, learn.text, learn.label, seed, epochs=epochs, size=8, rate=rate
    )
    return ((spam_probability(bert, model, judge.text) > 0.5) == judge.label).mean()


def few_labels(bert, rows):
    """A row a draw: labels learned from, the draw, the share of right answers."""
    learn, judge = folds(rows)[0]
    for pairs, (epochs, draws) in PLAN.items():
        for seed in range(draws):
            some = np.random.default_rng(seed).permutation(learn.family.unique())
            part = learn[learn.family.isin(some[:pairs])]
            right = share_right(bert, part, judge, seed, epochs, RATE)
            yield {"labels": len(part), "draw": seed, "right": right}


def control_rates(bert, rows):
    """One row: what the network of random weights gets right at its own best rate."""
    learn, judge = folds(rows)[0]
    right = share_right(untrained(bert, 0), learn, judge, 0, 4, OWN_RATE)
    yield {"rate": OWN_RATE, "fold": 1, "right": right}


def main():
    bert, rows = load_bert(quiet=True), sample("messages")
    write = partial(write_beside_page, module=MODULE, form="%.6g")
    write(FOLDER / "few-labels.csv", rows=few_labels(bert, rows))
    write(FOLDER / "control-rates.csv", rows=control_rates(bert, rows), trained=False)


if __name__ == "__main__":
    main()
