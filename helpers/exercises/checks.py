"""Finds the checks of the exercises, which lie beside the chapters."""

import importlib.util
import re
import reprlib
import sys
from functools import lru_cache

from helpers.exercises.chapters import chapters

FORM = re.compile(r"([a-z0-9-]+)\.([1-9])")
PRINTED = re.compile(r"0?(\d{1,2})\.([1-9])")
FUNCTION = re.compile(r"^def check_([1-9])\(", re.M)


def exercises():
    """Return the ids of all exercises, such as "word-senses.1", in their order."""
    return [
        f"{chapter.slug}.{number}"
        for chapter in chapters().values()
        for number in _numbers(chapter.folder / "exercises.py")
    ]


def _numbers(path):
    if not path.is_file():
        return []
    return sorted(FUNCTION.findall(path.read_text(encoding="utf-8")))


def shown(exercise):
    """Return an id as the pages print it, such as "11.1"; an unknown one unchanged."""
    found = FORM.fullmatch(exercise)
    chapter = chapters().get(found[1]) if found else None
    return f"{chapter.number}.{found[2]}" if chapter else exercise


def checker_of(exercise):
    """Return the function that checks an exercise.

    Raises ValueError for an unknown id, and names the right one where it is known.
    """
    found = FORM.fullmatch(str(exercise))
    if found and found[1] in chapters():
        if checker := getattr(checks_of(found[1]), f"check_{found[2]}", None):
            return checker
    given, meant = reprlib.repr(exercise), exercises()[0]
    if printed := PRINTED.fullmatch(str(exercise)):  # "03.3", or 3.3 as a number
        wanted = f"{int(printed[1])}.{printed[2]}"
        meant = next((id for id in exercises() if shown(id) == wanted), meant)
    raise ValueError(
        f'there is no exercise {given}; write check("{meant}", answer), with the id '
        "in quotes"
    )


def mistakes_of(exercise):
    """Return an exercise's table of mistakes (`mistakes.py`), or None without one.

    >>> mistakes_of("tensors.2").what
    'The loss'
    """
    slug, number = exercise.split(".")
    return getattr(checks_of(slug), "TABLES", {}).get(int(number))


@lru_cache
def checks_of(slug):
    """Return the module with the checks of a chapter; None without exercises.py."""
    path = chapters()[slug].folder / "exercises.py"
    if not path.is_file():
        return None
    name = f"chapters.{path.parent.name}.exercises"
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # where what it defines can be found again
    spec.loader.exec_module(module)
    return module
