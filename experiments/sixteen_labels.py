"""Plain fine-tuning from sixteen labels a class, for "Texts of your own".

Wrote chapters/your-own-domain/sixteen.csv on 2026-11-28, in ten minutes of one core:

    python -m experiments.sixteen_labels

Each crew judges what was learned from 96 tickets of the three others, those of
the page: all of BERT, trained as in "Fine-tuning" for as many steps as the
pairs of `own_domain` and for twice as many. No ticket with one fault is longer than
`encode` reads.
"""

from pathlib import Path

import numpy as np
import torch

from chapters.judging_a_classifier.filters import classifier
from chapters.your_own_domain.texts import CREWS, KINDS, labelled, sixteen
from experiments.own_domain import PAIR_STEPS, RATE, train_on_kinds
from experiments.results_table import write_beside_page
from helpers.models import load_bert
from helpers.spam import encode, pad

FILE = Path(__file__).parents[1] / "chapters/your-own-domain/sixteen.csv"


def fine_tuned(bert, rows, steps):
    """Return a classifier of six kinds, all of BERT trained for so many steps."""
    model = classifier(bert, 0, classes=len(KINDS))
    train_on_kinds(bert, model, rows.text, rows.kind.to_numpy(), steps, RATE, "labels")
    return model


@torch.inference_mode()
def kinds_said(bert, model, texts):
    rows = encode(bert, texts)
    parts = [rows[at : at + 50] for at in range(0, len(rows), 50)]
    padded = (pad(bert, part).to(bert.device) for part in parts)
    return np.concatenate([model(**b).logits.argmax(-1).cpu() for b in padded])


def shares_right():
    """Yield for each crew and number of steps the share of right answers."""
    bert, rows = load_bert(quiet=True), labelled()
    for crew in CREWS:
        learn, judge = sixteen(rows, crew)
        for steps in (PAIR_STEPS, 2 * PAIR_STEPS):
            model = fine_tuned(bert, learn, steps)
            right = (kinds_said(bert, model, judge.text) == judge.kind).mean()
            yield {"crew": crew, "way": f"fine-tuned, {steps}", "right": right}


if __name__ == "__main__":
    write_beside_page(FILE, "experiments.sixteen_labels", shares_right())
