"""How a check asks for a function, a dict, a number, an array, a text or a list.

Each takes what a student gave in any form that means the same (NumPy, tensors, pandas,
lists, tuples), returns it in one form, and raises NotYet in one sentence that says what
is expected and what came. `what` names the thing and opens that sentence ("Each share",
"fertility"); `hint` is a second sentence.
"""

import itertools
import math
import numbers
import re
import reprlib
from collections.abc import Callable, Mapping, Set
from decimal import Decimal

import numpy as np

from helpers.exercises.plain_form import in_plain_form
from helpers.exercises.replies import NotYet

DIGITS = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*")
DECIMALS = "a whole number,one decimal,two decimals,three decimals".split(",")
DECIMALS += ["four decimals", "five decimals"]


def a_function(answer, name):
    """Return a function; `name` is what the exercise calls it."""
    if isinstance(answer, Callable):
        return answer
    raise NotYet(
        f"Pass the function itself, without brackets: {name}. This is {came(answer)}."
    )


def a_dict(answer, keys, what="", only=False):
    """Return the values of a dict in the order of `keys`, as a list.

    With only=True a further key is refused, too. Without `what` it is the answer.

    >>> a_dict({"low": 1, "high": 2}, ("high", "low")), a_dict({"1": "a"}, [1])
    ([2, 1], ['a'])
    """
    answer = as_dict(answer)
    if isinstance(answer, Mapping):  # JSON turns 1 into "1"
        known = {str(key): key for key in keys}
        answer = {
            known.get(key, key) if isinstance(key, str) else key: value
            for key, value in answer.items()
        }
    wanted = f"{what} must be" if what else "Pass"
    wanted = f"{wanted} a dict with the keys {listed(keys)}"
    if not isinstance(answer, Mapping):
        raise NotYet(f"{wanted}; this is {came(answer)}.")
    if missing := [key for key in keys if key not in answer]:
        raise NotYet(f"{wanted}; yours lacks {listed(missing)}.")
    if only and (more := [key for key in answer if key not in keys]):
        raise NotYet(f"{wanted}; yours also has {listed(map(reprlib.repr, more[:5]))}.")
    return [answer[key] for key in keys]


def as_dict(value):
    """Return a pandas Series as a dict, and anything else as it is."""
    series = hasattr(value, "to_dict") and getattr(value, "ndim", 1) == 1
    return value.to_dict() if series else value


def a_number(value, what, low=-math.inf, high=math.inf, finite=True, hint=""):
    """Return a float from `low` to `high`; with finite=False it may be nan or inf.

    >>> a_number(np.float32(0.5), "The share", 0, 1), a_number("0.5", "The share")
    (0.5, 0.5)
    >>> a_number("half", "The share")
    Traceback (most recent call last):
    helpers.exercises.replies.NotYet: The share must be a number; this is text: 'half'.
    """
    said = f"{what} must be a number{_bounds(low, high)}"
    array = _numbers(value, said, hint)
    if array.size != 1:
        _refuse(f"{said}; this is {came(value)}", hint)
    number = float(array.item())
    if finite and not math.isfinite(number) or number < low or number > high:
        _refuse(f"{said}; yours is {number:.6g}", hint)
    return number


def a_whole_number(value, what, low=0, high=math.inf, hint=""):
    """Return an int from `low` to `high`; 3.0 counts as whole, 3.5 does not."""
    said = f"{what} must be a whole number{_bounds(low, high)}"
    array = _numbers(value, said, hint)
    if array.size != 1:
        _refuse(f"{said}; this is {came(value)}", hint)
    number = array.item()
    if not math.isfinite(number) or number != int(number) or not low <= number <= high:
        _refuse(f"{said}; yours is {number:.10g}", hint)
    return int(number)


def an_array(value, shape, what, finite=True, booleans=False, hint=""):
    """Return a NumPy array of floats.

    shape: a tuple, with None for an axis of any length, or None for any shape at all.
    finite=False lets nan and infinity through, booleans=True lets True be 1.

    >>> an_array([[1, 2]], (None, 2), "The table")
    array([[1., 2.]])
    """
    said = f"{what} must be one array of {'booleans or ' * booleans}numbers"
    if shape is not None:
        said += f", shape {_shown_shape(shape)}"
    array = _numbers(value, said, hint, "iufb" if booleans else "iuf")
    if shape is not None and not _fits(array.shape, shape):
        _refuse(f"{said}; yours has the shape {_shown_shape(array.shape)}", hint)
    if finite and not np.isfinite(array).all():
        _refuse(f"{said}; yours holds nan or infinity", hint)
    return array.astype(float)


def a_text(value, what, hint=""):
    """Return a str that is not empty."""
    said = f"{what} must be a string"
    if not isinstance(value, str):
        _refuse(f"{said}; this is {came(value)}", hint)
    if not value.strip():
        _refuse(f"{said}; yours is empty", hint)
    return str(value)


def a_list(value, what, length=None, each=None, hint=""):
    """Return a list, of `length` entries where one is given.

    each: one of the functions here, or one like it, called with an entry and its name.
    """
    said = f"{what} must be a list"
    said += "" if length is None else f" of {_entries(length)}"
    entries = plain(value)
    if isinstance(entries, np.ndarray) and entries.ndim:
        entries = entries.tolist()
    if isinstance(entries, range):
        entries = list(entries)
    if not isinstance(entries, list | tuple):
        _refuse(f"{said}; this is {came(value)}", hint)
    if length is not None and len(entries) != length:
        _refuse(f"{said}; yours has {_entries(len(entries))}", hint)
    entries = [x.item() if getattr(x, "shape", None) == () else x for x in entries]
    if each is None:
        return entries
    return [each(entry, f"{what}[{place}]") for place, entry in enumerate(entries)]


def is_right_to(got, truth, digits, slack=0):
    """Return whether numbers are the truth once it is rounded to `digits` decimals.

    So 0.64 counts for 0.6375 to two decimals, and so does all that lies nearer. slack:
    how far the truth itself may be off, where a model rounds differently.

    A float32 that was rounded so counts, too. An infinite truth wants the same
    infinity.

    >>> is_right_to(0.64, 0.6375, 2), is_right_to(0.63, 0.6375, 2)
    (True, False)
    """
    got, truth = np.asarray(got, float), np.asarray(truth, float)
    return got.shape == truth.shape and bool(_near(got, truth, digits, slack).all())


def _near(got, truth, digits, slack=0):
    size = np.abs(truth)
    rest = np.maximum(1e-9 * size, 2e-7 * np.clip(size, 1, 100))  # float32 keeps 6e-8
    allowed = 0.5 * 10.0**-digits + rest + slack
    with np.errstate(invalid="ignore"):  # infinity less infinity
        near = np.abs(got - truth) <= allowed
    return np.where(np.isfinite(truth), near, got == truth)


def is_rounded_too_far(got, truth, digits, slack=1e-4, least=0):
    """Return whether numbers are right, all of them, to fewer than `digits` decimals.

    slack: how far a rounded number may lie from the truth that is rounded as far;
    least: to how many decimals they must be right.

    >>> is_rounded_too_far([0.6, 0.3], [0.6375, 0.2514], 3)
    True
    >>> is_rounded_too_far([0.6, 0.4], [0.6375, 0.2514], 3)
    False
    """
    if np.shape(got) != np.shape(truth):
        return False
    ways = range(least, digits)
    return any(np.allclose(got, np.round(truth, n), atol=slack) for n in ways)


def name_rounding(got, truth, digits, what):
    """Raise NotYet, with the decimals asked, where numbers are only rounded too far.

    >>> name_rounding([0.6, 0.3], [0.6375, 0.2514], 3, "Each share")
    Traceback (most recent call last):
    helpers.exercises.replies.NotYet: Each share must be right to three decimals; ...
    """
    if is_rounded_too_far(got, truth, digits, least=1):  # 0 and 1 are rather choices
        right_to(got, truth, digits, what)


def first_wrong(got, truth, digits, slack=0):
    """Return the place, a tuple, of the first number that is not right (`right_to`)."""
    got, truth = np.asarray(got, float), np.asarray(truth, float)
    wrong = np.argwhere(~_near(got, truth, digits, slack))[0]
    return tuple(map(int, wrong))


def right_to(got, truth, digits, what, slack=0):
    """Raise NotYet unless numbers are right to `digits` decimals (`is_right_to`).

    The message says so, and names the number that is not.

    >>> right_to(0.64, 0.6375, 3, "The share")
    Traceback (most recent call last):
    helpers.exercises.replies.NotYet: The share must be right to three decimals; ...
    """
    got, truth = np.asarray(got, float), np.asarray(truth, float)
    if is_right_to(got, truth, digits, slack):
        return
    decimals = DECIMALS[digits] if digits < len(DECIMALS) else f"{digits} decimals"
    said = f"{what} must be right to {decimals}"
    if got.shape != truth.shape:
        raise NotYet(f"{said}; yours has the shape {_shown_shape(got.shape)}.")
    wrong = first_wrong(got, truth, digits, slack)
    place = "".join(f"[{number}]" for number in wrong)
    yours = f"yours{place} is" if place else "yours is"
    raise NotYet(f"{said}; {yours} {got[wrong]:.6g}.")


def listed(names):
    """Return names as a sentence has them: "a, b and c"."""
    *first, last = map(str, names)
    return f"{', '.join(first)} and {last}" if first else last


def came(value):
    """Say in a few words what a value is."""
    if isinstance(value, str):
        return f"text: {reprlib.repr(value)}"
    if value is None or value is ... or isinstance(value, bool | numbers.Number):
        return reprlib.repr(value)
    kind = type(value).__name__.replace("ndarray", "array").replace("Tensor", "tensor")
    kind = f"an {kind}" if kind[0].lower() in "aeiou" else f"a {kind}"
    if isinstance(shape := getattr(value, "shape", None), tuple):
        return f"{kind} of shape {_shown_shape(shape)}"
    if isinstance(value, list | tuple | Mapping | Set):
        return f"{kind} of length {len(value)}"
    return "a function" if isinstance(value, Callable) else kind


def _numbers(value, said, hint, kinds="iuf"):
    """Return an array of one of the kinds; what it cannot be is told after `said`."""
    try:
        array = np.asarray(plain(value))
    except (TypeError, ValueError, RuntimeError):
        array = np.asarray(None)  # rows of unequal length, a tensor without numbers
    if array.dtype.kind in "OU":
        array = _floats(array)
    if array.dtype.kind in kinds:
        return array
    found = f"this is {came(value)}"
    texts = [x for x in array.ravel()[:1000].tolist() if isinstance(x, str)]
    if texts := [x for x in texts if not DIGITS.fullmatch(x)] or texts:
        found = f"this is text: {reprlib.repr(texts[0])}"
    elif array.dtype.kind in "bc":
        found = f"yours is {'complex' if array.dtype.kind == 'c' else 'True or False'}"
    elif isinstance(value, list | tuple):
        found = "yours has rows of unequal length, or entries that are no numbers"
    _refuse(f"{said}; {found}", hint)


def _floats(array):
    """Turn objects and texts into floats where each is a real number or its digits."""
    entries = array.ravel().tolist()
    if not all(
        isinstance(x, numbers.Real | Decimal)
        or isinstance(x, str)
        and DIGITS.fullmatch(x)
        for x in entries
    ):
        return array
    try:
        return np.array(list(map(float, entries))).reshape(array.shape)
    except OverflowError:  # an integer of hundreds of digits
        return np.full(array.shape, math.inf)


def plain(value):
    """Turn tensors, pandas and iterators into arrays and lists, inside lists too."""
    return _as_arrays(in_plain_form(value))


def _as_arrays(value):
    if hasattr(value, "detach"):
        value = value.detach().cpu()
        if value.is_floating_point():
            value = value.double()  # NumPy has no bfloat16
        return value.numpy()
    if hasattr(value, "to_numpy"):
        return value.to_numpy()
    if isinstance(value, list | tuple):
        if any(hasattr(x, "detach") or isinstance(x, list | tuple) for x in value):
            return [_as_arrays(x) for x in value]
    return value


def _bounds(low, high):
    if math.isinf(high):
        return "" if math.isinf(low) else f", {low:,.10g} or larger"
    return f" from {low:,.10g} to {high:,.10g}"


def _fits(shape, wanted):
    pairs = itertools.zip_longest(shape, wanted, fillvalue=-1)
    return all(a == b or (b is None and a >= 0) for a, b in pairs)


def _entries(n):
    return "1 entry" if n == 1 else f"{n} entries"


def _shown_shape(shape):
    return str(tuple(shape)).replace("None", "any")


def _refuse(said, hint):
    raise NotYet(f"{said}. {hint}".strip())
