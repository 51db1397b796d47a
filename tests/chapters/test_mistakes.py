"""By rule: a table's mistakes are named, a solution's forms taken, its mutants not."""

from contextlib import nullcontext

import pytest

from helpers.exercises import check, running
from helpers.exercises.chapters import chapters
from helpers.exercises.checks import checks_of, mistakes_of
from tests.chapters.forms import formed, others
from tests.chapters.mutants import report
from tests.chapters.test_exercises import (  # noqa: F401
    course_model,
    every_exercise,
    solved,
)

TABLES = [
    f"{slug}.{number}"
    for slug in chapters()
    for number in getattr(checks_of(slug), "TABLES", {})
]


@pytest.mark.parametrize("exercise", TABLES)
def test_each_mistake_of_the_table_gets_its_message(
    exercise,
    course_model,  # noqa: F811
    monkeypatch,
):
    monkeypatch.setattr(running, "watched", lambda names: nullcontext())
    other = {
        message: str(outcome)
        for message, answer in mistakes_of(exercise).answers()
        if (outcome := check(exercise, answer)).message != message
    }
    assert not other


# Forms that do not mean the same, or that the exercise excludes in words.
REFUSED = {
    # the mean is asked for to three decimals, the differences to two
    "masked-language-model.3": {"rounded"},
    "road-to-bert.3": {"rounded"},  # the bits may be, the distributions not
}


@every_exercise
def test_a_solution_passes_in_every_form_and_nothing_else_does(
    exercise,
    chapter,
    chapter_cells,
    course_model,  # noqa: F811
):
    answer, _ = solved(exercise, chapter_cells(chapter.page))
    digits = getattr(mistakes_of(exercise), "digits", None)
    refused = {
        name: str(outcome)
        for name, form in formed(answer, digits)
        if not (outcome := check(exercise, form)).passed
    }
    assert set(refused) == REFUSED.get(exercise, set()), refused
    unclear = {
        name: str(outcome)
        for name, other in others(answer)
        if (outcome := check(exercise, other)).status != "not yet"
        or "cannot be read" in outcome.message
    }
    assert not unclear


@pytest.mark.weekly
@every_exercise
def test_no_mutant_of_a_solution_passes_unless_it_is_explained(
    exercise,
    chapter,
    course_model,  # noqa: F811
):
    said = report(exercise, chapter)
    assert not said.unexplained() + said.superfluous(), said
