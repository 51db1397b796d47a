"""Draw the forms of the exercises that a class has, write them, and prove them.

A seed chooses a form for each exercise that has some (`variants.py` beside a chapter).
The page of the book stays as it is: a form names what it replaces there.
"""

import contextlib
import io
import os
import random
import re
from functools import cache
from unittest import mock

import jupytext

from build_tools.book.dependencies import name_of
from build_tools.notebooks.markdown import ExportError
from build_tools.notebooks.needed_cells import needed_cells
from helpers import plotting
from helpers.exercises import check
from helpers.exercises.chapters import ROOT, chapters
from helpers.exercises.variants import PUBLISHED, VARIABLE, variants

CELL = '''\
# Which form of the exercises your class has; `check` goes by it.
import os

os.environ["{variable}"] = """
{forms}
"""'''
NOTES = """# The variant {seed}

Give out `student`, keep `instructor`, and keep the seed to yourself: whoever has it can
make this folder again. Grade with `make grade DIR=... VARIANT={seed}`; a notebook is
graded by these forms, whatever is written in it. The other exercises are the book's,
and so are their solutions.

When this was written, the solution of each exercise below passed its check, and the
published one did not.

| exercise | id | what it asks here |
|---|---|---|
{rows}
"""


class VariantFault(ExportError):
    """A form that does not fit its exercise; the text says which."""


def drawn(seed):
    """Return {exercise: number of its form}; the same for a seed, every time.

    >>> drawn("spring") == drawn("spring") != drawn("autumn")
    True
    """
    return {
        exercise: random.Random(f"{seed} {exercise}").randrange(len(forms))
        for exercise, forms in variants().items()
    }


def named(forms):
    """Return what INSIDE_BERT_VARIANT holds for {exercise: number of its form}."""
    return "\n".join(f"{exercise}={number}" for exercise, number in forms.items())


def of_page(path, forms):
    """Return those of {exercise: number of its form} that a page has."""
    return {e: n for e, n in forms.items() if e.rpartition(".")[0] == name_of(path)}


def varied(text, forms):
    """Return the text of a page with its exercises in other forms.

    Raises VariantFault where a form replaces what is not there, or there twice.
    """
    for exercise, number in forms.items():
        variant = variants()[exercise][number]
        block = re.search(
            rf"exercise-start\}} {exercise[-1]} · .*?\{{solution-end\}}", text, re.S
        )
        changed = block[0]
        for old, new in variant.edits:
            pattern = r"\s+".join(map(re.escape, old.split()))
            changed, n = re.subn(pattern, lambda _, new=new: new.strip(), changed)
            if n != 1:
                raise VariantFault(
                    f"{exercise}, {variant.asks}: {old!r} stands there {n} times"
                )
        text = text.replace(block[0], changed)
    return text


def cell(forms):
    """Return the code by which a notebook's checks know its forms."""
    return CELL.format(variable=VARIABLE, forms=named(forms))


def notes(seed, forms):
    """Return what an instructor reads of a variant, in Markdown."""
    rows = []
    for exercise, number in forms.items():
        slug, _, last = exercise.rpartition(".")
        asks = variants()[exercise][number].asks
        rows.append(f"| {chapters()[slug].number}.{last} | {exercise} | {asks} |")
    return NOTES.format(seed=seed, rows="\n".join(rows))


@contextlib.contextmanager
def at_work(forms):
    """Let checks go by these forms, and cells of a page run as in a notebook."""
    set_so = {VARIABLE: named(forms), "INSIDE_BERT_PROGRESS": "off"}
    with (
        mock.patch.dict(os.environ, {"TQDM_DISABLE": "1"} | set_so),
        mock.patch.object(plotting, "show", lambda plot: None),
        contextlib.chdir(ROOT / "chapters"),
        contextlib.redirect_stdout(io.StringIO()),
    ):
        yield


def prove(forms):
    """Raise VariantFault unless each solution passes and the published one does not."""
    for exercise, number in forms.items():
        own, published = outcomes(exercise, number)
        if not own.passed:
            raise VariantFault(f"{exercise}, form {number}: its solution: {own}")
        if published.passed or published.message != PUBLISHED:
            raise VariantFault(f"{exercise}, form {number}: the published: {published}")


def outcomes(exercise, number):
    """Return the Outcomes of a form's own solution and of the published one."""
    with at_work({exercise: number}):
        return [check(exercise, handed_in(exercise, form)) for form in (number, None)]


def handed_in(exercise, number):
    """Return what the solution of a form, or of the book's (None), hands to check."""
    names, solutions = solved(exercise)
    answers = []

    def record(exercise, answer):
        answers.append(answer)

    with mock.patch("helpers.exercises.check", record):
        exec(solutions[number], dict(names) | {"check": record})
    return answers[-1]


@cache
def solved(exercise):
    """Return the names that the solutions of an exercise use, and {form: its code}."""
    page = chapters()[exercise.rpartition(".")[0]].page
    text = page.read_text(encoding="utf-8")
    own = code_of(text, exercise)
    solutions = {None: own.pop()}
    for number in range(len(variants()[exercise])):
        changed = code_of(varied(text, {exercise: number}), exercise)
        solutions[number] = changed.pop()
    own.append("\n".join(solutions.values()))
    names = {"__name__": "__main__"}
    with at_work({}):
        for place in needed_cells(own, len(own) - 1):
            exec(own[place], names)
    return names, solutions


def code_of(text, exercise):
    """Return the cells before an exercise's solution, and as the last the solution."""
    tag = f"solution-{exercise[-1]}"
    cells = [
        c for c in jupytext.reads(text, fmt="md:myst").cells if c.cell_type == "code"
    ]
    tags = [c.metadata.get("tags", []) for c in cells]
    own = [c.source for c, tagged in zip(cells, tags, strict=True) if tag in tagged]
    first = next(i for i, tagged in enumerate(tags) if tag in tagged)
    before = [
        c.source
        for c, tagged in zip(cells[:first], tags, strict=False)
        if not any(t.startswith("solution-") for t in tagged)
    ]
    return [*before, "\n".join(own)]
