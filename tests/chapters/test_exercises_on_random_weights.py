"""With random weights too a check takes the solution and other right answers."""

import pytest

from tests.chapters.test_exercises import (
    assert_right_answers_pass,
    assert_the_solution_passes,
    every_exercise,
    use_model,
)


@pytest.fixture
def random_model(tiny_bert_folder, monkeypatch):
    use_model(monkeypatch, str(tiny_bert_folder))


@every_exercise
def test_the_solution_of_the_chapter_passes(
    exercise, chapter, chapter_cells, random_model
):
    assert_the_solution_passes(exercise, chapter_cells(chapter.page))


@pytest.mark.slow
@every_exercise
def test_right_answers_in_unusual_forms_pass(
    exercise, chapter, chapter_cells, random_model
):
    assert_right_answers_pass(exercise, chapter, chapter_cells)
