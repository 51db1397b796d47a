"""Checks of the chapter."""

from helpers.exercises import NotYet


def check_1(answer):
    """TO WRITE: what is asked for."""
    raise NotYet("TO WRITE: what was expected, and which mistake this looks like.")
