"""Right answers in forms that nobody thinks of first."""


def right_1(names):
    """names: what the notebook has defined, the solution included. Yields answers."""
    yield "TO WRITE"
