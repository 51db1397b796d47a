"""One table for each exercise: its mistakes, by the message that names each.

A check compares an answer with what the functions of the table give; the tests hand
these functions in and expect their messages. A chapter's exercises.py keeps its tables
in TABLES, by the number of the exercise.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from helpers.exercises.asking import (
    a_function,
    a_number,
    an_array,
    is_right_to,
    is_rounded_too_far,
    name_rounding,
    plain,
    right_to,
)
from helpers.exercises.replies import NotYet
from helpers.exercises.running import in_short, without

STOPS = (ArithmeticError, LookupError, NotYet, RuntimeError, TypeError, ValueError)
LEAST = 2  # wrong numbers that a mistake has to explain
FEW = 8  # numbers that are shown whole


@dataclass(frozen=True)
class Mistakes:
    """The function that an exercise asks for, and what is known to go wrong in it.

    right: called with the arguments of a trial, as are the functions in `known`,
    {message: function, or a tuple of functions}; none of them changes its arguments.
    what: names a number of the answer. digits: decimals to which it must be right.
    slack: how far the right numbers may be off (`is_right_to`).
    near(got, wanted, *arguments): says so in place of the digits.
    numbers(function, *arguments): the numbers of a trial, where they are not what the
    function returns. answer: makes of a function in the table one that can be handed
    in, where that is not the function itself; the tests call it.

    >>> mean = Mistakes(
    ...     right=lambda x: sum(x) / len(x),
    ...     known={"This is the sum.": sum, "The largest counts alone.": max},
    ...     what="The mean",
    ... )
    >>> mean.judge([(([1, 2],), 1.5), (([0, 4],), 2)])  # right, so nothing is said
    >>> mean.judge([(([1, 2],), 3), (([0, 4],), 4)])
    Traceback (most recent call last):
    helpers.exercises.replies.NotYet: This is the sum.
    >>> mean.judge([(([1, 2],), 3), (([0, 4],), 5)])  # the sum explains one alone
    Traceback (most recent call last):
    helpers.exercises.replies.NotYet: The mean must be right to four decimals; ...
    """

    right: Callable
    known: Mapping
    what: str
    digits: int = 4
    near: Callable | None = None
    slack: float = 0
    numbers: Callable = lambda function, *arguments: function(*arguments)
    answer: Callable = lambda function: function

    def ask(self, name, answer, *stages, hint="", forbid=(), read=None, otherwise=None):
        """Try a function on cases, and judge after each stage what was tried so far.

        name: what the exercise calls the function.
        stages: cases, tuples of arguments; a later one holds those at which a function
        with a mistake of the table may stop. hint: what to return, said where that
        cannot be read. forbid: calls that are refused (`without`). read(result, *case):
        takes the numbers out of what the function returns, where these do not simply
        have the shape of the right ones. otherwise: as for `judge`; by default a wrong
        answer is told with its input and what was expected.
        """
        a_function(answer, name)
        trials = []
        for cases in stages:
            for case in cases:
                with without(*forbid):
                    result = answer(*case)
                trials.append((case, (read or self._reader(hint))(result, *case)))
            self.judge(trials, otherwise or self.told)

    def _reader(self, hint):
        def read(result, *case):
            shape = self.made(self.right, case).shape
            if shape == ():
                return a_number(result, "The answer", finite=False, hint=hint)
            return an_array(result, shape, "The answer", finite=False, hint=hint)

        return read

    def told(self, got, wanted, *arguments):
        """Say what was expected for an input, and what came: all, or one number."""
        shown = [x for x in arguments if not callable(x) and not isinstance(x, dict)]
        given = f"For {in_short(shown) or 'one of our inputs'} expected"
        if wanted.size <= FEW or got.shape != wanted.shape:
            expected, yours = (_shown(x, self.digits) for x in (wanted, got))
            return f"{given} {expected}; yours is {yours}."
        gap = np.abs(np.nan_to_num(got, nan=np.inf) - np.nan_to_num(wanted))
        worst = tuple(map(int, np.unravel_index(gap.argmax(), gap.shape)))
        expected, yours = (_shown(x[worst], self.digits) for x in (wanted, got))
        place = "".join(f"[{number}]" for number in worst)
        return f"{given} {expected} at {place}; yours has {yours} there."

    def judge(self, trials, otherwise=None):
        """Raise NotYet unless all trials, pairs of arguments and numbers, are right.

        A mistake is named if it gives the numbers of every trial, two wrong ones or
        more among them. Where two mistakes do, both are said. Else the first trial
        that is wrong is: by otherwise(got, wanted, *arguments), a text, or by its
        number.
        """
        trials = [(arguments, np.asarray(got, float)) for arguments, got in trials]
        wanted = [self.made(self.right, arguments) for arguments, _ in trials]
        wrong = [
            (got, truth, arguments)
            for (arguments, got), truth in zip(trials, wanted, strict=True)
            if not self._fits(got, truth, arguments)
        ]
        if not wrong:
            return
        self.name(trials)
        got, truth, arguments = wrong[0]
        if all(is_rounded_too_far(*pair, self.digits) for *pair, _ in wrong):
            name_rounding(got, truth, self.digits, self.what)
        if otherwise:
            raise NotYet(otherwise(got, truth, *arguments))
        right_to(got, truth, self.digits, self.what, self.slack)
        raise NotYet(f"{self.what} is not right.")

    def name(self, trials):
        """Raise NotYet if a mistake, or two, give the numbers of every trial."""
        trials = [(arguments, np.asarray(got, float)) for arguments, got in trials]
        wanted = [self.made(self.right, arguments) for arguments, _ in trials]
        named = [
            message
            for message, function in self.functions()
            if self._explains(function, trials, wanted)
        ]
        if 1 <= len(named := list(dict.fromkeys(named))) <= 2:
            raise NotYet(" Or: ".join(named))

    def answers(self):
        """Yield (message, answer to hand in) for each mistake of the table."""
        for message, function in self.functions():
            yield message, self.answer(function)

    def functions(self):
        """Yield (message, function) for each function of the table."""
        for message, made in self.known.items():
            for function in made if isinstance(made, tuple) else (made,):
                yield message, function

    def made(self, function, arguments):
        """Return the numbers that a function of the table gives in a trial."""
        with np.errstate(all="ignore"):  # a mistake may divide by 0
            return np.asarray(plain(self.numbers(function, *arguments)), float)

    def _fits(self, got, wanted, arguments):
        if got.shape != wanted.shape:
            return False
        both = np.isnan(got) & np.isnan(wanted)
        got, wanted = np.where(both, 0, got), np.where(both, 0, wanted)
        if self.near:
            return bool(self.near(got, wanted, *arguments))
        return is_right_to(got, wanted, self.digits, self.slack)

    def _explains(self, function, trials, wanted):
        wrong = 0
        for (arguments, got), truth in zip(trials, wanted, strict=True):
            try:
                made = self.made(function, arguments)
            except STOPS:
                return False
            if not self._fits(got, made, arguments):
                return False
            wrong += _wrong(got, truth, self.digits)
        return wrong >= LEAST


def _shown(numbers, digits):
    """A number, or the first of many, so that a rounded one is seen to be off."""
    digits = min(digits + 1, 6)
    if numbers.ndim == 0:
        return f"{np.round(numbers, digits):.10g}"
    shown = [float(x) for x in np.round(numbers, digits).ravel()[: 2 * FEW]]
    whole = [int(x) if x.is_integer() else x for x in shown]
    if numbers.ndim == 2 and numbers.size <= FEW:
        whole = np.reshape(whole, numbers.shape).tolist()
    return f"{whole}{'...' if numbers.size > 2 * FEW else ''}"


@dataclass(frozen=True)
class Choices:
    """A dict of answers, each its own question, and the choices known to be wrong.

    right: {question: answer}, or a function that returns it. known: {message: a dict
    of the wrong answers that it explains}.

    >>> shapes = Choices({"x": (2,), "y": (3,)}, {"y has a row more.": {"y": (2,)}})
    >>> shapes.judge({"x": (2,), "y": (3,)})
    >>> shapes.judge({"x": (2,), "y": (2,)})
    Traceback (most recent call last):
    helpers.exercises.replies.NotYet: y has a row more.
    """

    right: Mapping | Callable
    known: Mapping

    def truth(self):
        return self.right() if callable(self.right) else dict(self.right)

    def judge(self, given, otherwise="{} is not {}.".format):
        """Raise NotYet for the first wrong answer: its message, or otherwise(q, a)."""
        truth = self.truth()
        wrong = {name: got for name, got in given.items() if got != truth[name]}
        for message, choices in self.known.items():
            if all(wrong.get(name) == got for name, got in choices.items()):
                raise NotYet(message)
        for name, got in wrong.items():
            raise NotYet(otherwise(name, got))

    def answers(self):
        """Yield (message, answer to hand in) for each mistake of the table."""
        for message, choices in self.known.items():
            yield message, self.truth() | choices


def _wrong(got, truth, digits):
    """How many numbers are not right."""
    if got.shape != truth.shape:
        return max(got.size, truth.size)
    near = np.isclose(got, truth, rtol=0, atol=0.5 * 10.0**-digits, equal_nan=True)
    return int((~near).sum())
