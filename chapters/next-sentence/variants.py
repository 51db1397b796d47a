"""Other forms of the exercises, for a class."""

import math

import numpy as np

from helpers.exercises.variants import Variant, on_result


def logarithm(base):
    cost = 1000 / math.log(base)
    edits = (
        (
            "minus the natural logarithm of the probability",
            f"minus the logarithm to base {base} of the\nprobability",
        ),
        (
            "with logits of 1000 and 0 it is 1000.",
            f"with logits of 1000 and 0 it is {cost:.0f}.",
        ),
        (
            "return np.logaddexp(logits[:, 0], logits[:, 1]) - right",
            "nats = np.logaddexp(logits[:, 0], logits[:, 1]) - right\n"
            f"    return nats / np.log({base})",
        ),
    )
    back = on_result(lambda losses, *_: np.asarray(losses, float) * math.log(base))
    return Variant(f"logarithms to base {base}", edits, back)


VARIANTS = {1: [logarithm(3), logarithm(10), logarithm(256)]}
