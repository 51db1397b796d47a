"""What the page on using the course says about the chapters and the models."""

import re
from pathlib import Path

from helpers.exercises import check

PAGE = Path(__file__).parents[2] / "chapters/using-this-course.md"


def test_the_live_example_is_not_attempted_and_does_not_fail(chapter_cells):
    [cell] = [c for c in chapter_cells(PAGE) if "check(" in c.source]
    assert 'check("word-senses.1", ...)' in cell.source
    assert check("word-senses.1", ...).status == "not attempted yet"


def test_no_figure_of_the_run_is_typed_into_the_text(chapter_text):
    prose = re.sub(r"```\{code-cell.*?```", "", chapter_text(PAGE), flags=re.S)
    prose = re.sub(r"\{glue:text\}`[^`]*`", "", prose)
    typed = set(re.findall(r"\b\d+\.\d+\b", prose))
    assert typed <= {"2.1", "3.3"}  # of WCAG, billions of words
