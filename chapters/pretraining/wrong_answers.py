"""Typical wrong answers of the chapter and the words that name each mistake."""

import math

import numpy as np
import torch
from torch.nn.functional import cross_entropy


def wrong_1(names):
    def parts(network, batch):
        given = ("labels", "next_sentence_label")
        inputs = {k: v for k, v in batch.items() if k not in given}
        with torch.inference_mode():
            logits = network(**inputs).prediction_logits
        chosen = batch["labels"] != -100
        return logits, chosen, batch["labels"][chosen]

    def mean_first(network, batch):
        logits, chosen, truth = parts(network, batch)
        shares = logits[chosen].softmax(-1)[range(len(truth)), truth]
        return -math.log(shares.mean())

    def loss(network, batch):
        logits, chosen, truth = parts(network, batch)
        return cross_entropy(logits[chosen], truth)

    yield loss, "in training mode"
    yield mean_first, "not -log of the mean"
    yield lambda n, b: loss(n, b) * int(parts(n, b)[1].sum()), "take their mean"
    yield lambda n, b: loss(n, b) / math.log(2), "in bits"
    yield lambda n, b: 0.0, "the mean loss at the targets"
    yield lambda n, b: -loss(n, b), "other sign"
    yield lambda n, b: math.exp(loss(n, b)), "perplexity"

    def of_both(network, batch):
        with torch.inference_mode():
            return network.eval()(**batch).loss

    def told_less(*left_out):
        def function(network, batch):
            return loss(network, {k: v for k, v in batch.items() if k not in left_out})

        return function

    def masks_alone(network, batch):
        hidden = batch["input_ids"] == 4
        labels = torch.where(hidden, batch["labels"], -100)
        return loss(network, batch | {"labels": labels})

    def by_rows(network, batch):
        rows = range(len(batch["labels"]))
        parts = [{k: v[i : i + 1] for k, v in batch.items()} for i in rows]
        return torch.stack([loss(network, part) for part in parts]).mean()

    yield of_both, "loss of both tasks"
    yield told_less("attention_mask"), "attention_mask"
    yield told_less("token_type_ids"), "token_type_ids"
    yield told_less("attention_mask", "token_type_ids"), "yours is"
    yield masks_alone, "stayed or were replaced"
    yield by_rows, "every target counts the same"
    yield lambda n, b: "small", "one number"


def wrong_2(names):
    def targets(counts, labels):
        return ((counts + 1) / (counts + 1).sum())[labels[labels != -100]]

    yield lambda c, y: -np.log(targets(c, y).mean()), "not -log of the mean"
    yield (
        lambda c, y: -np.log(((c + 1) / (c + 1).sum())[y.ravel()]).mean(),
        "are no targets",
    )
    yield lambda c, y: -np.log2(targets(c, y)).mean(), "in bits"
    yield lambda c, y: -np.log(targets(c, y)).sum(), "take their mean"
    yield (
        lambda c, y: (
            -(((c + 1) / (c + 1).sum()) * np.log((c + 1) / (c + 1).sum())).sum()
        ),
        "average over all words",
    )

    def loss(c, y, add=1):
        shares = (c + add) / (c + add).sum()
        return -np.log(shares[y[y != -100]]).mean()

    yield lambda c, y: loss(c, np.where(y > 0, y, -100)), "id 0 is a target"
    yield lambda c, y: loss(np.minimum(c, 100), y), "yours is"
    yield lambda c, y: loss(np.maximum(c, 1), y, 0), "those alone that are 0"
    yield lambda c, y: loss(c, y, 0.5), "yours is"
    yield lambda c, y: loss(c, y, 0), "add one"
    yield lambda c, y: -loss(c, y), "other sign"
    yield lambda c, y: math.exp(loss(c, y)), "perplexity"
    yield lambda c, y: loss(c, y) / math.log(10), "base 10"
    yield lambda c, y: loss(c, y[y != -100][1:]), "yours is"
    yield lambda c, y: loss(c, np.roll(y, 1)[..., 1:]), "yours is"


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
    yield log(steps=math.nan), "steps holds nan or infinity"
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
    yield log(runs="many"), "list of dicts"
