"""A chapter's names, as its own cells define them."""

import pytest

from build_tools.needed_cells import needed_cells


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
