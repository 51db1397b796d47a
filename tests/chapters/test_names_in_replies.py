"""A name in a hint or a reply is one that a student has met, or finds in a library."""

import ast
import builtins
import collections
import contextlib
import importlib
import inspect
import itertools
import math
import re
import string

import numpy as np
import pandas as pd
import pytest
import torch
from scipy import stats
from sklearn import linear_model, model_selection

from helpers.exercises.chapters import chapters
from helpers.exercises.checks import exercises
from tests.chapters.test_exercises import is_solution, place_of_check
from tests.fixtures import cells_of

LIBRARIES = [
    *(builtins, collections, itertools, math, re, string, np, pd, torch),
    *(str, list, dict, set, re.Pattern, collections.Counter),
    *(np.ndarray, np.linalg, np.random.Generator, pd.Series, pd.DataFrame),
    *(torch.Tensor, torch.nn, torch.nn.functional, torch.nn.Module),
    *(stats, model_selection, linear_model),
]
KNOWN = {name for library in LIBRARIES for name in dir(library)}
KNOWN |= {"np", "pd", "torch", "F", "nn", "string", "re", "and", "for", "None"}
HELPERS = re.compile(r"from `(helpers\.[\w.]+)`")
QUOTED = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
NAME = re.compile(r"(?<![#\w])[A-Za-z_]\w+")  # a later piece, ##ing, is no name
CODE = re.compile(r"```\{code-cell\}.*?\n```\n", re.S)
UNSEEN = {"remove-cell", "remove-input", "hide-input", "hide-cell"}


def names_of(text):
    """The names in backticks, of more than a letter; what is quoted is no name."""
    quoted = " ".join(re.sub(r"""(["']).*?\1""", "", t) for t in QUOTED.findall(text))
    return set(NAME.findall(quoted))


def told_by(hint):
    """What a hint says where to find: arguments of what it names, a module's names."""
    for name in names_of(hint):
        for function in (getattr(library, name, None) for library in LIBRARIES):
            if inspect.isroutine(function):
                with contextlib.suppress(ValueError):  # of C
                    yield from inspect.signature(function).parameters
    for module in HELPERS.findall(hint):
        yield from (*module.split("."), *dir(importlib.import_module(module)))


def parts_of(page, exercise):
    """Task, hint, stub, and all that is in sight up to there."""
    text = page.read_text(encoding="utf-8")
    number = exercise.split(".")[1]
    start = text.index(f"{{exercise-start}} {number} ·")
    task, hint = text[start : text.index("{exercise-end}", start)].split("*Hint.*")
    cells = cells_of(text)
    place = place_of_check(cells, exercise)
    seen = "\n".join(
        cell.source
        for cell in cells[: place + 1]
        if not UNSEEN & {*cell.tags} and not is_solution(cell)
    )
    stub = "\n".join(cell.source for cell in cells[place - 1 : place + 1])
    return task, hint, stub, seen + CODE.sub("", text[:start])


def said_by(path):
    """The texts in each function or table of a page's exercises.py."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        whole = [n.value for n in ast.walk(node) if isinstance(n, ast.Expr)]  # docs
        said = [n for n in ast.walk(node) if isinstance(n, ast.Constant)]
        texts = [n.value for n in said if n not in whole and isinstance(n.value, str)]
        yield " ".join(texts)


@pytest.mark.parametrize("exercise", exercises())
def test_a_hint_names_what_a_student_has_met(exercise):
    task, hint, stub, seen = parts_of(chapters()[exercise.split(".")[0]].page, exercise)
    met = {*NAME.findall(task + stub + seen)}
    assert sorted(names_of(hint) - met - KNOWN - {*told_by(hint)}) == []


@pytest.mark.parametrize("slug", dict.fromkeys(id.split(".")[0] for id in exercises()))
def test_a_reply_names_what_a_student_has_met(slug):
    ids = [id for id in exercises() if id.split(".")[0] == slug]
    met = set()
    for id in ids:
        met |= {*NAME.findall("".join(parts_of(chapters()[slug].page, id)))}
    path = chapters()[slug].folder / "exercises.py"
    said = {name for text in said_by(path) for name in names_of(text)}
    assert sorted(said - met - KNOWN) == []
