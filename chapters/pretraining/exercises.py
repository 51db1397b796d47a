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
    a_text,
    is_right_to,
    name_mistake,
)
from helpers.exercises.seeds import rng, torch_rng

MOST_STEPS = 1_000_000
SIZE = 120  # pieces of the vocabulary that the checks use
MASK = 4
CLEVEREST = 1  # the grammar draws its words, so no held-out loss comes near
WORST = 10  # an even guess costs ln V, about 7 here


def check_1(answer):
    """A function: network, batch -> the mean masked-word loss before training."""
    a_function(answer, "first_loss")
    for number in range(4):
        network, (batch, original) = _network(number), _batch(number)
        hint = "Return one number, the mean over the targets."
        got = a_number(answer(network, batch), "The loss", finite=False, hint=hint)
        truth = _loss_at_targets(network, batch)
        if not is_right_to(got, truth, 2, slack=2e-3):
            name_mistake(got, _slips_of_loss(network, batch, original, truth), 1e-4)
            raise NotYet(
                f"Expected {truth:.4f}, the mean loss at the targets of a small batch; "
                f"yours is {got:.4f}."
            )
        _require_evaluation_mode(answer, network, batch, truth)
    return "Near ln V a model knows nothing; above it, it is sure of nothing true."


def _require_evaluation_mode(answer, network, batch, truth):
    with torch.random.fork_rng():
        torch.manual_seed(int(rng(19).integers(2**31)))
        got = a_number(answer(network.train(), batch), "The loss", finite=False)
    if not is_right_to(got, truth, 2, slack=2e-3):
        raise NotYet(
            "A fresh network is in training mode, where dropout changes its numbers: "
            "call network.eval() first."
        )


@torch.inference_mode()
def _loss_at_targets(network, batch, **others):
    """The mean loss where a label is; `others` take the place of inputs or labels."""
    batch = batch | others
    logits = network(**_inputs(batch)).prediction_logits
    return cross_entropy(logits.flatten(0, 1), batch["labels"].flatten()).item()


@torch.inference_mode()
def _slips_of_loss(network, batch, original, truth):
    """The numbers of typical mistakes by their messages."""
    output, labels = network(**_inputs(batch)), batch["labels"]
    logits, chosen = output.prediction_logits, labels != -100
    p = logits[chosen].softmax(-1)[range(int(chosen.sum())), labels[chosen]]
    follows = cross_entropy(
        output.seq_relationship_logits, batch["next_sentence_label"]
    ).item()
    rows = [cross_entropy(x, y) for x, y in zip(logits, labels, strict=True)]
    ones, zeros = torch.ones_like(labels), torch.zeros_like(labels)
    hidden = torch.where(batch["input_ids"] == MASK, labels, -100)
    every = _loss_at_targets(network, batch, labels=original)
    return {
        "You average over all places; only the targets count.": every,
        "You divide by all places; only the targets count.": truth
        * chosen.float().mean(),
        "The loss is the mean of -log p, not -log of the mean of p.": -p.mean().log(),
        "You sum over the targets; take their mean.": truth * int(chosen.sum()),
        "This is in bits; use the natural logarithm.": truth / math.log(2),
        "The loss is -log p; yours has the other sign.": -truth,
        "This is e to the loss, the perplexity; return the loss.": math.exp(truth),
        "This is the loss of both tasks; the masked words' alone is asked for.": truth
        + follows,
        "This is the loss of the next sentences; the masked words' is asked for.": (
            follows
        ),
        "You average each row first; every target counts the same.": torch.stack(
            rows
        ).mean(),
        "You look at [MASK] alone; targets that stayed or were replaced count too.": (
            _loss_at_targets(network, batch, labels=hidden)
        ),
        "The network has to be told the attention_mask: there is padding.": (
            _loss_at_targets(network, batch, attention_mask=ones)
        ),
        "The network has to be told the token_type_ids.": _loss_at_targets(
            network, batch, token_type_ids=zeros
        ),
    }


def _network(number):
    from transformers import BertConfig, BertForPreTraining

    shape = dict(hidden_size=16, num_hidden_layers=1, num_attention_heads=2)
    shape |= dict(intermediate_size=32, max_position_embeddings=12)
    config = BertConfig(vocab_size=SIZE, initializer_range=0.5, **shape)
    with torch.random.fork_rng():  # the student's own draws go on as they were
        torch.manual_seed(int(rng(20 + number).integers(2**31)))
        return BertForPreTraining(config).eval()


def _batch(number):
    """Pairs of unequal length; the targets are masked, replaced or kept."""
    generator, rows = torch_rng(number), torch.arange(6).unsqueeze(1)
    places = torch.arange(10)
    original = torch.randint(5, SIZE, (6, 10), generator=generator)
    real = places < 5 + rows
    draw = torch.rand(original.shape, generator=generator)
    chosen = ((draw < 0.4) | (places == 1)) & real
    fate = torch.rand(original.shape, generator=generator)
    new = torch.where(fate < 0.6, MASK, original.roll(1))
    new = torch.where(fate < 0.8, new, original)
    return {
        "input_ids": torch.where(chosen, new, original) * real,
        "attention_mask": real.long(),
        "token_type_ids": ((places > 2) & real).long(),
        "labels": torch.where(chosen, original, -100),
        "next_sentence_label": torch.arange(6) % 2,
    }, original


def _inputs(batch):
    names = ("input_ids", "attention_mask", "token_type_ids")
    return {name: batch[name] for name in names}


def check_2(answer):
    """A function: counts (V,), labels -> the loss of the frequencies."""
    a_function(answer, "unigram_baseline")
    for number, shape in enumerate([(40,), (4, 12), (30,), (3, 10)] * 2):
        counts, labels = _counts_and_labels(number, shape)
        hint = "Return one number, the mean over the targets."
        got = a_number(answer(counts, labels), "The loss", finite=False, hint=hint)
        truth, slips = _unigram(counts, labels)
        if is_right_to(got, truth, 2):
            continue
        name_mistake(got, slips, rtol=1e-6)
        if not math.isfinite(got):
            raise NotYet("A target that never occurred costs infinitely much: add one.")
        raise NotYet(
            f"Expected {truth:.4f}, the mean of -log p at the targets; yours is "
            f"{got:.4f}."
        )
    return "Every model has to beat this number before it may be called one."


def _counts_and_labels(number, shape):
    """Counts from 0 to hundreds; some targets are common, some new, some piece 0."""
    draw = rng(number)
    counts = (draw.pareto(0.7, SIZE) * 5).clip(0, 900).astype(int)
    counts[draw.random(SIZE) < 0.3] = 0
    counts[:2] = 400 + 30 * number, 0
    labels = draw.integers(0, SIZE, shape)
    labels[draw.random(shape) < 0.5] = -100
    labels[..., 3], labels[..., -1], labels[..., 0] = 0, 1, 0
    return counts, labels


def _unigram(counts, labels):
    """The right loss, and those of typical mistakes by their messages."""
    shares, targets = (counts + 1) / (counts + 1).sum(), labels[labels != -100]
    chosen, rows = shares[targets], np.atleast_2d(labels)
    flat = shares[labels.ravel()]  # -100 read as an index from the end
    not_one = ((counts + 1) / counts.sum())[targets]
    some = np.maximum(counts, 1)
    truth = -np.log(chosen).mean()
    return truth, {
        "Take the mean of -log p, not -log of the mean.": -np.log(chosen.mean()),
        "Labels of -100 are no targets: leave them out.": -np.log(flat).mean(),
        "You divide by all places; only the targets count.": truth
        * len(targets)
        / labels.size,
        "This is the average over all words; only the targets are asked for.": -(
            shares * np.log(shares)
        ).sum(),
        "This is in bits; use the natural logarithm.": truth / math.log(2),
        "This is the logarithm to base 10; use the natural one.": truth / math.log(10),
        "The loss is -log p; yours has the other sign.": -truth,
        "This is e to the loss, the perplexity; return the loss.": math.exp(truth),
        "You sum over the targets; take their mean.": -np.log(chosen).sum(),
        "Add one to every count, not to those alone that are 0.": -np.log(
            some[targets] / some.sum()
        ).mean(),
        "The piece with id 0 is a target like the others.": -np.log(
            shares[targets[targets > 0]]
        ).mean(),
        "You average each row first; every target counts the same.": np.mean(
            [-np.log(shares[row[row != -100]]).mean() for row in rows]
        ),
        "The shares do not sum to 1: the ones you add count in the total too.": -np.log(
            not_one
        ).mean(),
    }


def check_3(answer):
    """A dict: changed, steps, runs [{setting, seed, loss}] and the difference."""
    keys = ("changed", "steps", "runs", "difference")
    changed, steps, runs, difference = a_dict(answer, keys)
    a_text(changed, "changed", hint="Say in words what you changed.")
    if getattr(runs, "ndim", 0) == 2 and hasattr(runs, "to_dict"):  # a DataFrame
        runs = runs.to_dict("records")
    runs = a_list(runs, "runs", each=_run, hint="It is a list of dicts, one a run.")
    steps = a_number(steps, "steps")
    if steps < 40:
        raise NotYet("Train every run for 40 steps or more.")
    if steps > MOST_STEPS:
        raise NotYet(f"steps is how many there were, at most {MOST_STEPS:,}.")
    settings = list(dict.fromkeys(setting for setting, *_ in runs))
    if len(settings) != 2:
        raise NotYet(f"Change one thing: expected two settings, not {len(settings)}.")
    _require_losses([loss for *_, loss in runs])
    means = [_mean_of(setting, runs) for setting in settings]
    first, second = ({run[1] for run in runs if run[0] == s} for s in settings)
    if first != second:
        raise NotYet("Give both settings the same seeds: runs of a seed are a pair.")
    _require_two_trainings(runs, settings)
    _compare_difference(a_number(difference, "difference"), means[1] - means[0])
    return "Is it the same way round with every seed, and are the losses held-out ones?"


def _require_losses(losses):
    if min(losses) <= CLEVEREST:
        raise NotYet(
            f"A loss of {min(losses):.3g} on held-out stories cannot be: their words "
            "are drawn, so that nobody foresees them so well. Give the loss, -log p, "
            "no share of right answers."
        )
    if min(losses) > WORST:
        raise NotYet(
            f"No loss is below {min(losses):.3g}, much more than an even guess costs. "
            "Give the loss at the targets, no sum and no per cent."
        )


def _require_two_trainings(runs, settings):
    first, second = ({q: x for s, q, x in runs if s == name} for name in settings)
    if first == second:
        raise NotYet(
            "Each seed has the same loss with both settings: does the change reach the "
            "training?"
        )


def _compare_difference(got, truth):
    if is_right_to(got, truth, 2):
        return
    if is_right_to(-got, truth, 2):
        raise NotYet("difference has the wrong sign: second setting minus the first.")
    raise NotYet(
        "difference is not the mean loss of the second setting minus the first's, "
        f"which is {truth:.3f} and must be right to two decimals; yours is {got:.6g}."
    )


def _run(run, what):
    setting, seed, loss = a_dict(run, ("setting", "seed", "loss"), what)
    loss = a_number(loss, "Each loss")
    if not 0 < loss < 50:
        raise NotYet(f"Each loss must be a number above 0 and below 50, not {loss:g}.")
    return str(setting), str(seed), loss  # a setting may be a list or a dict


def _mean_of(setting, runs):
    seeds, losses = zip(*[run[1:] for run in runs if run[0] == setting], strict=True)
    if len(set(seeds)) < 2:
        raise NotYet(f"Run the setting {setting!r} with two different seeds or more.")
    if len(set(seeds)) < len(seeds):
        raise NotYet(f"The setting {setting!r} has two runs of one seed; give one.")
    if len(set(losses)) == 1:
        raise NotYet(
            f"All seeds of {setting!r} have the same loss: does the seed reach the "
            "weights and the batches?"
        )
    return float(np.mean(losses))
