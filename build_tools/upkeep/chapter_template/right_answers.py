"""Right answers in forms that nobody thinks of first."""


def right_1(names):
    """names: what the cells before the exercise define.

    Yields answers, two or more.
    """
    yield "TO WRITE"
