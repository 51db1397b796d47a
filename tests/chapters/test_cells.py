"""Cells that can be read without scrolling and text that is all there, everywhere."""

import ast
import re
from types import SimpleNamespace

import jupytext
import pytest

from build_tools.book.dependencies import name_of, read_chapter
from build_tools.book.execution import run_of
from build_tools.book.glued_values import records_of
from build_tools.notebooks.exporter import ROOT, chapters

pytestmark = pytest.mark.usefixtures("of_the_book")
REMOVED = {"remove-cell", "remove-input"}
SHOWN = re.compile(r"\{glue:[a-z]+\}`([^`:]+)")


@pytest.mark.parametrize("path", chapters(), ids=name_of)
def test_no_text_shows_what_a_later_cell_glues(path):
    """The book can; a notebook that is run from top to bottom stops there."""
    ran = iter(c for c in run_of(path, ROOT).cells if c.cell_type == "code")
    glued, early = set(), set()
    for cell in read_chapter(path).cells:
        if cell.cell_type == "code":
            cell = next(ran)
            glued |= {name for name, _ in records_of(SimpleNamespace(cells=[cell]))}
        else:
            early |= {*SHOWN.findall(cell.source)} - glued
    assert early == set()


@pytest.mark.parametrize("path", chapters(), ids=name_of)
def test_cells_are_short_and_narrow(chapter_cells, path):
    cells = chapter_cells(path)
    assert cells
    for cell in cells:
        lines = cell.source.splitlines()
        assert len(lines) <= 25, cell.source
        assert all(len(line) <= 79 for line in lines), cell.source


@pytest.mark.parametrize("path", chapters(), ids=name_of)
def test_no_line_of_text_is_taken_for_a_comment(path):
    """MyST leaves out each line that begins with %, which a broken line may do."""
    lines = path.read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if line.startswith("%")] == []


def undefined_where_shown(cells):
    """Names that a shown cell uses and only cells that are removed define."""
    known, removed, used = set(), set(), set()
    for cell in cells:
        if cell.cell_type != "code":
            continue
        nodes = list(ast.walk(ast.parse(cell.source)))
        own = {name for node in nodes for name in names_bound(node)}
        if REMOVED & set(cell.metadata.get("tags", [])):
            removed |= own
            continue
        read = {n.id for n in nodes if isinstance(n, ast.Name)}
        used |= (read - own - known) & removed
        known |= own
    return used


def names_bound(node):
    """The names that a node of a syntax tree gives a value."""
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        return [node.id]
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return [node.name]
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return [(name.asname or name.name).split(".")[0] for name in node.names]
    return [node.arg] if isinstance(node, ast.arg) else []


@pytest.mark.parametrize("path", chapters(), ids=name_of)
def test_what_shown_code_uses_shown_code_has_defined(path):
    assert undefined_where_shown(jupytext.read(path).cells) == set()
