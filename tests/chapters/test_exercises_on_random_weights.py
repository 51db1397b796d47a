"""With random weights too a check takes the solution and other right answers.

Where neither an exercise nor what its notebook needs loads a model, the tests on the
course model have said all.
"""

import pytest

from build_tools.notebooks.needed_cells import needed_cells
from tests.chapters.test_exercises import (
    assert_right_answers_pass,
    assert_the_solution_passes,
    every_exercise,
    sources_of,
    use_model,
)
from tests.lifted import LOADS, statements


@pytest.fixture
def random_model(exercise, chapter, chapter_cells, tiny_bert_folder, monkeypatch):
    if not asks_a_model(exercise, chapter, chapter_cells(chapter.page)):
        pytest.skip("no model has a say in it")
    use_model(monkeypatch, str(tiny_bert_folder))


def asks_a_model(exercise, chapter, cells):
    """Whether the code beside a page loads a model, or what the exercise needs does."""
    before, stub, solution = sources_of(cells, exercise)
    parts = [part for cell in before for part in statements(cell)]
    parts.append(f"{stub}\n{solution}")
    needed = [parts[index] for index in needed_cells(parts, len(parts) - 1)]
    files = [p for p in chapter.folder.glob("*.py") if not p.name.startswith("test_")]
    beside = [path.read_text(encoding="utf-8") for path in files]
    return any(map(LOADS.search, [*needed, parts[-1], *beside]))


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
