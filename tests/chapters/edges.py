"""What can go wrong in a right function as it runs, and in an answer, by rule."""

import copy
import inspect
import itertools
import numbers
import operator

import numpy as np
import torch

from tests.chapters import slips
from tests.chapters.slips import alike

STOPS = (AttributeError, IndexError, RuntimeError, TypeError, ValueError)
SIZED = list | tuple | dict | np.ndarray | torch.Tensor
RELATIONS = {
    "is less than": operator.lt,
    "equals": operator.eq,
    "is more than": operator.gt,
}


def spoiled(arguments, rules):
    """Yield arguments of which one is changed, or all of its length."""
    for rule in rules:
        changed = [_tried(rule, value) for value in arguments]
        for place, new in enumerate(changed):
            if new is None:
                continue
            yield (*arguments[:place], new, *arguments[place + 1 :])
            if (length := _length(arguments[place])) is not None:
                yield tuple(
                    old if other is None or _length(old) != length else other
                    for old, other in zip(arguments, changed, strict=True)
                )


def _tried(rule, value):
    try:
        new = rule(copy.deepcopy(value))
    except STOPS:
        return None
    return None if new is None or alike(new, value) else new


def _length(value):
    flat = not isinstance(value, SIZED) or getattr(value, "shape", None) == ()
    return None if flat else len(value)


def _whole(value):
    return type(value) is int


def _first(n):
    def entries(value):
        if isinstance(value, dict):
            return dict(list(value.items())[:n])
        return None if _length(value) is None else value[:n]

    return entries


def _with_zero(value):
    """Of numbers none of which is negative, such as counts and shares, one is 0."""
    if _whole(value):
        return 0
    if isinstance(value, list):
        return [0, *value[1:]] if np.min(value) >= 0 else None
    value.reshape(-1)[0] = 0 if value.min() >= 0 else None
    return value


def _has_zero(value):
    return bool((np.asarray(value, float) == 0).any())


def _with_twins(value):
    return slips.first_as_next(value) if getattr(value, "ndim", 1) == 1 else None


def _has_twins(value):
    return any(alike(a, b) for i, a in enumerate(value) for b in value[:i])


def one_less(value):
    return value - 1 if _whole(value) else None


EDGES = {
    "{} has no entry": (_first(0), lambda value: len(value) == 0),
    "{} has one entry": (_first(1), lambda value: len(value) == 1),
    "{} has two entries alike": (_with_twins, _has_twins),
    "{} is 0 or has a 0": (_with_zero, _has_zero),
}
RULES = [*slips.OF_RESULTS.values(), slips.without_first, one_less]


def edge_calls(arguments):
    """Yield arguments that lie on an edge: few entries, 0, equal to each other."""
    yield from spoiled(arguments, [rule for rule, _ in EDGES.values()])
    sizes = list(map(_size, arguments))
    for place, value in enumerate(arguments):
        for size in set(sizes) - {None} if _whole(value) else ():
            for new in range(max(0, size - 1), size + 2):
                yield (*arguments[:place], new, *arguments[place + 1 :])


def _size(value):
    return value if _whole(value) else _length(value)


def edges(function, calls):
    """{what holds: test of arguments} for what may be special in a call."""
    most = max(calls, key=len)
    names = [*inspect.signature(function).parameters][: len(most)]
    names += [f"argument {place + 1}" for place in range(len(names), len(most))]
    alone, found = [], {}
    for place, name in enumerate(names):
        lengths = [_size(call[place]) for call in calls if len(call) > place]
        if lengths not in [known for known, _ in alone]:  # else they go together
            alone.append((lengths, place))
            values = [call[place] for call in calls if len(call) > place]
            for edge, (rule, holds) in EDGES.items():
                if any(_tried(rule, value) is not None for value in values):
                    found[edge.format(name)] = _at(place, holds)
    places = [place for _, place in alone if _size(most[place]) is not None]
    for one, other in itertools.permutations(places, 2):
        if _whole(most[one]) and (one < other or not _whole(most[other])):
            size = "" if _whole(most[other]) else "the length of "
            for relation, test in _relations(one, other, calls):
                found[f"{names[one]} {relation} {size}{names[other]}"] = test
    return found


def _relations(one, other, calls):
    """Those that no call shows, unless calls lie on either side."""
    tests = {name: _between(one, other, test) for name, test in RELATIONS.items()}
    shown = {name for name, test in tests.items() if any(map(test, calls))}
    return () if len(shown - {"equals"}) == 2 else tests.items()


def _at(place, holds):
    return lambda arguments: holds(arguments[place])


def _between(one, other, test):
    def between(arguments):
        if len(arguments) <= max(one, other):
            return False
        return test(_size(arguments[one]), _size(arguments[other]))

    return between


def at_run_time(function, calls):
    """{what goes wrong: maker of a function} for a function and its check's calls."""
    makers = {
        "changes its arguments": lambda: _changing(function),
        "wrong from its second call on": lambda: _wrong_where(
            function, lambda arguments, count: count > 1
        ),
    }
    for edge, holds in edges(function, calls).items():
        makers[f"wrong where {edge}"] = lambda holds=holds: _wrong_where(
            function, lambda arguments, _: _holds(holds, arguments)
        )
    return makers


def _holds(test, arguments):
    try:
        return test(arguments)
    except STOPS:
        return False


def _wrong_where(function, wrong):
    count = 0

    def call(*arguments):
        nonlocal count
        count += 1
        hit = wrong(arguments, count)
        result = function(*arguments)
        return another(result) if hit else result

    return call


def _changing(function):
    def call(*arguments):
        result = copy.deepcopy(function(*arguments))
        for value in arguments:
            if isinstance(value, list | dict):
                value.clear()
            elif isinstance(value, np.ndarray | torch.Tensor):
                value[...] = 0
        return result

    return call


def another(value):
    """A value of the same kind that is wrong."""
    if isinstance(value, dict):
        return {key: another(part) for key, part in value.items()}
    if isinstance(value, bool | np.bool_):
        return not value
    for rule in (slips.scaled, slips.without_last, slips.turned):
        if (new := _tried(rule, value)) is not None:
            return new
    if isinstance(value, str):
        return f"{value}?"
    if isinstance(value, list | tuple):
        return type(value)(map(another, value)) if len(value) else [0]
    return value + 1


def _another_entry(value):
    """A share stays one, and a small number does not only round in another way."""
    if not isinstance(value, float):
        return another(value)
    by = max(0.02, abs(value) / 20)
    return value + by if value < 0.5 else value - by


def others(value, name="answer"):
    """Yield (what changed, the answer) for one entry after the other of an answer."""
    if isinstance(value, dict):
        for key, part in value.items():
            for label, new in others(part, f"{name}[{key!r}]"):
                yield label, {**value, key: new}
        return
    if _length(value) is None:
        if isinstance(value, numbers.Number | str):
            yield f"{name} is another", _another_entry(value)
        return
    value = value.tolist() if hasattr(value, "tolist") else list(value)
    for rule in (slips.without_last, slips.turned, slips.moved):
        if (new := _tried(rule, value)) is not None:
            yield f"{name} {rule.__name__.replace('_', ' ')}", new
    for place in sorted({0, len(value) - 1} if value else ()):
        for label, new in others(value[place], f"{name}[{place}]"):
            yield label, [*value[:place], new, *value[place + 1 :]]
