"""What the page on using the course says about the chapters and the models."""

from pathlib import Path

from helpers.exercises import check

PAGE = Path(__file__).parents[2] / "chapters/using-this-course.md"


def test_the_live_example_is_not_attempted_and_does_not_fail(chapter_cells):
    [cell] = [c for c in chapter_cells(PAGE) if "check(" in c.source]
    assert 'check("word-senses.1", ...)' in cell.source
    assert check("word-senses.1", ...).status == "not attempted yet"
