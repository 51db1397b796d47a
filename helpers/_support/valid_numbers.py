"""Input made plain, or refused in one line."""

import math
import operator

LETTERS = 100_000  # of a text; the tokenizer takes 200 bytes and more for each


def whole_numbers(values, name):
    """Return a list of ints; raises ValueError for anything else, 2.0 included."""
    try:
        return [operator.index(value) for value in values]
    except TypeError:
        given = f"{name} is {' '.join(repr(values).split()):.50}"
        raise ValueError(f"{given}; give a list of whole numbers") from None


def finite_numbers(values, name, gaps=False):
    """Return a list of floats; raises ValueError for nan, infinity and what is none.

    gaps: whether nan may stand for a value that is not there.
    """
    name = " ".join(str(name).split())
    try:
        numbers = [float(value) for value in values]
    except (TypeError, ValueError):
        raise ValueError(f"{name}: not all are numbers") from None
    if not all(math.isfinite(x) or (gaps and math.isnan(x)) for x in numbers):
        bad = "infinity" if gaps else "nan or infinity"
        raise ValueError(f"{name}: {bad} cannot be used; look where it comes from")
    return numbers


def require_whole_letters(text, name):
    """Raise ValueError where a string holds a surrogate, which UTF-8 cannot encode."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{name} holds half a character (a surrogate)") from None
