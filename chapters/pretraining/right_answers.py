"""Right answers by other ways than the solutions: losses, runs of a training."""

import numpy as np
import torch
from torch.nn.functional import cross_entropy

LABELS = ("labels", "next_sentence_label")


def _flat(network, batch):
    inputs = {k: v for k, v in batch.items() if k not in LABELS}
    logits = network.eval()(**inputs).prediction_logits
    return cross_entropy(logits.flatten(0, 1), batch["labels"].flatten())


def _less_the_other(network, batch):
    output = network.eval()(**batch)
    follows = output.seq_relationship_logits
    return (output.loss - cross_entropy(follows, batch["next_sentence_label"])).item()


def right_1(names):
    yield _flat
    yield _less_the_other


def _by_torch(counts, labels):
    logits = (torch.tensor(counts) + 1).double().log()
    return cross_entropy(logits.expand(labels.size, -1), torch.tensor(labels.ravel()))


def right_2(names):
    yield _by_torch


def right_3(names):
    losses = {(1, 0): 5.013, (2, 0): 4.802, (1, 1): 5.104, (2, 1): 4.721}
    runs = [{"setting": s, "seed": q, "loss": loss} for (s, q), loss in losses.items()]
    answer = {"changed": "layers", "steps": 40, "runs": runs, "difference": -0.297}
    yield answer | {
        "runs": tuple(run | {"loss": np.float32(run["loss"])} for run in runs)
    }
    yield answer | {"runs": [run | {"setting": [64, run["setting"]]} for run in runs]}
    yield answer | {"runs": [run | {"setting": {"n": run["setting"]}} for run in runs]}
