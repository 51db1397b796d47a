"""The form of an exercise that a class has: other sizes, units or arguments.

`variants.py` beside a chapter declares the forms. Which one holds is named by the
environment variable INSIDE_BERT_VARIANT, such as "tensors.1=0 tensors.2=2": the first
form of one exercise, the third of another. Without it, every exercise is the book's.
"""

import importlib.util
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

from helpers.exercises.asking import came
from helpers.exercises.chapters import chapters
from helpers.exercises.replies import NotYet

VARIABLE = "INSIDE_BERT_VARIANT"
PUBLISHED = (
    "This is an answer to the exercise as the book prints it, such as the published "
    "one; your class is asked something else. Read the exercise in your notebook."
)
SAID_OF = "(Said of your answer as the book's form of this exercise would have it.)"


@dataclass(frozen=True)
class Variant:
    """Another form of an exercise.

    asks: what it asks, in a few words. edits: pairs of a text that stands once in the
    exercise or its solution, and what replaces it. undo: turns an answer to this form
    into one to the book's, which the book's check can judge. given: arguments for the
    check, in place of its defaults.
    """

    asks: str
    edits: tuple
    undo: Callable | None = None
    given: dict = field(default_factory=dict)

    def checker(self, check):
        """Return the check of this form, made of the book's."""

        def checked(answer):
            if not self.undo:
                return check(answer, **self.given)
            try:
                return check(self.undo(answer), **self.given)
            except NotYet as problem:
                said = f"{problem} {SAID_OF}"
                raise NotYet(said, problem.traceback) from None

        return checked


def on_result(back):
    """Return an `undo` for functions: back(result, *arguments) is the book's result."""

    def undo(answer):
        if not callable(answer):
            return answer

        def call(*arguments):
            result = answer(*arguments)
            try:
                return back(result, *arguments)
            except Exception:
                raise NotYet(
                    f"Your function returned {came(result)}, which is not of the form "
                    "that the exercise asks for."
                ) from None

        return call

    return undo


def on_arguments(change):
    """Return an `undo` for functions: they get change(*arguments) of the book's."""

    def undo(answer):
        if not callable(answer):
            return answer
        return lambda *arguments: answer(*change(*arguments))

    return undo


def both(first, second):
    """Return an `undo` for functions that does what two do; the first may be None."""
    return (lambda answer: first(second(answer))) if first else second


def variant_of(exercise):
    """Return the Variant that holds for an exercise, or None for the book's form."""
    for part in os.environ.get(VARIABLE, "").split():
        name, _, number = part.partition("=")
        if name == exercise:
            forms = variants().get(name, ())
            if not number.isdecimal() or int(number) >= len(forms):
                raise ValueError(f"{VARIABLE} names {part}, and there is no such form")
            return forms[int(number)]
    return None


@lru_cache
def variants():
    """Return {exercise: its Variants} of all exercises that have some."""
    return {
        f"{slug}.{number}": forms
        for slug, chapter in chapters().items()
        for number, forms in sorted(_read(chapter.folder / "variants.py").items())
    }


def _read(path):
    if not path.is_file():
        return {}
    name = f"chapters.{path.parent.name}.variants"
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.VARIANTS
