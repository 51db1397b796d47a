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
from experiments.results_table import write_beside_page
from helpers.models import load_bert
from helpers.spam import encode, pad
from helpers.training import batches, train

FILE = Path(__file__).parents[1] / "chapters/your-own-domain/sixteen.csv"
RATE, STEPS = 2e-4, (30, 60)


def fine_tuned(bert, texts, kinds, steps, seed):
    """Return a classifier of six kinds, all of BERT trained for so many steps."""
    model = classifier(bert, seed, classes=len(KINDS))
    ids, kinds = encode(bert, texts), torch.tensor(kinds)
    plan = batches(len(ids), 16, 1 + 16 * steps // len(ids), seed)

    def batch_at(step):
        batch = pad(bert, [ids[i] for i in plan[step]])
        return {**batch, "labels": kinds[plan[step]]}

    train(model, batch_at, steps, RATE, warmup=0.1, seed=seed, progress=False)
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
        for steps in STEPS:
            model = fine_tuned(bert, learn.text, learn.kind.to_numpy(), steps, 0)
            right = (kinds_said(bert, model, judge.text) == judge.kind).mean()
            yield {"crew": crew, "way": f"fine-tuned, {steps}", "right": right}


def main():
    write_beside_page(FILE, "experiments.sixteen_labels", shares_right())


if __name__ == "__main__":
    main()
