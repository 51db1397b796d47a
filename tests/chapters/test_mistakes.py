"""By rule: each mistake of a table gets its message, and luck decides nothing."""

from contextlib import nullcontext

import pytest

from helpers.exercises import check, running
from helpers.exercises.chapters import chapters
from helpers.exercises.checks import checks_of, mistakes_of
from helpers.exercises.seeds import seeded
from tests.chapters.test_exercises import (  # noqa: F401
    course_model,
    every_exercise,
    right_answers,
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


SEEDS = 100


@pytest.mark.weekly
@every_exercise
def test_no_wrong_answer_passes_by_luck_and_no_right_one_fails(
    exercise,
    chapter,
    chapter_cells,
    course_model,  # noqa: F811
):
    """At most one try in a thousand of the wrong ones, where the check draws (rng)."""
    table = mistakes_of(exercise)
    wrong = [answer for _, answer in table.answers()] if table else []
    right = right_answers(exercise, chapter, chapter_cells) or []
    right.append(solved(exercise, chapter_cells(chapter.page))[0])
    for expected, answers, most in ((False, wrong, 0.001), (True, right, 0)):
        outcomes = [o for a in answers for o in outcomes_by_seed(exercise, a)]
        other = [o for o in outcomes if o.passed != expected]
        assert len(other) <= most * len(outcomes), other[:5]


def outcomes_by_seed(exercise, answer):
    """The outcome for each seed; of the first alone where the check draws nothing."""
    for seed in range(SEEDS):
        with seeded(seed) as draws:
            yield check(exercise, answer)
        if not draws():
            return
