"""One training loop, for pre-training and fine-tuning."""

import time

import numpy as np
import torch
from torch.nn.utils import clip_grad_norm_

from helpers._support.progress_bar import progress_bar

__all__ = ["batches", "train", "without_decay_of_vectors"]
WEIGHT_DECAY = 0.01


def batches(n, size, epochs, seed):
    """Return lists of row numbers, each epoch in a random order of its own.

    They are not sorted by length, although that would save padding: spam is long, so
    sorted batches would hold one class each.

    >>> [len(rows) for rows in batches(5, size=2, epochs=2, seed=0)]
    [2, 2, 1, 2, 2, 1]
    """
    rng = np.random.default_rng(seed)
    orders = [rng.permutation(n) for _ in range(epochs)]
    return [order[i : i + size] for order in orders for i in range(0, n, size)]


def train(
    model,
    batch_at,
    steps,
    learning_rate=1e-3,
    warmup=0.05,
    seed=0,
    every=500,
    stop_at=None,
    evaluate=None,
    progress=True,
):
    """Train the parameters of `model` that require a gradient; return the history.

    batch_at: step -> dict of tensors. model(**batch) returns a mapping whose "loss", a
    scalar tensor, is minimised by AdamW. The learning rate rises linearly over the
    share `warmup` of the steps and falls linearly to 0; gradients are clipped at norm
    1, and the weights of matrices decay, biases and layer norms do not, as in BERT.
    stop_at: end before this step. evaluate: model -> dict of numbers, called without
    gradients and in evaluation mode every `every` steps and after the last. Trains in
    training mode (with dropout, where the model has it) and leaves the model in
    evaluation mode. Used in "Pre-training" and "Texts of your own".

    Returns a list of dicts, one a step: step, learning_rate, every scalar that the
    model returned, what `evaluate` did, and seconds since this call. Raises
    FloatingPointError when the loss is no longer finite.

    >>> class Line(torch.nn.Linear):
    ...     def forward(self, x, y):
    ...         return {"loss": (super().forward(x) - y).square().mean()}
    >>> batch = {"x": torch.ones(4, 1), "y": torch.full((4, 1), 9.0)}
    >>> history = train(Line(1, 1), lambda step: batch, steps=20, progress=False)
    >>> len(history), history[-1]["loss"] < history[0]["loss"]
    (20, True)
    """
    from transformers import get_wsd_schedule, set_seed

    set_seed(seed)
    wanted = [p for p in model.parameters() if p.requires_grad]
    device = wanted[0].device
    optimizer = torch.optim.AdamW(
        without_decay_of_vectors([{"params": wanted}]),
        lr=learning_rate,
        weight_decay=WEIGHT_DECAY,
        fused=True,
    )
    rise = round(warmup * steps)
    schedule = get_wsd_schedule(
        optimizer, rise, steps - rise, steps, decay_type="linear"
    )
    model.train()
    history, started = [], time.perf_counter()
    end = steps if stop_at is None else min(steps, stop_at)
    options = {"disable": not progress, "mininterval": 5, "delay": 3, "leave": False}
    for step in (bar := progress_bar(range(end), **options)):
        row = {"step": step, "learning_rate": schedule.get_last_lr()[0]}
        output = model(**{k: v.to(device) for k, v in batch_at(step).items()})
        if not torch.isfinite(output["loss"]):
            raise FloatingPointError(
                f"the loss is not finite at step {step}; lower the learning rate"
            )
        output["loss"].backward()
        clip_grad_norm_(wanted, 1.0)
        optimizer.step()
        optimizer.zero_grad()
        schedule.step()
        row |= {name: v.item() for name, v in output.items() if v.ndim == 0}
        if evaluate and ((step + 1) % every == 0 or step + 1 == steps):
            row |= _evaluate(model, evaluate)
        history.append(row | {"seconds": round(time.perf_counter() - started, 2)})
        bar.set_postfix(loss=f"{row['loss']:.2f}", refresh=False)
    model.eval()
    return history


def without_decay_of_vectors(groups):
    """Split each group of parameters into its matrices, which decay, and its vectors.

    >>> weight, bias = torch.ones(2, 2), torch.ones(2)
    >>> groups = without_decay_of_vectors([{"params": [bias, weight]}])
    >>> [group.get("weight_decay") for group in groups]
    [None, 0.0]
    """
    split = []
    for group in groups:
        vectors = [p for p in group["params"] if p.ndim <= 1]
        matrices = [p for p in group["params"] if p.ndim > 1]
        split.append(group | {"params": matrices})
        split.append(group | {"params": vectors, "weight_decay": 0.0})
    return [group for group in split if group["params"]]


@torch.no_grad()
def _evaluate(model, evaluate):
    model.eval()
    numbers = evaluate(model)
    model.train()
    return numbers
