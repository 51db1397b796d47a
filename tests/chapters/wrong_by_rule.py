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


def turned(values):
    """The order turned round."""
    if isinstance(values, torch.Tensor):
        return values.flip(0) if values.ndim else None
    if isinstance(values, np.ndarray):
        return values[::-1].copy() if values.ndim else None
    return values[::-1] if isinstance(values, list | tuple | str) else None


def moved(values):
    """Each entry one place further, the last one first."""
    if isinstance(values, torch.Tensor):
        return values.roll(1, 0) if values.ndim else None
    if isinstance(values, np.ndarray):
        return np.roll(values, 1, axis=0) if values.ndim else None
    return values[-1:] + values[:-1] if isinstance(values, list | tuple) else None


def along_the_last_axis(values):
    if isinstance(values, torch.Tensor) and values.ndim > 1:
        return values.flip(-1)
    many = isinstance(values, np.ndarray) and values.ndim > 1
    return values[..., ::-1].copy() if many else None


def without_last(values):
    few = not hasattr(values, "__len__") or isinstance(values, dict | str)
    if few or getattr(values, "shape", None) == () or len(values) < 2:
        return None
    return values[:-1]


def without_first(values):
    return None if without_last(values) is None else values[1:]


def last_as_before(values):
    """The last entry is that before it: off by one at the end."""
    if without_last(values) is None or isinstance(values, tuple):
        return None
    values = copy.deepcopy(values)
    values[-1] = values[-2]
    return values


def first_as_next(values):
    if without_last(values) is None or isinstance(values, tuple):
        return None
    values = copy.deepcopy(values)
    values[0] = values[1]
    return values


OF_RESULTS = {
    "result five per cent too large": scaled,
    "result turned round": turned,
    "result turned along the last axis": along_the_last_axis,
    "result one place further": moved,
    "result without its last entry": without_last,
    "last result as that before": last_as_before,
    "first result as the next": first_as_next,
}
OF_INPUTS = {
    "first argument without its last entry": without_last,
    "first argument without its first entry": without_first,
    "first argument turned round": turned,
}
