"""Tokens a second of the training loop, beside the machine's limit.

python -m benchmarks.training_loop [--steps N] [--rounds N]
"""

import copy
import time

import numpy as np
import torch

from benchmarks.common import about, options_of, products, spread
from helpers.models import load_bert
from helpers.training import mixed_precision, train

ROWS, PIECES = 16, 64  # a batch
BACKWARD = 2  # a backward pass has twice the products of the forward pass


def classifier(bert):
    """The run's encoder below a new head of two classes, without dropout."""
    from transformers import BertForSequenceClassification

    config = copy.deepcopy(bert.model.config)
    config.hidden_dropout_prob = config.attention_probs_dropout_prob = 0.0
    model = BertForSequenceClassification(config)
    model.bert.load_state_dict(bert.model.state_dict())
    return model.to(bert.device)


def batch_at(step):
    generator = torch.Generator().manual_seed(step)
    ids = torch.randint(1000, 20_000, (ROWS, PIECES), generator=generator)
    return {"input_ids": ids, "labels": ids[:, 0] % 2}


def main(arguments=None):
    options = options_of("training", arguments, out=False, steps=10, rounds=5)
    bert = load_bert()
    dtype = torch.bfloat16 if mixed_precision() == "bf16" else torch.float32
    encoder = copy.deepcopy(bert.model).to(dtype)
    forward, _ = products(encoder, ROWS * PIECES)
    model, rates, limits = classifier(bert), [], []
    train(model, batch_at, 2, progress=False)  # warm-up
    forward()
    for _ in range(options.rounds):
        history = train(model, batch_at, options.steps + 1, 1e-5, progress=False)
        seconds = history[-1]["seconds"] - history[0]["seconds"]
        rates.append(options.steps * ROWS * PIECES / seconds)
        start = time.perf_counter()
        for _ in range((1 + BACKWARD) * options.steps):
            forward()
        if bert.device.type == "cuda":
            torch.cuda.synchronize()
        limits.append(options.steps * ROWS * PIECES / (time.perf_counter() - start))
    print(*about("training", options), sep="\n")
    print(f"{bert.name}, batches of {ROWS} x {PIECES}, all weights trained, {dtype}")
    print(f"training loop: {spread(rates, 0)} tokens a second")
    print(f"matrix products of forward and backward: {spread(limits, 0)}")
    print(f"share of the limit: {spread(np.array(rates) / limits)}")


if __name__ == "__main__":
    main()
