"""Checks of the chapter, pre-training."""

import math

import numpy as np
import torch
from torch.nn.functional import cross_entropy

from helpers.exercises import NotYet
from helpers.exercises.asking import (
    a_dict,
    a_function,
    a_list,
    a_number,
    name_mistake,
)

MOST_STEPS = 1_000_000
SIZE = 120  # pieces of the vocabulary that the checks use


def check_1(answer):
    """A function: network, batch -> the mean masked-word loss before training."""
    a_function(answer, "first_loss")
    for seed in (0, 1):
        network, (batch, original) = _network(seed), _batch(seed)
        hint = "Return one number, the mean over the targets."
        got = a_number(answer(network, batch), "The loss", finite=False, hint=hint)
        with torch.inference_mode():
            logits = network(**_inputs(batch)).prediction_logits
        chosen = batch["labels"] != -100
        truth = cross_entropy(logits[chosen], batch["labels"][chosen]).item()
        if math.isclose(got, truth, rel_tol=1e-3):
            _require_evaluation_mode(answer, network, batch, truth)
            continue
        everywhere = cross_entropy(logits.flatten(0, 1), original.flatten())
        shares = logits[chosen].softmax(-1)[
            range(int(chosen.sum())), batch["labels"][chosen]
        ]
        mean_first = -math.log(shares.mean())
        slips = {
            "You average over all places; only the targets count.": everywhere.item(),
            "The loss is the mean of -log p, not -log of the mean of p.": mean_first,
            "You sum over the targets; take their mean.": truth * int(chosen.sum()),
            "This is in bits; use the natural logarithm.": truth / math.log(2),
        }
        name_mistake(got, slips, rtol=1e-3)
        raise NotYet(f"Expected another mean loss at the targets than {got:.4f}.")
    return "Near ln V a model knows nothing; above it, it is sure of nothing true."


def _require_evaluation_mode(answer, network, batch, truth):
    with torch.random.fork_rng():
        torch.manual_seed(0)
        got = a_number(answer(network.train(), batch), "The loss", finite=False)
    if not math.isclose(got, truth, rel_tol=1e-3):
        raise NotYet(
            "A fresh network is in training mode, where dropout changes its numbers: "
            "call network.eval() first."
        )


def _network(seed):
    from transformers import BertConfig, BertForPreTraining

    shape = dict(hidden_size=16, num_hidden_layers=1, num_attention_heads=2)
    shape |= dict(intermediate_size=32, max_position_embeddings=12)
    config = BertConfig(vocab_size=SIZE, initializer_range=0.5, **shape)
    with torch.random.fork_rng():  # the student's own draws go on as they were
        torch.manual_seed(seed)
        return BertForPreTraining(config).eval()


def _batch(seed):
    generator = torch.Generator().manual_seed(seed)
    original = torch.randint(5, SIZE, (6, 10), generator=generator)
    chosen = torch.rand(original.shape, generator=generator) < 0.3
    return {
        "input_ids": torch.where(chosen, 4, original),
        "attention_mask": torch.ones_like(original),
        "token_type_ids": torch.zeros_like(original),
        "labels": torch.where(chosen, original, -100),
        "next_sentence_label": torch.zeros(6, dtype=torch.long),
    }, original


def _inputs(batch):
    names = ("input_ids", "attention_mask", "token_type_ids")
    return {name: batch[name] for name in names}


def check_2(answer):
    """A function: counts (V,), labels -> the loss of the frequencies."""
    a_function(answer, "unigram_baseline")
    rng = np.random.default_rng(8)
    for shape in ((40,), (4, 12)):
        counts = rng.integers(0, 50, SIZE) * (rng.random(SIZE) < 0.8)
        labels = rng.integers(0, SIZE, shape)
        labels[rng.random(shape) < 0.6] = -100
        hint = "Return one number, the mean over the targets."
        got = a_number(answer(counts, labels), "The loss", finite=False, hint=hint)
        truth, slips = _unigram(counts, labels)
        if math.isclose(got, truth, rel_tol=1e-6):
            continue
        name_mistake(got, slips, rtol=1e-6)
        if not math.isfinite(got):
            raise NotYet("A target that never occurred costs infinitely much: add one.")
        raise NotYet(f"Expected another mean of -log p at the targets than {got:.4f}.")
    return "Every model has to beat this number before it may be called one."


def _unigram(counts, labels):
    """The right loss, and those of typical mistakes by their messages."""
    shares = (counts + 1) / (counts + 1).sum()
    chosen = shares[labels[labels != -100]]
    flat = shares[labels.ravel()]  # -100 read as an index from the end
    not_one = ((counts + 1) / counts.sum())[labels[labels != -100]]
    return -np.log(chosen).mean(), {
        "Take the mean of -log p, not -log of the mean.": -np.log(chosen.mean()),
        "Labels of -100 are no targets: leave them out.": -np.log(flat).mean(),
        "This is the average over all words; only the targets are asked for.": -(
            shares * np.log(shares)
        ).sum(),
        "This is in bits; use the natural logarithm.": -np.log2(chosen).mean(),
        "You sum over the targets; take their mean.": -np.log(chosen).sum(),
        "The shares do not sum to 1: the ones you add count in the total too.": -np.log(
            not_one
        ).mean(),
    }


def check_3(answer):
    """A dict: changed, steps, runs [{setting, seed, loss}] and the difference."""
    keys = ("changed", "steps", "runs", "difference")
    _, steps, runs, difference = a_dict(answer, keys)
    runs = a_list(runs, "runs", each=_run, hint="It is a list of dicts, one a run.")
    steps = a_number(steps, "steps")
    if steps < 40:
        raise NotYet("Train every run for 40 steps or more.")
    if steps > MOST_STEPS:
        raise NotYet(f"steps is how many there were, at most {MOST_STEPS:,}.")
    settings = list(dict.fromkeys(setting for setting, *_ in runs))
    if len(settings) != 2:
        raise NotYet(f"Change one thing: expected two settings, not {len(settings)}.")
    means = [_mean_of(setting, runs) for setting in settings]
    first, second = ({run[1] for run in runs if run[0] == s} for s in settings)
    if first != second:
        raise NotYet("Give both settings the same seeds: runs of a seed are a pair.")
    difference = a_number(difference, "difference")
    if not math.isclose(difference, means[1] - means[0], abs_tol=1e-3):
        raise NotYet(
            "difference is not the mean loss of the second setting minus the first's, "
            f"which is {means[1] - means[0]:.3f}."
        )
    return "Is it the same way round with every seed, and are the losses held-out ones?"


def _run(run, what):
    setting, seed, loss = a_dict(run, ("setting", "seed", "loss"), what)
    loss = a_number(loss, "Each loss")
    if not 0 < loss < 50:
        raise NotYet(f"Each loss must be a number above 0 and below 50, not {loss:g}.")
    return setting, seed, loss


def _mean_of(setting, runs):
    seeds, losses = zip(*[run[1:] for run in runs if run[0] == setting], strict=True)
    if len(set(seeds)) < 2:
        raise NotYet(f"Run the setting {setting!r} with two different seeds or more.")
    if len(set(losses)) == 1:
        raise NotYet(
            f"All seeds of {setting!r} have the same loss: does the seed reach the "
            "weights and the batches?"
        )
    return float(np.mean(losses))
