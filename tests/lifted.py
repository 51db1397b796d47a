"""The code cells of a page: what they define, what they compute, what they glue."""

import ast
import re
from unittest import mock

import numpy as np
import pandas as pd
import pytest

from build_tools.notebooks.needed_cells import needed_cells, parse_cell
from helpers.verdicts import compare

TOOLS = {"np": np, "pd": pd, "compare": compare}
LOADS = re.compile(r"\bload_(?:bert|sentence_encoder)\(")  # a model
DEFINITIONS = ast.Import | ast.ImportFrom | ast.FunctionDef | ast.ClassDef


def statements(source):
    """The statements of a cell: what stands beside a function may train for minutes."""
    return [ast.unparse(statement) for statement in parse_cell(source).body]


def is_import(statement):
    return statement.startswith(("import ", "from "))


class Cells:
    """A page's code, lifted out of it: each method returns names and their values.

    Cells are found by a text that they hold, solutions left out, and run in the order
    of the page, without its plots. `names` is what they need of other cells.
    """

    def __init__(self, cells):
        """cells: with source and tags, as from the fixture `chapter_cells`."""
        solved = [any(tag.startswith("solution") for tag in c.tags) for c in cells]
        self.sources = [c.source for c, s in zip(cells, solved, strict=True) if not s]

    def defined(self, *assigned, **names):
        """Imports, functions, classes and the names `assigned`; nothing else runs."""
        for node in ast.parse("\n".join(self.sources)).body:
            parts = ast.walk(node.targets[0]) if isinstance(node, ast.Assign) else ()
            bound = {getattr(part, "id", None) for part in parts}
            if isinstance(node, DEFINITIONS) or bound & set(assigned):
                exec(ast.unparse(node), names)
        assert set(assigned) <= set(names)
        return names

    def needed(self, text, model="embedded"):
        """The names after the first cell with a text, and the cells that it needs."""
        target = self._first(text)
        indices = [*needed_cells(self.sources, target), target]
        return _ran([self.sources[i] for i in indices], {}, model)

    def before(self, text, model="embedded"):
        """The names after all cells before the first with a text."""
        return _ran(self.sources[: self._first(text)], {"__name__": "page"}, model)

    def run(self, *texts, page=None, **names):
        """The names after all cells that hold one of the texts; page: run in these."""
        wanted = [s for s in self.sources if any(text in s for text in texts)]
        return _ran(wanted, TOOLS | names if page is None else page)

    def glued(self, *texts, **names):
        """What the cells that glue and hold a text say of made-up results, by name."""
        said = {}
        names = TOOLS | names
        names["glue"] = lambda name, value, display=False: said.update({name: value})
        for text in texts:
            [source] = [s for s in self.sources if text in s and "glue(" in s]
            _ran([source], names)
        return said

    def _first(self, text):
        return next(i for i, source in enumerate(self.sources) if text in source)


def _ran(sources, names, model=None):
    with pytest.MonkeyPatch.context() as patch, mock.patch("helpers.plotting.show"):
        if model:
            patch.setenv("BERT_COURSE_MODEL", str(model))
            patch.setenv("COARSE_WSD_HOME", "sample")
        for source in sources:
            exec(source, names)
    return names
