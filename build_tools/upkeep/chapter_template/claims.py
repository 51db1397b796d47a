"""What the page says of its run: its numbers, and when its sentences are true.

One function for each hidden cell. A claim has the name that its sentence bears in the
page, and a condition as strict as the sentence.
"""

from helpers import glue
from helpers.verdicts import claim


def opening(reading):
    """TO WRITE: what was measured; reading: as `read_attention` returns it."""
    sums = reading.attention[0, 0].sum(-1)  # (tokens,)
    glue("largest", float(reading.attention[0, 0].max()), display=False)
    claim(
        "sums",
        abs(sums - 1).max() < 1e-4,
        f"One row sums to {sums.min():.2f}.",
        about="mathematics",
    )


def answer(received):
    """TO WRITE. received: (tokens,), the mean weight that each token gets."""
    claim(
        "received",
        abs(received.sum() - 1) < 1e-4,
        f"They receive {received.sum():.2f}.",
        about="mathematics",
    )
