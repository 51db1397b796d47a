"""Wrong answers that the tables of mistakes do not hold, and words of the reply."""

import math

import numpy as np
import torch
from torch.nn.functional import cross_entropy

from helpers.exercises.checks import mistakes_of


def wrong_1(names):
    right = mistakes_of("pretraining.1").right

    def told_less(network, batch):
        left = ("attention_mask", "token_type_ids", "labels", "next_sentence_label")
        inputs = {name: part for name, part in batch.items() if name not in left}
        with torch.inference_mode():
            logits = network(**inputs).prediction_logits
        return cross_entropy(logits.flatten(0, 1), batch["labels"].flatten())

    yield right, "in training mode"
    yield (lambda n, b: 0.0), "the mean loss at the targets"
    yield told_less, "yours is"


def wrong_2(names):
    right = mistakes_of("pretraining.2").right
    expected = "the mean of -log p at the targets"

    yield (lambda c, y: right(c, y[y != -100][1:])), expected
    yield (lambda c, y: -np.log(((c + 1) / (c + 1).sum())[y[y != -100]])), "one number"


def wrong_3(names):
    def log(losses=(5.0, 5.1, 4.8, 4.7), seeds=(0, 1, 0, 1), **changes):
        settings = (1, 1, 2, 2)
        runs = [
            {"setting": a, "seed": b, "loss": c}
            for a, b, c in zip(settings, seeds, losses, strict=True)
        ]
        answer = {"changed": "layers", "steps": 50, "runs": runs, "difference": -0.3}
        return answer | changes

    shares, percent = (0.08, 0.09, 0.11, 0.12), (48.0, 45.0, 49.5, 44.8)
    yield log(losses=shares, difference=0.03), "no share of right answers"
    yield log(losses=(0.51, 0.5, 1, 0.9), difference=0.445), "no share"
    yield log(losses=percent, difference=0.65), "no per cent"
    yield log(steps=10), "40 steps"
    yield log(steps=math.inf), "steps holds nan or infinity"
    yield log(steps=1e12), "how many there were"
    yield log(seeds=(0, math.nan, 0, 1)), "runs holds nan"
    yield log(seeds=(0, 0, 0, 1)), "two different seeds"
    yield log(seeds=(0, 1, 2, 3)), "the same seeds"
    yield log(losses=(5.0, 5.0, 4.8, 4.7)), "does the seed reach"
    yield log(difference=0.3), "wrong sign"
    yield log(difference=-0.2), "second setting minus the first"
    yield log(losses=(5.0, 5.1, 5.0, 5.1), difference=0), "does the change reach"
    yield log(runs=log()["runs"] + log()["runs"][:1]), "two runs of one seed"
    yield log(changed=""), "in words what you changed"
    yield log(runs=log()["runs"][:2]), "two settings"
