"""Forms by rule: a right answer, handed in as anything that means the same."""

import copy
import functools
import itertools
import numbers
import types

import numpy as np
import pandas as pd
import torch

from tests.chapters.wrong_by_rule import alike


def formed(answer, digits=None):
    """Yield (name of the form, the answer in it); digits: to which it may be rounded.

    A function is handed in as one that returns each of the forms, and is itself a
    lambda, a class, a method or a partial function, and as one that clears what it was
    given; any other answer in each of the forms that changes it.
    """
    forms = FORMS if digits is None else FORMS | {"rounded": _rounded(digits)}
    if callable(answer):
        yield "clears its arguments", changing(answer)
        kinds = itertools.cycle(KINDS.items())
        for (name, form), (kind, made) in zip(forms.items(), kinds, strict=False):
            yield f"{kind} that returns {name}", made(_returning(form, answer))
        return
    for name, form in forms.items():
        if (changed := in_form(answer, form)) is not answer:
            yield name, changed


def others(answer):
    """Yield (name, what comes in place of such an answer, a word of the reply)."""
    word = "without brackets" if callable(answer) else ""
    yield "a number", 1.5, word
    yield "a text", "this text", word
    yield "a list", [1, "two"], word
    yield "a dict", {"one": 1}, word
    if not callable(answer):
        yield "a function", lambda *arguments: 1, ""
        for key in answer if isinstance(answer, dict) else ():
            other = 1.5 if isinstance(answer[key], str) else "this text"
            yield f"another kind of {key}", answer | {key: other}, str(key)
            rest = {name: value for name, value in answer.items() if name != key}
            yield f"no {key}", rest, str(key)
        return
    yield "returns text", lambda *arguments: "this text", ""
    yield "returns a dict", lambda *arguments: {"one": 1}, ""
    yield "returns a list", lambda *arguments: [1, "two"], ""
    yield "returns a function", lambda *arguments: answer, ""


def too_far_rounded(function, digits):
    """A function that gives two decimals less than are asked; whether that showed."""
    rounded, shown = _rounded(max(1, digits - 2)), []

    def call(*arguments):
        exact = as_array(function(*arguments))
        given = in_form(exact, rounded)
        shown.extend([True] if not alike(exact, given) else [])
        return given

    return call, shown


def changing(function):
    """A function that empties what it was given."""

    def call(*arguments):
        result = copy.deepcopy(function(*arguments))
        for value in arguments:
            if isinstance(value, list | dict):
                value.clear()
            elif isinstance(value, np.ndarray | torch.Tensor):
                value[...] = 0
        return result

    return call


def _returning(form, function):
    def call(*arguments):
        return in_form(function(*arguments), form)

    return call


def in_form(value, form):
    """A value, and the values of a dict, in a form; text and functions stay."""
    if isinstance(value, dict):
        changed = {key: in_form(each, form) for key, each in value.items()}
        same = all(changed[key] is value[key] for key in value)
        changed = value if same else changed
        return pd.Series(changed) if form is as_pandas else changed
    return value if isinstance(value, str) or callable(value) else form(value)


def as_list(value):
    """Arrays, tuples and Series as lists, through and through."""
    if hasattr(value, "tolist") and np.ndim(value):
        return value.tolist()
    return list(map(as_list, value)) if isinstance(value, tuple | list) else value


def as_array(value):
    """Numbers, alone or in rows of one length, as NumPy has them."""
    if hasattr(value, "detach"):
        return value.detach().cpu().numpy()
    return np.asarray(value)[()] if _uniform(value) else value


def as_tensor(value):
    value = as_array(value)
    kind = getattr(value, "dtype", np.dtype(object)).kind
    return torch.as_tensor(np.asarray(value)) if kind in "biuf" else value


def as_pandas(value):
    array = as_array(value)
    kind = {1: pd.Series, 2: pd.DataFrame}.get(getattr(array, "ndim", 0))
    return kind(array) if kind else value


def as_text(value):
    """Numbers as their digits."""
    value = as_list(value)
    if isinstance(value, list):
        return list(map(as_text, value))
    if hasattr(value, "item"):
        value = value.item()
    kept = not isinstance(value, numbers.Real) or isinstance(value, bool)
    return value if kept else str(value)


def as_generator(value):
    value = as_list(value)
    return (entry for entry in value) if isinstance(value, list) else value


def _rounded(digits):
    def rounded(value):
        array = as_array(value)
        floats = getattr(array, "dtype", np.dtype(object)).kind == "f"
        return np.round(array.astype(float), digits) if floats else value

    return rounded


def _uniform(value):
    if isinstance(value, numbers.Number):
        return True
    if not isinstance(value, list | tuple) or not value:
        return False
    if any(isinstance(entry, list | tuple) for entry in value):
        lengths = {len(e) if isinstance(e, list | tuple) else None for e in value}
        return len(lengths) == 1 and all(map(_uniform, value))
    return all(isinstance(entry, numbers.Number) for entry in value)


KINDS = {
    "lambda": lambda function: lambda *given: function(*given),
    "class": lambda function: type("Own", (), {"__call__": staticmethod(function)})(),
    "method": lambda function: types.MethodType(lambda _, *given: function(*given), 0),
    "partial": functools.partial,
}
FORMS = {
    "list": as_list,
    "tensor": as_tensor,
    "pandas": as_pandas,
    "text": as_text,
    "generator": as_generator,
}
