"""Checks of the chapter."""

import numpy as np

from helpers.exercises.mistakes import Mistakes
from helpers.exercises.seeds import rng


def check_1(answer):
    """TO WRITE: a function: numbers -> their mean."""
    cases = [(numbers,) for numbers in rng(1).normal(size=(3, 5))]
    TABLES[1].ask("mean", answer, cases)
    return "TO WRITE: what the answer shows."


TABLES = {  # the mistakes of each exercise, by the message that names each
    1: Mistakes(
        right=np.mean,
        known={
            "TO WRITE: this is the sum.": np.sum,
            "TO WRITE: this is the number in the middle.": np.median,
        },
        what="The mean",
    ),
}
