"""No figure that depends on the model or the run is typed into a page's text.

Tables, links and cells are not looked at; TYPED of a test beside the page, where there
is one, names figures that are of no run.
"""

import ast
import re

import pytest

from helpers.exercises.chapters import chapters

NOT_PROSE = (
    r"```\{code-cell.*?```|^\|[^\n]*|\{glue:text\}`[^`]*`|\]\([^)]*\)|arXiv \d{4}\.\d+"
)


@pytest.mark.parametrize("slug", chapters())
def test_no_figure_of_the_run_is_typed_into_the_text(slug, chapter_text):
    chapter = chapters()[slug]
    text = chapter_text(chapter.page)
    prose = re.sub(NOT_PROSE, "", text, flags=re.M | re.S)
    typed = set(re.findall(r"\b\d+\.\d+\b", prose))
    assert typed <= allowed(chapter.folder)


def allowed(folder):
    """The figures that TYPED of the tests beside a page names."""
    tests = [path.read_text(encoding="utf-8") for path in folder.glob("test_*.py")]
    nodes = [node for test in tests for node in ast.parse(test).body]
    return {
        figure
        for node in nodes
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "TYPED"
        for figure in ast.literal_eval(node.value).split()
    }
