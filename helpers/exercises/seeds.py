"""Where a check takes its random numbers from: one place, so that tests can vary them.

Every student gets the same numbers, so that a reply can be repeated. A test tries each
answer with many others, so that none passes by luck: it sets `_seed`, and reads from
`_draws` whether a check has asked for numbers at all.
"""

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
