"""What a right function could do wrong in some calls only, by rule."""

import copy
import inspect
import itertools
import operator

import numpy as np
import torch

from tests.chapters import slips
from tests.chapters.slips import STOPS, alike, another, length, tried

SMALL = 9  # numbers of an array of which each may be the only 0
RELATIONS = {
    "is less than": operator.lt,
    "equals": operator.eq,
    "is more than": operator.gt,
}


def spoiled(arguments, rule):
    """Yield arguments of which one is changed by a rule, or all of its length."""
    changed = [tried(rule, value) for value in arguments]
    for place, new in enumerate(changed):
        if new is None:
            continue
        yield (*arguments[:place], new, *arguments[place + 1 :])
        if (size := length(arguments[place])) is not None:
            yield tuple(
                old if other is None or length(old) != size else other
                for old, other in zip(arguments, changed, strict=True)
            )


def _whole(value):
    return type(value) is int


def _size(value):
    return value if _whole(value) else length(value)


def _first(n):
    def entries(value):
        if isinstance(value, dict):
            return dict(list(value.items())[:n])
        return None if length(value) is None else value[:n]

    return entries


def _with_zero(place):
    """Of numbers none of which is negative, such as counts and shares, one is 0."""

    def with_zero(value):
        if _whole(value):
            return 0
        array = np.array(value, float)
        if not array.size or array.min() < 0:
            return None
        index = np.unravel_index(place, array.shape)
        if not isinstance(value, list):
            value[index] = 0
            return value
        row = value
        for step in index[:-1]:
            row = row[step]
        row[index[-1]] = 0
        return value

    return with_zero


def _has_zero(value):
    """A 0 alone, or beside two other numbers of its row: not only 1 against 0."""
    if _whole(value):
        return value == 0
    is_zero = np.asarray(value, float) == 0
    return bool((is_zero.any(-1) & ((~is_zero).sum(-1) > 1)).any())


def _only_zero(place):
    def holds(value):
        is_zero = np.asarray(value, float).ravel() == 0
        return bool(is_zero[place] and is_zero.sum() == 1)

    return holds


def _with_twins(value):
    return slips.first_as_next(value) if getattr(value, "ndim", 1) == 1 else None


def _has_twins(value):
    return any(alike(a, b) for i, a in enumerate(value) for b in value[:i])


def _one_less(value):
    return value - 1 if _whole(value) else None


def _large(value):
    floats = getattr(value, "dtype", None) in (torch.float32, np.float32, np.float64)
    return value * 100 if floats or isinstance(value, float) else None


def _leaking(by):
    """A function whose numbers depend a little on how much it is given."""

    def rule(function):
        if not inspect.isfunction(function):
            return None
        return lambda *given: np.asarray(function(*given)) + by * len(given[-1])

    return rule


LENGTHS = {
    "{} has no entry": (_first(0), lambda value: len(value) == 0),
    "{} has one entry": (_first(1), lambda value: len(value) == 1),
}
VALUES = {
    "{} has two entries alike": (_with_twins, _has_twins),
    "{} is 0 or has a 0": (_with_zero(0), _has_zero),
}
ONLY_ZERO = {
    f"the only 0 of {{}} is number {place + 1}": (_with_zero(place), _only_zero(place))
    for place in range(SMALL)
}
RULES = [*slips.OF_RESULTS.values(), slips.without_first, _one_less, _large]
RULES += [_leaking(2e-4), _leaking(2e-3)]


def edge_calls(arguments):
    """Yield arguments that lie on an edge: few entries, 0, equal to each other."""
    for rule, _ in (LENGTHS | VALUES | ONLY_ZERO).values():
        yield from spoiled(arguments, rule)
    sizes = list(map(_size, arguments))
    for place, value in enumerate(arguments):
        for size in set(sizes) - {None} if _whole(value) else ():
            for new in range(max(0, size - 1), size + 2):
                yield (*arguments[:place], new, *arguments[place + 1 :])


def edges(function, calls):
    """{what holds: test of arguments} for what may be special in a call."""
    most = max(calls, key=len)
    calls = [call for call in calls if len(call) == len(most)]
    names = [*inspect.signature(function).parameters][: len(most)]
    names += [f"argument {place + 1}" for place in range(len(names), len(most))]
    alone, found = {}, {}
    for place, name in enumerate(names):
        values = [call[place] for call in calls]
        first = alone.setdefault(tuple(map(_size, values)), place)
        # Arguments of like length become short together.
        kinds = VALUES if first != place else LENGTHS | VALUES
        if all(map(_is_small, values)) and len(set(map(np.shape, values))) == 1:
            kinds = kinds | ONLY_ZERO
        for edge, (rule, holds) in kinds.items():
            if any(tried(rule, value) is not None for value in values):
                found[edge.format(name)] = _at(place, holds)
    return found | _relations(names, calls, alone.values())


def _is_small(value):
    try:
        array = np.asarray(value, float)
    except STOPS:
        return False
    return array.ndim > 0 and 1 < array.size <= SMALL and array.min() >= 0


def _relations(names, calls, places):
    """{one number is less than, equals, is more than another, or a length}: test."""
    found, most = {}, calls[0]
    for one, other in itertools.permutations(places, 2):
        numbers = _whole(most[other])
        if not _whole(most[one]) or _size(most[other]) is None or other < one * numbers:
            continue
        tests = {name: _between(one, other, test) for name, test in RELATIONS.items()}
        shown = {name for name, test in tests.items() if any(map(test, calls))}
        if numbers or not shown >= {"is less than", "is more than"}:
            size = "" if numbers else "the length of "
            for relation, test in tests.items():
                found[f"{names[one]} {relation} {size}{names[other]}"] = test
    return found


def _at(place, holds):
    return lambda arguments: holds(arguments[place])


def _between(one, other, test):
    """0 is an edge of its own."""

    def between(arguments):
        sizes = _size(arguments[one]), _size(arguments[other])
        return all(sizes) and test(*sizes)

    return between


def at_run_time(function, calls):
    """{what goes wrong: maker of a function} for a function and its check's calls."""
    makers = {
        "changes its arguments": lambda: changing(function),
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
