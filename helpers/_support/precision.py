"""Whether a machine computes faster in bfloat16: raced once, kept in the cache."""

import copy
import json
import os
import platform
import sys
import time
from contextlib import suppress
from functools import lru_cache

import filelock
import torch

from helpers._support.downloads import cache_folder
from helpers.whole_files import alone, replace

NAMED = "INSIDE_BERT_PRECISION"  # float32 or bfloat16: no race, this one
ROUNDS = 5
TEXTS, LENGTH, LAYERS = 32, 32, 2  # a batch as `embed_words` makes them


@lru_cache
def bfloat16_is_faster(kind, width, training):
    """Race float32 against bfloat16 on layers as wide as the model's.

    kind: "cpu" or "cuda". width: hidden size, a multiple of 64. training: race a step
    forward and back under autocast, which converts the weights each time, and not a
    reading with weights that are kept in bfloat16. The outcome is kept for machine,
    number of threads and version of PyTorch, and said where a race was run.
    """
    if named := os.environ.get(NAMED):
        if named not in ("float32", "bfloat16"):
            raise ValueError(f'{NAMED} is {named!r}; set it to "float32" or "bfloat16"')
        return named == "bfloat16"
    key = ", ".join(map(str, (_machine(kind), width, "train" if training else "read")))
    folder = cache_folder("")
    path = folder and folder / "precision.json"
    with suppress(OSError, filelock.Timeout):
        if path:
            with alone(path, seconds=60, kept=False):
                kept = _kept(path)
                if key not in kept:
                    kept[key] = _raced(kind, width, training)
                    replace(path, json.dumps(kept, indent=1).encode())
                return kept[key] > 1
    return _raced(kind, width, training) > 1


def _kept(path):
    """Return {machine and work: how many times as fast}; {} for a damaged file."""
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        return {key: float(ratio) for key, ratio in kept.items()}
    except (OSError, ValueError, AttributeError, TypeError):
        return {}


def _machine(kind):
    name = torch.cuda.get_device_name() if kind == "cuda" else platform.node()
    capability = torch.backends.cpu.get_cpu_capability()
    return name, capability, f"{torch.get_num_threads()} threads", torch.__version__


def _raced(kind, width, training):
    """Return how many times as fast as float32 bfloat16 is; says it on stderr."""
    seconds = {name: [] for name in ("float32", "bfloat16")}
    ways = (_steps if training else _readings)(_layers(width).to(kind), kind)
    for _ in range(1 + ROUNDS):
        for name, way in ways.items():
            start = time.perf_counter()
            way()
            if kind == "cuda":
                torch.cuda.synchronize()
            seconds[name].append(time.perf_counter() - start)
    exact, rough = (min(times[1:]) for times in seconds.values())
    ratio = exact / rough
    if not os.environ.get("TQDM_DISABLE"):  # as for bars: a page shows results
        work = "train" if training else "read"
        print(
            f"To {work} with a width of {width}, bfloat16 is {ratio:.1f} times as fast "
            f"here as float32: {'bfloat16' if ratio > 1 else 'float32'} is used.",
            file=sys.stderr,
        )
    return ratio


def _layers(width):
    from transformers import BertConfig, BertModel

    config = BertConfig(
        vocab_size=1000,
        hidden_size=width,
        num_hidden_layers=LAYERS,
        num_attention_heads=width // 64,
        intermediate_size=4 * width,
    )
    with torch.random.fork_rng():
        return BertModel(config, add_pooling_layer=False).eval()


def _readings(model, kind):
    ids = torch.arange(TEXTS * LENGTH, device=kind).view(TEXTS, LENGTH) % 1000
    models = {"float32": model, "bfloat16": copy.deepcopy(model).bfloat16()}

    @torch.inference_mode()
    def read(model):
        model(ids)

    return {name: lambda m=model: read(m) for name, model in models.items()}


def _steps(model, kind):
    ids = torch.arange(TEXTS * LENGTH, device=kind).view(TEXTS, LENGTH) % 1000

    def step(rough):
        with torch.autocast(kind, torch.bfloat16, enabled=rough):
            states = model(ids).last_hidden_state
        states.float().square().mean().backward()
        model.zero_grad()

    return {"float32": lambda: step(False), "bfloat16": lambda: step(True)}
