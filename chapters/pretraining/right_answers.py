"""Right answers by other ways than the solutions: losses, runs of a training."""

import numpy as np
from torch.nn.functional import cross_entropy

LABELS = ("labels", "next_sentence_label")


def _flat(network, batch):
    inputs = {k: v for k, v in batch.items() if k not in LABELS}
    logits = network.eval()(**inputs).prediction_logits
    return cross_entropy(logits.flatten(0, 1), batch["labels"].flatten())


def right_1(names):
    yield _flat


def right_3(names):
    losses = {(1, 0): 5.013, (2, 0): 4.802, (1, 1): 5.104, (2, 1): 4.721}
    runs = [{"setting": s, "seed": q, "loss": loss} for (s, q), loss in losses.items()]
    answer = {"changed": "layers", "steps": 40, "runs": runs, "difference": -0.297}
    yield answer | {
        "runs": tuple(run | {"loss": np.float32(run["loss"])} for run in runs)
    }
    yield answer | {"runs": [run | {"setting": [64, run["setting"]]} for run in runs]}
    yield answer | {"runs": [run | {"setting": {"n": run["setting"]}} for run in runs]}
