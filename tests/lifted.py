"""A chapter's names, as its own cells define them."""

import ast

import pytest

from build_tools.notebooks.needed_cells import needed_cells


def names_after(cells, wanted):
    """Run the first cell that holds the text `wanted`, and the cells that it needs.

    cells: as from the fixture `chapter_cells`; solutions are left out. Runs on the
    embedded model and the sample data.
    """
    solved = [any(tag.startswith("solution") for tag in cell.tags) for cell in cells]
    sources = [c.source for c, out in zip(cells, solved, strict=True) if not out]
    names = {}
    target = next(i for i, source in enumerate(sources) if wanted in source)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BERT_COURSE_MODEL", "embedded")
        patch.setenv("COARSE_WSD_HOME", "sample")
        for index in [*needed_cells(sources, target), target]:
            exec(sources[index], names)
    return names


def definitions(cells, wanted, **names):
    """Return `names` and what a chapter defines under the names `wanted`, imports too.

    cells: as from the fixture `chapter_cells`; solutions are left out. Nothing else of
    the cells runs.
    """
    for cell in cells:
        if any(tag.startswith("solution") for tag in cell.tags):
            continue
        for node in ast.parse(cell.source).body:
            imports = isinstance(node, ast.Import | ast.ImportFrom)
            if imports or _name(node) in wanted:
                exec(ast.unparse(node), names)
    assert set(wanted) <= set(names)
    return names


def _name(node):
    if isinstance(node, ast.Assign):
        return getattr(node.targets[0], "id", None)
    return getattr(node, "name", None)
