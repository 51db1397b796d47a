"""Where a check takes its random numbers from: one place, so that tests can vary them.

Every student gets the same numbers, so that a reply can be repeated. A test tries each
answer with many others (`seeded`), so that none passes by luck.
"""

import contextlib

import numpy as np

_seed, _draws = 0, 0


def rng(number=0):
    """Return a NumPy generator; `number` tells those of one check apart.

    >>> bool(rng(7).random() == rng(7).random())
    True
    """
    global _draws
    _draws += 1
    return np.random.default_rng((number, _seed))


def torch_rng(number=0):
    """Return a PyTorch generator, as `rng` does."""
    import torch

    return torch.Generator().manual_seed(int(rng(number).integers(2**60)))


@contextlib.contextmanager
def seeded(seed):
    """Let the checks within draw other numbers, one set a seed.

    Yields a function that returns how often a check has asked for numbers so far: one
    that never does needs no second seed.

    >>> with seeded(3) as draws:
    ...     bool(rng(7).random() == np.random.default_rng((7, 3)).random()), draws()
    (True, 1)
    """
    global _seed, _draws
    before, _seed, _draws = _seed, seed, 0
    try:
        yield lambda: _draws
    finally:
        _seed = before
