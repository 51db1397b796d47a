"""Code cells that can be read without scrolling, in every chapter."""

import pytest

from build_tools.notebooks import chapters


@pytest.mark.parametrize("name", [path.stem for path in chapters()])
def test_cells_are_short_and_narrow(chapter_cells, name):
    cells = chapter_cells(name)
    assert cells
    for cell in cells:
        lines = cell.source.splitlines()
        assert len(lines) <= 25, cell.source
        assert all(len(line) <= 79 for line in lines), cell.source
