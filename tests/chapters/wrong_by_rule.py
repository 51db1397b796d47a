"""Slips that anyone can make in any function: a right one, spoiled by rule."""

import copy
import math
import numbers

import numpy as np
import torch


def spoiled(function):
    """Yield (name of the slip, function that makes it, whether it showed so far)."""
    for name, spoil in {**OF_RESULTS, **OF_INPUTS}.items():
        shown = []
        yield name, _wrapped(function, spoil, name in OF_INPUTS, shown), shown
    yield "first result for every input", *_memorised(function)


def _wrapped(function, spoil, is_input, shown):
    def call(*arguments):
        right = function(*copy.deepcopy(arguments))
        if is_input:
            spoilt = spoil(arguments[0])
            wrong = right if spoilt is None else function(spoilt, *arguments[1:])
        else:
            wrong = spoil(right)
        if wrong is None or alike(wrong, right):
            return right
        shown.append(True)
        return wrong

    return call


def _memorised(function):
    kept, shown = [], []

    def call(*arguments):
        right = function(*arguments)
        kept.append(right)
        if not alike(kept[0], right):
            shown.append(True)
        return kept[0]

    return call, shown


def alike(one, other):
    """Whether two values are alike but for rounding; functions are, by their code."""
    if hasattr(one, "shape") and hasattr(other, "shape"):
        one, other = (x.detach() if hasattr(x, "detach") else x for x in (one, other))
        if np.asarray(one).dtype.kind in "biuf":
            one, other = np.asarray(one), np.asarray(other)
            near = {"rtol": 1e-4, "atol": 1e-7, "equal_nan": True}
            return one.shape == other.shape and np.allclose(one, other, **near)
    one, other = (x.tolist() if hasattr(x, "tolist") else x for x in (one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(alike(one[k], other[k]) for k in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        pairs = zip(one, other, strict=False)
        return len(one) == len(other) and all(alike(a, b) for a, b in pairs)
    if isinstance(one, numbers.Real) and isinstance(other, numbers.Real):
        both = math.isnan(one) and math.isnan(other)
        return both or math.isclose(one, other, rel_tol=1e-4, abs_tol=1e-7)
    if hasattr(one, "__code__") and hasattr(other, "__code__"):
        return one.__code__.co_code == other.__code__.co_code
    if isinstance(one, str | set | None) or isinstance(other, str | set | None):
        return one == other
    return type(one) is type(other)


def scaled(result):
    """Numbers five per cent too large, whole ones by one."""
    if isinstance(result, bool | np.bool_ | str):
        return result
    if isinstance(result, numbers.Integral):
        return result + 1
    if isinstance(result, numbers.Real):
        return result * 1.05
    if isinstance(result, torch.Tensor | np.ndarray):
        whole = not np.issubdtype(np.asarray(result).dtype, np.floating)
        return result if whole else result * 1.05
    if isinstance(result, list | tuple):
        return type(result)(map(scaled, result))
    return result


def along_the_last_axis(values):
    if isinstance(values, torch.Tensor) and values.ndim > 1:
        return values.flip(-1)
    many = isinstance(values, np.ndarray) and values.ndim > 1
    return values[..., ::-1].copy() if many else None


ROWS = torch.Tensor, np.ndarray, list, tuple


def taken(order, kinds=ROWS):
    """A slip that takes two entries or more of a row in the order that it gives."""

    def slip(values):
        if not isinstance(values, kinds) or getattr(values, "shape", None) == ():
            return None
        if len(values) < 2:
            return None
        places = order(len(values))
        if isinstance(values, torch.Tensor | np.ndarray):
            return values[places]
        made = [values[place] for place in places]
        if isinstance(values, str):
            return "".join(made)
        return tuple(made) if isinstance(values, tuple) else made

    return slip


turned = taken(lambda n: [*range(n)][::-1], (*ROWS, str))
without_last = taken(lambda n: [*range(n - 1)])
without_first = taken(lambda n: [*range(1, n)])
OF_RESULTS = {
    "result five per cent too large": scaled,
    "result turned round": turned,
    "result turned along the last axis": along_the_last_axis,
    "result one place further": taken(lambda n: [n - 1, *range(n - 1)]),
    "result without its last entry": without_last,
    "last result as that before": taken(lambda n: [*range(n - 1), n - 2], ROWS[:3]),
    "first result as the next": taken(lambda n: [1, *range(1, n)], ROWS[:3]),
}
OF_INPUTS = {
    "first argument without its last entry": without_last,
    "first argument without its first entry": without_first,
    "first argument turned round": turned,
}
