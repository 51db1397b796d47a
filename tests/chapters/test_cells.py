"""Cells that can be read without scrolling and text that is all there, everywhere."""

import ast
import re

import jupytext
import pytest

from build_tools.book.dependencies import name_of
from build_tools.notebooks.exporter import chapters

REMOVED = {"remove-cell", "remove-input"}
SHOWN = re.compile(r"\{glue:[a-z]+\}`([^`:]+)")


def names_glued(source):
    """Return a pattern for each string of a cell that glues."""
    if not re.search(r"\bglue\(", source):
        return []
    strings = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.JoinedStr):
            parts = [getattr(part, "value", None) for part in node.values]
            form = "".join(re.escape(p) if isinstance(p, str) else ".+" for p in parts)
            strings += [form] if form != ".+" else []
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            strings.append(re.escape(node.value))
    return strings


def functions_beside(page):
    """Return {as a cell calls it: source} of the functions of a page's claims.py."""
    path = page.with_name("claims.py")
    source = path.read_text(encoding="utf-8") if path.is_file() else ""
    return {
        f"claims.{node.name}(": ast.get_source_segment(source, node)
        for node in ast.parse(source).body
        if isinstance(node, ast.FunctionDef)
    }


def shown_too_early(cells, functions):
    """Return the names that a text shows before a cell has glued them."""
    forms, early = [], []
    for cell in cells:
        if cell.cell_type == "code":
            forms += names_glued(cell.source)
            called = [code for call, code in functions.items() if call in cell.source]
            forms += [form for code in called for form in names_glued(code)]
        else:
            names = SHOWN.findall(cell.source)
            early += [n for n in names if not any(re.fullmatch(f, n) for f in forms)]
    return early


@pytest.mark.parametrize("path", chapters(), ids=name_of)
def test_no_text_shows_what_a_later_cell_glues(path):
    """The book can; a notebook that is run from top to bottom stops there."""
    assert shown_too_early(jupytext.read(path).cells, functions_beside(path)) == []


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


def machinery_unused(cells):
    """Names of verdicts and glue that a shown cell imports for removed cells."""
    shown = [
        ast.parse(cell.source)
        for cell in cells
        if cell.cell_type == "code" and not REMOVED & set(cell.metadata.get("tags", []))
    ]
    nodes = [node for tree in shown for node in ast.walk(tree)]
    used = {node.id for node in nodes if isinstance(node, ast.Name)}
    return [
        name.name
        for node in nodes
        if isinstance(node, ast.ImportFrom)
        for name in node.names
        if (node.module == "helpers.verdicts" or name.name == "glue")
        and name.name not in used
    ]


@pytest.mark.parametrize("path", chapters(), ids=name_of)
def test_a_reader_meets_no_name_that_only_checks_the_page(path):
    assert machinery_unused(jupytext.read(path).cells) == []


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
