"""One training loop, on Hugging Face Accelerate, for pre-training and fine-tuning."""

import json
import shutil
import time
from functools import partial
from pathlib import Path

import numpy as np
import torch

from helpers._support.progress_bar import progress_bar
from helpers.whole_files import remove_unfinished, whole

__all__ = ["batches", "progress_bar", "train"]


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
    weight_decay=0.01,
    seed=0,
    checkpoints=None,
    every=500,
    stop_at=None,
    evaluate=None,
    progress=True,
    groups=None,
    cooldown=None,
    dtype="float32",
    clip=1.0,
):
    """Train the parameters of `model` that require a gradient; return the history.

    batch_at: step -> dict of tensors; the same step must give the same batch, which
    makes a resumed run equal to an unbroken one. model(**batch) returns a mapping
    whose "loss", a scalar tensor, is minimised. The learning rate rises linearly over
    the share `warmup` of the steps and falls linearly to 0, at once or, where
    `cooldown` is given, over that last share; gradients are clipped at norm `clip`.
    checkpoints: a folder where the state is saved every `every` steps; a run that finds
    a state there goes on from it. stop_at: end before this step, as if the run were
    killed there. evaluate: model -> dict of numbers, called without gradients and in
    evaluation mode every `every` steps and after the last. Under `accelerate
    launch` every process takes its own batches. Trains in training mode (with dropout,
    where the model has it) and leaves the model in evaluation mode. Used in
    "Pre-training" and "Fine-tuning".

    dtype: "bfloat16" makes the steps under autocast, the weights stay in float32.
    groups: parameter groups for AdamW, in place of all parameters that require a
    gradient; each may have a learning rate ("lr") and "betas" of its own. The weights
    of matrices decay by `weight_decay`; biases and layer norms, which are vectors, do
    not, as in BERT.

    Returns a list of dicts, one a step: step, learning_rate, every scalar that the
    model returned, what `evaluate` did, and seconds since this call. Raises
    FloatingPointError when the loss is no longer finite and ValueError for a
    checkpoint that does not belong to this model and these steps.

    >>> class Line(torch.nn.Linear):
    ...     def forward(self, x, y):
    ...         return {"loss": (super().forward(x) - y).square().mean()}
    >>> batch = {"x": torch.ones(4, 1), "y": torch.full((4, 1), 9.0)}
    >>> history = train(Line(1, 1), lambda step: batch, steps=20, progress=False)
    >>> len(history), history[-1]["loss"] < history[0]["loss"]
    (20, True)
    """
    from accelerate import Accelerator
    from accelerate.state import AcceleratorState
    from accelerate.utils import set_seed
    from transformers import get_wsd_schedule

    set_seed(seed)
    # Accelerate keeps one precision for a process: what another library chose before
    # (transformers' Trainer does) is forgotten.
    AcceleratorState._reset_state()
    accelerator = Accelerator(mixed_precision="no", step_scheduler_with_optimizer=False)
    if dtype not in ("float32", "bfloat16"):
        raise ValueError(f'dtype is {dtype!r}; choose "float32" or "bfloat16"')
    autocast = partial(
        torch.autocast,
        accelerator.device.type,
        torch.bfloat16,
        enabled=dtype == "bfloat16",
    )
    wanted = [p for p in model.parameters() if p.requires_grad]
    groups = _without_decay_of_vectors(groups or [{"params": wanted}], weight_decay)
    optimizer = torch.optim.AdamW(groups, lr=learning_rate, fused=True)
    rise = round(warmup * steps)
    fall = steps - rise if cooldown is None else round(cooldown * steps)
    schedule = get_wsd_schedule(optimizer, rise, fall, steps, decay_type="linear")
    model, optimizer = accelerator.prepare(model.train(), optimizer)
    accelerator.register_for_checkpointing(schedule)
    history = _resume(accelerator, checkpoints, steps)
    end = steps if stop_at is None else min(steps, stop_at)
    started = time.perf_counter()
    for step in (bar := _progress(accelerator, len(history), end, steps, progress)):
        turn = step * accelerator.num_processes + accelerator.process_index
        row = {"step": step, "learning_rate": schedule.get_last_lr()[0]}
        with autocast():
            batch = {k: v.to(accelerator.device) for k, v in batch_at(turn).items()}
            output = model(**batch)
        row |= _update(accelerator, output, optimizer, step, wanted, clip)
        schedule.step()
        due = (step + 1) % every == 0
        if evaluate and (due or step + 1 == steps):
            row |= _evaluate(model, evaluate)
        history.append(row | {"seconds": round(time.perf_counter() - started, 2)})
        bar.set_postfix(loss=f"{row['loss']:.2f}", refresh=False)
        if checkpoints and due:
            _save(accelerator, history, Path(checkpoints))
    accelerator.unwrap_model(model).eval()
    return history


def _without_decay_of_vectors(groups, weight_decay):
    """Split each group into its matrices, which decay, and its vectors."""
    split = []
    for group in groups:
        parameters = list(group["params"])
        matrices = [p for p in parameters if p.ndim > 1]
        vectors = [p for p in parameters if p.ndim <= 1]
        split.append(group | {"params": matrices, "weight_decay": weight_decay})
        split.append(group | {"params": vectors, "weight_decay": 0.0})
    return [group for group in split if group["params"]]


def _progress(accelerator, start, end, steps, shown):
    return progress_bar(
        range(start, end),
        disable=not shown or not accelerator.is_main_process,
        initial=start,
        total=steps,
        mininterval=5,
        delay=3,
        leave=False,
    )


def _update(accelerator, output, optimizer, step, wanted, clip):
    """Take one step down the gradient; returns the scalars of the model's output."""
    if not torch.isfinite(output["loss"]):
        raise FloatingPointError(
            f"the loss is not finite at step {step}; lower the learning rate"
        )
    accelerator.backward(output["loss"])
    accelerator.clip_grad_norm_(wanted, clip)
    optimizer.step()
    optimizer.zero_grad()
    return {name: v.item() for name, v in output.items() if v.ndim == 0}


@torch.no_grad()
def _evaluate(model, evaluate):
    model.eval()
    numbers = evaluate(model)
    model.train()
    return numbers


def _save(accelerator, history, folder):
    """Write a checkpoint beside the old one, then drop the old one."""
    accelerator.wait_for_everyone()
    if not accelerator.is_main_process:
        return
    remove_unfinished(folder)
    with whole(folder / f"step-{len(history):07d}") as unfinished:
        accelerator.save_state(unfinished)
        (unfinished / "history.json").write_text(json.dumps(history))
    for older in sorted(folder.glob("step-*"))[:-1]:
        shutil.rmtree(older)


def _resume(accelerator, folder, steps):
    """Load the newest finished checkpoint; returns its history, [] without one."""
    saved = sorted(Path(folder).glob("step-*")) if folder else []
    if not saved:
        return []
    try:
        accelerator.load_state(saved[-1])
        history = json.loads((saved[-1] / "history.json").read_text())
    except Exception as error:  # of several libraries, with messages of many lines
        raise ValueError(
            f"cannot go on from {saved[-1]}: it is damaged or of another model; "
            "delete it or name another folder"
        ) from error
    if len(history) > steps:
        raise ValueError(
            f"{saved[-1]} is past the {steps} steps asked for; name another folder"
        )
    return history
