"""`check("word-senses.1", answer)`: says at once whether an exercise is solved."""

import copy
import html
import math
import numbers
from dataclasses import dataclass

import numpy as np

from helpers.exercises.checks import checker_of, shown
from helpers.exercises.passed import progress, record
from helpers.exercises.quizzes import quiz

__all__ = ["NotYet", "Outcome", "check", "progress", "quiz"]

MOST = 1_000_000  # things in an answer: entries, letters, twenty numbers of an array
COLORS = {"passed": "#1a7f37", "not yet": "#b54708", "not attempted yet": "#57606a"}


class NotYet(Exception):
    """Raised by a check; its text says what was expected, never the solution."""


@dataclass
class Outcome:
    """What a check found: passed, not yet, or not attempted yet."""

    exercise: str
    status: str
    message: str = ""

    @property
    def passed(self):
        return self.status == "passed"

    @property
    def title(self):
        return f"Exercise {shown(self.exercise)}"

    def __repr__(self):
        return f"{self.title}: {self.status}. {self.message}".strip()

    def _repr_html_(self):
        color = COLORS[self.status]
        return (
            f'<p class="check" role="status" style="border-left:6px solid {color};'
            'padding:.4em .8em;background:#fff;color:#1f2328">'
            f"<strong style='color:{color}'>{html.escape(self.title)}: "
            f"{self.status}.</strong> {html.escape(self.message)}</p>"
        )


def check(exercise, answer):
    """Check an answer and return the Outcome, which the notebook shows.

    exercise: its id, such as "word-senses.1". answer: what the exercise asks for;
    `...`, None, a dict that holds one of these or a function that returns one counts
    as not attempted. A wrong answer never raises. Raises ValueError for an unknown id.
    `progress()` shows what was passed so far.
    """
    outcome = _outcome(exercise, checker_of(exercise), answer)
    record(exercise, outcome.status)
    return outcome


def _outcome(exercise, checker, answer):
    parts = answer.values() if isinstance(answer, dict) else [answer]
    if any(part is None or part is ... for part in parts):
        return Outcome(exercise, "not attempted yet")
    try:
        message = checker(_guarded(answer))
    except _Untouched:
        return Outcome(exercise, "not attempted yet")
    except NotYet as problem:
        return Outcome(exercise, "not yet", str(problem))
    except Exception as problem:  # an answer that the check did not foresee
        said = f"This answer cannot be read ({type(problem).__name__}: {problem})."
        return Outcome(exercise, "not yet", said)
    return Outcome(exercise, "passed", message or "")


def _require_sensible(answer):
    """Raise NotYet for an answer of absurd size, or nan or infinity in a dict."""
    size, parts = 0, [(None, answer)]
    while parts:
        key, part = parts.pop()
        part = part.detach().cpu().numpy() if hasattr(part, "detach") else part
        finite = True
        if isinstance(part, dict | list | tuple | set | str):
            size += len(part)
        elif isinstance(part, np.ndarray):
            size += part.size // 20
            finite = part.dtype.kind not in "fc" or np.isfinite(part).all()
        elif isinstance(part, numbers.Real):
            finite = math.isfinite(part)
        if size > MOST:
            raise NotYet("This answer is far too large; give a smaller one.")
        if isinstance(answer, dict) and not finite:
            raise NotYet(
                f"{key!s:.50} holds nan or infinity; look where it comes from."
            )
        if isinstance(part, dict):
            parts += [(key or name, value) for name, value in part.items()]
        elif isinstance(part, list | tuple | set):
            parts += [(key, value) for value in part]


class _Untouched(Exception):
    pass


def _guarded(answer):
    """Wrap a student's function: a copy of the input goes in, errors become words."""
    if not callable(answer):
        _require_sensible(answer)
        return answer

    def call(*arguments):
        try:
            result = answer(*copy.deepcopy(arguments))
        except NotImplementedError:
            raise _Untouched from None
        except Exception as error:
            shown = f"{type(error).__name__}: {error}"
            raise NotYet(f"Your function stopped with {shown}") from None
        if result is None or result is ...:
            raise _Untouched
        return result

    return call
