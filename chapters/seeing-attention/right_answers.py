"""Right answers by other ways than the solution: a count of tokens."""

import numpy as np


def right_3(names):
    yield lambda a: np.exp(-(a * np.log(a + 1e-12)).sum(-1))
