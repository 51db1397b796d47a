"""Wrong answers that the tables of mistakes do not hold, and words of the reply."""

import math
import types

import pandas as pd
import torch
import torch.nn.functional as F

from helpers.exercises.checks import mistakes_of


def wrong_1(names):
    right = mistakes_of("encoders-today.1").right
    first = (1000, 16, 40, 96, 64)
    known = {(30_000, 128, 768, 3072, 512): 11_683_584, first: right(*first)}

    def encoder_size(*sizes):
        return 0

    of_page = types.FunctionType(encoder_size.__code__, {"__name__": "__main__"})
    yield lambda *sizes: of_page(*sizes), "calls encoder_size"
    yield lambda *sizes: right(*sizes) + 5, "you count 5 too many"
    yield lambda *sizes: known.get(sizes, 0), "too few"


def wrong_2(names):
    def by_pytorch(student, teacher, T):
        log_q, p = (student / T).log_softmax(-1), (teacher / T).softmax(-1)
        return F.kl_div(log_q, p, reduction="batchmean") * T**2

    def of_shares(added):
        def loss(student, teacher, T):
            p, q = ((x / T).softmax(-1) + added for x in (teacher, student))
            return (p * (p.log() - q.log())).sum(-1).mean() * T**2

        return loss

    yield by_pytorch, "calls kl_div"
    yield of_shares(0), "log_softmax"
    yield of_shares(1e-12), "the loss is"
    yield lambda s, t, T: 0.0, "yours is 0."
    yield lambda s, t, T: torch.ones(3), "one number"


def wrong_3(names):
    table = mistakes_of("encoders-today.3")
    right = table.answer(table.right)
    three = right["candidates"]
    own = three["encoder"]

    def memo(**changes):
        return right | changes

    def third(**changes):
        return memo(candidates=three | {"writer": own | changes})

    yield third(rate=math.inf), "nan or infinity"
    yield third(rate=1e300), "can be so high"
    yield third(rate=0), "above 0"
    yield third(rate=103.27, price=40, million=108.0), "cost 107.59"
    yield third(million=round(own["million"], 1)), "to two decimals"
    yield memo(candidates=dict.fromkeys("abc", own)), "same rate and price"
    yield memo(candidates={"encoder": own}), "three candidates"
    without = pd.DataFrame(three).T[["rate", "price"]]
    yield memo(candidates=without), "lacks million"
    upside = {name: own | {"rate": 1 / own["rate"]} for name, own in three.items()}
    yield memo(candidates=upside), "cost"
    yield memo(why="very " * 12), "Say why"
    yield memo(why="a b c d e f g h i j k l m"), "all alike"
    yield memo(why="I take it since it costs least"), "these are 7"
    for chosen in (own, ["encoder"], 0, "another"):
        yield memo(chosen=chosen), "none of your"
