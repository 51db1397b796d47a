"""What counts as the same answer: one plain form for each of the forms it comes in.

The notebook brings an answer into it before it is checked, and so does the grader
before an answer leaves its sandbox; hence both give an exercise the same status.
"""

import itertools
import numbers
from collections.abc import Iterator, Mapping, MappingView, Sequence
from decimal import Decimal

import numpy as np

MOST = 1_000_000  # entries of a list, letters of a text
SIMPLE = (str, int, float, bool, type(None))
COLLECTIONS = list, tuple, set, frozenset
KEPT = (np.generic, bytes, *COLLECTIONS)


def in_plain_form(value):
    """Return what means the same in Python's own kinds, inside collections, too.

    Arrays of numbers, tensors, pandas and functions stay as they are.

    >>> in_plain_form({"a": map(float, "12"), "b": Decimal("0.5")})
    {'a': [1.0, 2.0], 'b': 0.5}
    """
    value = _of_own_kind(value)
    if isinstance(value, dict):
        return {in_plain_form(k): in_plain_form(v) for k, v in value.items()}
    for kind in COLLECTIONS:
        if isinstance(value, kind):
            if all(type(entry) in SIMPLE for entry in value):
                return value
            return kind(map(in_plain_form, value))
    return value


def _of_own_kind(value):
    """Return a value, but not what it holds, in plain form."""
    if type(value) in SIMPLE or callable(value) or hasattr(value, "detach"):
        return value
    if isinstance(value, np.ndarray):
        return value.tolist() if value.dtype == object else value
    if isinstance(value, range):
        return value[: MOST + 1]
    if isinstance(value, KEPT):
        return value
    if isinstance(value, str):
        return str(value)
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Real | Decimal):
        return float(value)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Iterator | MappingView | Sequence):
        return list(itertools.islice(value, MOST + 1))
    return _array(value)


def _array(value):
    """The array behind a pandas Index and its like; anything else as it is."""
    if hasattr(value, "to_numpy"):
        labelled = hasattr(value, "index")  # a Series or a table
        return value if labelled else _of_own_kind(value.to_numpy())
    return np.asarray(value) if hasattr(value, "__array__") else value
