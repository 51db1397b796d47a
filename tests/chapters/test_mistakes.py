"""By rule: each mistake of a table is named, each form of a solution is taken."""

from contextlib import nullcontext

import pytest

from helpers.exercises import check, running
from helpers.exercises.chapters import chapters
from helpers.exercises.checks import checks_of, mistakes_of
from tests.chapters.forms import formed, others
from tests.chapters.test_exercises import (  # noqa: F401
    course_model,
    every_exercise,
    handed_in,
    solution,
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
    "road-to-bert.3": {"rounded"},  # the bits may be, the distributions not
}


@every_exercise
def test_a_solution_passes_in_every_form_and_nothing_else_does(
    exercise,
    chapter,
    chapter_cells,
    course_model,  # noqa: F811
):
    answer = handed_in(solution(chapter_cells(chapter.page), exercise))
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
