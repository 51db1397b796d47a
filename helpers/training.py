"""One training loop, on Hugging Face Accelerate, for pre-training and fine-tuning."""

import json
import shutil
import time
from pathlib import Path

import torch

from helpers._support.progress_bar import progress_bar
from helpers._support.whole_files import remove_unfinished, whole


def mixed_precision(device=None):
    """Return "bf16" where the device computes in bfloat16 faster, else "no".

    device: a torch.device; None takes the GPU where there is one. PyTorch is asked
    what the machine has. Among CPUs, only those with AMX, which multiplies tiles of
    matrices, answer "bf16": with avx512_bf16 alone, PyTorch was slower in bfloat16.

    >>> mixed_precision(torch.device("mps"))
    'no'
    """
    kind = device.type if device else "cuda" if torch.cuda.is_available() else "cpu"
    if kind == "cuda":
        faster = torch.cuda.is_bf16_supported(including_emulation=False)
    else:
        tiles = getattr(torch.cpu, "_is_amx_tile_supported", lambda: False)
        faster = kind == "cpu" and tiles()
    return "bf16" if faster else "no"


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
):
    """Train the parameters of `model` that require a gradient; return the history.

    batch_at: step -> dict of tensors; the same step must give the same batch, which
    makes a resumed run equal to an unbroken one. model(**batch) returns a mapping
    whose "loss", a scalar tensor, is minimised. The learning rate rises linearly over
    the share `warmup` of the steps and falls linearly to 0, at once or, where
    `cooldown` is given, over that last share; gradients are clipped at norm 1.
    checkpoints: a folder where the state is saved every `every` steps; a run that finds
    a state there goes on from it. stop_at: end before this step, as if the run were
    killed there. evaluate: model -> dict of numbers, called without gradients and in
    evaluation mode every `every` steps and after the last. Under `accelerate
    launch` every process takes its own batches. Trains in training mode (with dropout,
    where the model has it) and leaves the model in evaluation mode. Used in
    "Pre-training" and "Fine-tuning".

    groups: parameter groups for AdamW, in place of all parameters that require a
    gradient; each may have an "lr", "betas" and "weight_decay" of its own.

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
    from accelerate.utils import set_seed
    from transformers import get_wsd_schedule

    set_seed(seed)
    accelerator = Accelerator(
        mixed_precision=mixed_precision(), step_scheduler_with_optimizer=False
    )
    wanted = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(
        groups or wanted, lr=learning_rate, weight_decay=weight_decay
    )
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
        row |= _update(accelerator, model, batch_at(turn), optimizer, wanted, step)
        schedule.step()
        due = (step + 1) % every == 0
        if evaluate and (due or step + 1 == steps):
            row |= _evaluate(model, evaluate)
        history.append(row | {"seconds": round(time.perf_counter() - started, 2)})
        bar.set_postfix(loss=f"{row['loss']:.2f}", refresh=False)
        if checkpoints and due:
            _save(accelerator, history, Path(checkpoints))
    _take_off_wrappers(accelerator, model).eval()
    return history


def _take_off_wrappers(accelerator, model):
    """Return the model as it was before accelerate wrapped its forward."""
    model = accelerator.unwrap_model(model, keep_fp32_wrapper=False)
    # In bfloat16 accelerate leaves the method on the object, where a copy of the model
    # would take it along, bound to the original.
    vars(model).pop("forward", None)
    return model


def _progress(accelerator, start, end, steps, shown):
    return progress_bar(
        range(start, end),
        disable=not shown or not accelerator.is_main_process,
        initial=start,
        total=steps,
        mininterval=5,
    )


def _update(accelerator, model, batch, optimizer, wanted, step):
    """Take one step down the gradient; returns the scalars of the model's output."""
    batch = {name: tensor.to(accelerator.device) for name, tensor in batch.items()}
    with accelerator.autocast():
        output = model(**batch)
    if not torch.isfinite(output["loss"]):
        raise FloatingPointError(
            f"the loss is not finite at step {step}; lower the learning rate"
        )
    accelerator.backward(output["loss"])
    accelerator.clip_grad_norm_(wanted, 1.0)
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
