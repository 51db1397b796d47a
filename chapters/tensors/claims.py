"""What "Tensors" says of this run: the numbers it prints, and when it is true."""

import math

import torch
import torch.nn.functional as F
from torch import nn

from chapters.tensors.figures import as_drawn, walk
from helpers import glue
from helpers.verdicts import claim


def first_screen():
    losses = {
        rate: torch.stack([loss for _, loss in walk(rate, steps=steps)])
        for rate, steps in ((0.03, 12), (1, 12), (15, 100))
    }
    for_boat, for_spoon = [-4 * 3, 0, 2], [10 * 1, 0, 1]  # scores at the two ends
    late = losses[15][-20:]
    claim(
        "boat-and-spoon",
        max(for_boat) > for_boat[0] and max(for_spoon) == for_spoon[0],
        about="data",
    )
    claim(
        "small-rate-crawls",
        losses[0.03][-1] > 0.9 * losses[0.03][0] and losses[1][-1] < losses[1][0] / 2,
        about="data",
    )
    claim(
        "large-rate-thrown",
        late.max() - late.min() > 1 and losses[1][-3:].std() < 0.001,
        f"In the last of a hundred steps it goes from {late.min():.2f} to "
        f"{late.max():.2f}.",
        about="data",
    )


def all_pairs(errors):
    glue("wrong_error", errors.mean().item())


def cut(both, halves, slip, joined):
    claim(
        "two-of-four",
        torch.equal(slip[0], both[:2].reshape(4, 2)),
        about="mathematics",
    )
    claim(
        "none-overtakes",
        torch.equal(slip.flatten(), both.flatten())
        and not torch.equal(halves.flatten(), both.flatten()),
        about="mathematics",
    )
    claim("flatten-joins", torch.equal(joined, both), about="mathematics")


def shares(x, scores, by_hand):
    """What holds of any shares, and of any layers without a bend between them."""
    added, multiplied = (scores[2] + 10).softmax(-1), (scores[2] * 10).softmax(-1)
    claim(
        "shift-changes-nothing", torch.allclose(added, by_hand[2]), about="mathematics"
    )
    claim("kitchen-loses", multiplied[2] < 1e-6 * by_hand[2, 2], about="mathematics")
    boat, spoon, kettle = 0, 3, 4
    five = torch.cat([x, torch.tensor([[5.0, 0]])])
    with torch.random.fork_rng():
        torch.manual_seed(0)
        one = [nn.Linear(2, 1)(five) for _ in range(500)]
        two = [nn.Linear(8, 1)(nn.Linear(2, 8)(five)) for _ in range(500)]
    means = [
        (torch.stack(some)[:, boat] - torch.stack(some)[:, [spoon, kettle]].mean(1))
        for some in (one, two)
    ]
    claim("boat-is-mean", means[0].abs().max() < 1e-5, about="mathematics")
    claim("two-layers-too", means[1].abs().max() < 1e-5, about="mathematics")


def loss(x, right, losses):
    with torch.random.fork_rng():
        torch.manual_seed(0)
        fresh = torch.stack([nn.Linear(2, 3)(x) for _ in range(2000)]).detach()
    cost = F.cross_entropy(fresh.flatten(0, 1), right.repeat(2000))
    glue("mean_loss", losses.mean().item())
    claim("random-weights-cost", cost > math.log(3) + 0.02, about="data")
    claim("even-costs-twice", 1.8 < math.log(3) / losses.mean() < 2.2, about="data")


def bend(score):
    """score: what two bent numbers give, (5, 1)."""
    kitchen = torch.tensor([False, False, False, True, True])
    claim("bend-parts", torch.equal(score[:, 0] > 0, kitchen), about="data")


def step(gap):
    glue("gap", float(gap))


def rates(after):
    glue("loss_1", after[1])
    glue("loss_100", after[100])
    claim("rate-one-best", min(after, key=after.get) == 1, about="data")
    claim("above-even-shares", after[100] > 2 * math.log(3), about="data")


def trained(ended, right):
    claim("all-have-topic", (ended[1].argmax(dim=1) == right).all(), about="data")


def untrained(model_class, x):
    with torch.random.fork_rng():
        torch.manual_seed(0)
        return as_drawn(model_class(), x)


def switches(tried):
    """tried: {(train, inference): (equal, remembers)}, all four."""
    claim(
        "eval-equalizes",
        len(tried) == 4
        and all(equal != train for (train, _), (equal, _) in tried.items()),
        about="mathematics",
    )
    claim(
        "inference-forgets",
        len(tried) == 4 and all(kept != off for (_, off), (_, kept) in tried.items()),
        about="mathematics",
    )


def knowing_nothing(cost):
    claim("wild-guesses-cost", cost[0] < cost[0.1] < cost[1] < cost[3], about="data")
    claim("frequencies-cost-less", cost["1 : 2 : 1"] < cost[0], about="mathematics")


def twice(loss):
    glue("twice", loss)


def dropout(dropped, word):
    claim(
        "mean-of-bank",
        (dropped.mean(dim=0) - word).abs().max() < 0.25,
        about="mathematics",
    )
