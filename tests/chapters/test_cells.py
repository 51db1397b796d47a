"""Cells that can be read without scrolling and text that is all there, everywhere."""

import pytest

from build_tools.dependencies import name_of
from build_tools.notebooks import chapters


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
