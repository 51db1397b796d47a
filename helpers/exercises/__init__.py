"""`check("word-senses.1", answer)`: says at once whether an exercise is solved."""

import contextlib
import math
import numbers

import numpy as np

from helpers._support.this_run import what_differs
from helpers.exercises.asking import listed, plain
from helpers.exercises.checks import checker_of
from helpers.exercises.passed import progress, record, so_far
from helpers.exercises.plain_form import MOST, in_plain_form
from helpers.exercises.quizzes import quiz
from helpers.exercises.replies import NotYet, Outcome
from helpers.exercises.running import Untouched, guarded

__all__ = ["NotYet", "Outcome", "check", "progress", "quiz"]

DEPTH = 3  # of dicts in dicts that are searched for gaps


def check(exercise, answer):
    """Check an answer and return the Outcome, which the notebook shows.

    exercise: its id, such as "word-senses.1". answer: what the exercise asks for.
    `...` and None count as not attempted, and so does a function without a body; of a
    dict the Outcome says which keys are open. A wrong answer never raises; where a
    function stopped, the Outcome's `traceback` says where. Raises ValueError for an
    unknown id. `progress()` shows what was passed so far.

    >>> check("word-senses.1", ...).status
    'not attempted yet'
    >>> check("word-senses.1", "no number").status
    'not yet'
    """
    outcome = _outcome(exercise, checker_of(exercise), answer)
    if outcome.status == "not yet" and (other := what_differs()):
        outcome.ran_on = f"Judged on this run: {other}."
    record(exercise, outcome.status)
    if outcome.status != "not attempted yet":
        outcome.so_far = so_far(exercise)
    return outcome


def _outcome(exercise, checker, answer):
    if answer is None or answer is ...:
        return Outcome(exercise, "not attempted yet")
    try:
        answer = _read(answer)
        if isinstance(answer, dict) and (gaps := list(_gaps(answer))):
            return _open(exercise, checker, answer, gaps)
        message = _judged(checker, answer)
    except Untouched:
        return Outcome(exercise, "not attempted yet")
    except NotYet as problem:
        return Outcome(exercise, "not yet", str(problem), problem.traceback)
    except (Exception, SystemExit) as problem:  # what the check did not foresee
        said = " ".join(f"{type(problem).__name__}: {problem}".split())[:300]
        return Outcome(exercise, "not yet", f"This answer cannot be read ({said}).")
    return Outcome(exercise, "passed", message or "")


def _read(answer):
    try:
        return in_plain_form(answer)
    except NotImplementedError:  # of a stub that yields
        raise Untouched from None


def _judged(checker, answer):
    if not callable(answer):
        _require_sensible(answer)
    return checker(guarded(answer))


def _open(exercise, checker, answer, gaps):
    filled = {key: value for key, value in answer.items() if not _is_open(value)}
    if filled:  # an open key may be one that nobody asks for
        with contextlib.suppress(Exception, SystemExit):
            return Outcome(exercise, "passed", _judged(checker, filled) or "")
    verb = "is" if len(gaps) == 1 else "are"
    said = f"{listed(gaps)} {verb} still open."
    begun = _parts(answer) > 2 * len(gaps)
    return Outcome(exercise, "not yet" if begun else "not attempted yet", said)


def _parts(answer, depth=0):
    """How many values stand in a dict, those of dicts in it counted one by one."""
    if not isinstance(answer, dict) or depth > DEPTH:
        return 1
    return sum(_parts(value, depth + 1) for value in answer.values())


def _gaps(answer, within="", depth=0):
    """Yield the keys under which a dict still holds `...` or None."""
    for key, value in answer.items():
        name = f"{within}[{key!r:.40}]" if within else f"{key!s:.40}"
        if isinstance(value, dict) and depth < DEPTH:
            yield from _gaps(value, name, depth + 1)
        elif _is_open(value, depth):
            yield name


def _is_open(value, depth=0):
    """Return whether something is left to fill in, also inside."""
    if isinstance(value, dict) and depth < DEPTH:
        return any(_is_open(part, depth + 1) for part in value.values())
    if isinstance(value, list | tuple) and depth < DEPTH:
        return any(
            part is not None and _is_open(part, depth + 1) for part in value[:MOST]
        )
    return value is None or value is ...


def _require_sensible(answer):
    """Raise NotYet for an answer of absurd size, or nan or infinity in a dict.

    Its size: entries, letters, twenty numbers of an array.
    """
    size, parts = 0, [(None, answer)]
    while parts:
        key, part = parts.pop()
        part = plain(part) if hasattr(part, "detach") else part
        if isinstance(part, dict | list | tuple | set | str):
            size += len(part)
        elif isinstance(part, np.ndarray):
            size += part.size // 20
        if size > MOST:
            raise NotYet("This answer is far too large; give a smaller one.")
        if isinstance(answer, dict) and not _is_finite(part):
            raise NotYet(
                f"{key!s:.50} holds nan or infinity; look where it comes from."
            )
        if isinstance(part, dict):
            parts += [(key or name, value) for name, value in part.items()]
        elif isinstance(part, list | tuple | set):
            parts += [(key, value) for value in part]


def _is_finite(part):
    if isinstance(part, np.ndarray) and part.dtype.kind in "fc":
        return np.isfinite(part).all()
    return not isinstance(part, numbers.Real) or math.isfinite(part)
