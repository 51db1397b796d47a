"""By rule: each mistake of a table gets its message, and luck decides nothing."""

from contextlib import nullcontext

import pytest

from helpers.exercises import check, running, seeds
from helpers.exercises.chapters import chapters
from helpers.exercises.checks import checks_of, mistakes_of
from helpers.exercises.mistakes import Choices, Mistakes
from tests.chapters.test_exercises import (
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
    exercise, chapter_cells, course_model, monkeypatch
):
    """Handed in where the answer is a function; else its numbers in a right answer."""
    monkeypatch.setattr(running, "watched", lambda names: nullcontext())
    chapter, table = chapters()[exercise.split(".")[0]], mistakes_of(exercise)
    solution, _ = solved(exercise, chapter_cells(chapter.page))
    if callable(solution) or isinstance(table, Choices):
        named = [(said, replies(exercise, [wrong])) for said, wrong in table.answers()]
    else:
        right = [solution, *(right_answers(exercise, chapter, chapter_cells) or ())]
        named = []
        for said, function in table.functions():
            with monkeypatch.context() as patch:
                patch.setattr(Mistakes, "judge", judging(function, Mistakes.judge))
                named.append((said, replies(exercise, right)))
    assert not {said: came for said, came in named if said not in came}


def replies(exercise, answers):
    return {check(exercise, answer).message for answer in answers}


def judging(function, judge):
    """`judge`, told that the answer has the numbers that a function gives."""

    def judged(table, trials, otherwise=None):
        made = [(given, table.made(function, given)) for given, _ in trials]
        judge(table, made, otherwise)

    return judged


@pytest.mark.parametrize("name", ["losses", "examine"])
def test_the_first_loss_is_not_had_from_a_function_of_the_page(name, course_model):
    names = {"__name__": "__main__"}
    exec(f"def {name}(network, batch): return 7.0", names)
    exec(f"def first_loss(*given): return {name}(*given)", names)
    outcome = check("pretraining.1", names["first_loss"])
    assert f"calls {name}" in outcome.message, outcome


def test_a_text_of_few_words_again_and_again_has_no_fertility(course_model):
    texts = [" ".join([word] * 20) for word in ("the", "a", "of")]
    outcome = check("inputs.3", {"texts": texts, "fertility": [1, 1, 1]})
    assert "repeats" in outcome.message, outcome


def test_an_albert_keeps_its_widening_matrix_where_nothing_is_widened(course_model):
    right = mistakes_of("encoders-today.1").right

    def without_it(words, embedding, hidden, *others):
        surplus = hidden * hidden + hidden if embedding == hidden else 0
        return right(words, embedding, hidden, *others) - surplus

    outcome = check("encoders-today.1", without_it)
    assert "1,640 too few" in outcome.message, outcome


SEEDS = 100


@pytest.mark.weekly
@every_exercise
def test_no_wrong_answer_passes_by_luck_and_no_right_one_fails(
    exercise, chapter, chapter_cells, course_model
):
    """At most one try in a thousand of the wrong ones, where the check draws (rng)."""
    table = mistakes_of(exercise)
    right = right_answers(exercise, chapter, chapter_cells) or []
    right.append(solved(exercise, chapter_cells(chapter.page))[0])
    handed = table and (callable(right[-1]) or isinstance(table, Choices))
    wrong = [answer for _, answer in table.answers()] if handed else []
    for expected, answers, most in ((False, wrong, 0.001), (True, right, 0)):
        outcomes = [o for a in answers for o in outcomes_by_seed(exercise, a)]
        other = [o for o in outcomes if o.passed != expected]
        assert len(other) <= most * len(outcomes), other[:5]


def outcomes_by_seed(exercise, answer):
    """The outcome for each seed; of the first alone where the check draws nothing."""
    for seed in range(SEEDS):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(seeds, "_seed", seed)
            patch.setattr(seeds, "_draws", 0)
            yield check(exercise, answer)
            drawn = seeds._draws
        if not drawn:
            return
