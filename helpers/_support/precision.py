"""Whether a machine computes faster in bfloat16: raced once a process."""

import copy
import os
import sys
import time
from functools import lru_cache

import torch

NAMED = "INSIDE_BERT_PRECISION"  # float32 or bfloat16: no race, this one
TYPES = ("float32", "bfloat16")
ROUNDS = 5
TEXTS, LENGTH, LAYERS = 32, 32, 2  # a batch as `embed_words` makes them


@lru_cache
def bfloat16_is_faster(kind, width, training):
    """Race float32 against bfloat16 on layers as wide as the model's.

    kind: "cpu" or "cuda". width: hidden size, a multiple of 64. training: race a step
    forward and back under autocast, which converts the weights each time, and not a
    reading with weights that are kept in bfloat16. The outcome is said on stderr.
    """
    if named := os.environ.get(NAMED):
        if named not in TYPES:
            raise ValueError(f'{NAMED} is {named!r}; set it to "float32" or "bfloat16"')
        return named == "bfloat16"
    exact, rough = _raced(kind, width, training)
    faster = rough < exact
    if not os.environ.get("TQDM_DISABLE"):  # as for bars: a page shows results
        print(
            f"To {'train' if training else 'read'} with a width of {width}, bfloat16 "
            f"is {exact / rough:.1f} times as fast here as float32: {TYPES[faster]} is "
            "used.",
            file=sys.stderr,
        )
    return faster


def _raced(kind, width, training):
    """Return the fewest seconds of a round in float32 and in bfloat16."""
    model = _layers(width).to(kind)
    ids = torch.arange(TEXTS * LENGTH, device=kind).view(TEXTS, LENGTH) % 1000
    models = {"float32": model, "bfloat16": model}
    if not training:
        models["bfloat16"] = copy.deepcopy(model).bfloat16()
    seconds = {name: [] for name in TYPES}
    for _ in range(1 + ROUNDS):
        for name in TYPES:
            start = time.perf_counter()
            with torch.set_grad_enabled(training):
                _pass(models[name], ids, training, name)
            if kind == "cuda":
                torch.cuda.synchronize()
            seconds[name].append(time.perf_counter() - start)
    return [min(times[1:]) for times in seconds.values()]  # the first warms up


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


def _pass(model, ids, training, name):
    """Read the texts; to train, under autocast, and with a step back."""
    rough = training and name == "bfloat16"
    with torch.autocast(ids.device.type, torch.bfloat16, enabled=rough):
        states = model(ids).last_hidden_state
    if training:
        states.float().square().mean().backward()
        model.zero_grad()
