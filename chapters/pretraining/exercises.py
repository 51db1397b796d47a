"""Checks of the chapter, pre-training."""

import numpy as np
import torch
from torch.nn.functional import cross_entropy

from helpers.exercises import NotYet
from helpers.exercises.asking import a_dict, a_list, a_number, a_text, is_right_to
from helpers.exercises.mistakes import Mistakes
from helpers.exercises.seeds import rng, torch_rng

MOST_STEPS = 1_000_000
MEAN = "Return one number, the mean over the targets."
SIZE = 120  # pieces of the vocabulary that the checks use
MASK = 4
SLACK = 2e-3  # of a loss
CLEVEREST = 1  # the grammar draws its words, so no held-out loss comes near
WORST = 10  # an even guess costs ln V, about 7 here


def check_1(answer):
    """A function: network, batch -> the mean masked-word loss before training."""
    trials = [(_network(number), _batch(number)) for number in range(4)]
    forbid = "__main__.losses", "__main__.examine"
    TABLES[1].ask("first_loss", answer, trials, hint=MEAN, forbid=forbid)
    for network, batch in trials:
        _require_evaluation_mode(answer, network, batch)
    return "At ln V a model gives even shares; above it, it is sure of what is not so."


def _require_evaluation_mode(answer, network, batch):
    truth = _loss(network, batch)
    with torch.random.fork_rng():
        torch.manual_seed(int(rng(19).integers(2**31)))
        got = a_number(answer(network.train(), batch), "The loss", hint=MEAN)
    if not is_right_to(got, truth, 2, SLACK):
        raise NotYet(
            "A fresh network is in training mode, where dropout changes its numbers: "
            "call network.eval() first."
        )


def _loss(network, batch, **others):
    """The mean loss where a label is; `others` take the place of inputs or labels."""
    batch = batch | others
    return _mean_loss(_logits(network, batch), batch["labels"])


@torch.inference_mode()
def _logits(network, batch, head="prediction_logits"):
    names = ("input_ids", "attention_mask", "token_type_ids")
    return network(**{name: batch[name] for name in names})[head]


def _mean_loss(logits, labels):
    return cross_entropy(logits.flatten(0, -2), labels.flatten()).item()


def _n_targets(batch):
    return int((batch["labels"] != -100).sum())


def _with_labels(choose):
    """The loss with other labels: choose(input_ids, labels)."""

    def loss(network, batch):
        return _loss(network, batch, labels=choose(batch["input_ids"], batch["labels"]))

    return loss


def _of_next_sentences(network, batch):
    logits = _logits(network, batch, "seq_relationship_logits")
    return _mean_loss(logits, batch["next_sentence_label"])


LOSS_MISTAKES = {
    "You average over all places; only the targets count.": (
        _with_labels(lambda ids, labels: torch.where(labels == -100, ids, labels)),
        _with_labels(lambda ids, labels: labels % SIZE),  # -100 as an index
    ),
    "You sum over the targets, or divide by all places; take the targets' mean.": (
        lambda network, batch: _loss(network, batch) * _n_targets(batch),
        lambda network, batch: (
            _loss(network, batch) * _n_targets(batch) / batch["labels"].numel()
        ),
    ),
    "cross_entropy takes logits and does the softmax itself; you did it twice.": (
        lambda network, batch: _mean_loss(
            _logits(network, batch).softmax(-1), batch["labels"]
        )
    ),
    "The labels are in the batch: your targets are the pieces that went in.": (
        _with_labels(lambda ids, labels: torch.where(labels == -100, -100, ids))
    ),
    "Every logit is for its own place; yours are shifted by one.": (
        lambda network, batch: _mean_loss(
            _logits(network, batch)[:, :-1], batch["labels"][:, 1:]
        )
    ),
    "This is the loss of both tasks, or of the next sentences; the masked words' alone "
    "is asked for.": (
        lambda network, batch: (
            _loss(network, batch) + _of_next_sentences(network, batch)
        ),
        _of_next_sentences,
    ),
    "The network has to be told the attention_mask and the token_type_ids too.": (
        lambda network, batch: _loss(
            network, batch, attention_mask=torch.ones_like(batch["labels"])
        ),
        lambda network, batch: _loss(
            network, batch, token_type_ids=torch.zeros_like(batch["labels"])
        ),
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
    }


def check_2(answer):
    """A function: counts (V,), labels -> the loss of the frequencies."""
    shapes = [(40,), (4, 12), (30,), (3, 10)] * 2
    cases = [_counts_and_labels(*which) for which in enumerate(shapes)]
    cases.append((cases[0][0], cases[0][1][-1:]))  # one target
    TABLES[2].ask("unigram_baseline", answer, cases, hint=MEAN)
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


def _targets(labels):
    return labels[labels != -100]


def _unigram(counts, labels):
    """The loss of frequencies that are counted already, at the targets."""
    return -np.log((counts / counts.sum())[_targets(labels)]).mean()


def _baseline(counts, labels):
    return _unigram(counts + 1, labels)


def _mean_of_shares(counts, labels):
    return -np.log(((counts + 1) / (counts + 1).sum())[_targets(labels)].mean())


def _not_one(counts, labels):
    return -np.log(((counts + 1) / counts.sum())[_targets(labels)]).mean()


BASELINE_MISTAKES = {
    "Take the mean of -log p, not -log of the mean.": _mean_of_shares,
    "Labels of -100 are no targets: leave them out.": (  # an index from the end
        lambda counts, labels: _baseline(counts, labels % len(counts))
    ),
    "You sum over the targets, or divide by all places; take the targets' mean.": (
        lambda counts, labels: _baseline(counts, labels) * len(_targets(labels)),
        lambda counts, labels: (
            _baseline(counts, labels) * len(_targets(labels)) / labels.size
        ),
    ),
    "A target that never occurred costs infinitely much: add one.": _unigram,
    "Add one to every count, not to those alone that are 0.": (
        lambda counts, labels: _unigram(np.maximum(counts, 1), labels)
    ),
    "The piece with id 0 is a target like the others.": (
        lambda counts, labels: _baseline(counts, labels[labels > 0])
    ),
    "The shares do not sum to 1: the ones you add count in the total too.": _not_one,
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


TABLES = {
    1: Mistakes(_loss, LOSS_MISTAKES, "The loss", 2, slack=SLACK),
    2: Mistakes(_baseline, BASELINE_MISTAKES, "The loss", 2),
}
