"""Runs inside the sandbox: a notebook's cells, from top to bottom.

A line of JSON a check goes to a private copy of standard output; what the cells print
goes nowhere. A package that is not here does nothing, and a statement that fails costs
itself alone, so that an answer is judged whatever stands around it.
"""

import ast
import builtins
import inspect
import json
import os
import re
import shutil
import sys
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from itertools import accumulate
from pathlib import Path
from unittest.mock import MagicMock

import nbformat

from teaching.grading import switches

# Lines that Colab puts above a cell's magic, which has to come first.
ABOVE_MAGIC = re.compile(r"\A(?:[ \t]*(?:#.*)?\n)+(?=%%)")
CELL_MAGIC = re.compile(r"\A%%(\w+).*\n?")
GUARD = "__one_statement__"
SILENT = ("showtraceback", "showsyntaxerror", "enable_gui", "ask_exit")


def main(path, beside):
    results = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)

    def tell(**row):
        print(json.dumps(row), file=results, flush=True)

    try:
        sources = code_cells(path)
    except ValueError as problem:
        return tell(problem=str(problem)[:300])
    cells = Cells(tell)  # before a student's random.py is in the way
    tell(other_run=switches.follow(sources))
    if beside:
        shutil.copytree(beside, ".", dirs_exist_ok=True, symlinks=True)
    sys.argv, sys.path[0] = [""], os.getcwd()
    cells.run(sources)
    from helpers.verdicts import what_differs

    tell(ran_on=what_differs() or "the course model and its samples")


def code_cells(path):
    """Return the sources of the code cells; raises ValueError for no notebook."""
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
        cells = nbformat.reads(text, as_version=4).cells
        return [str(cell.source) for cell in cells if cell.cell_type == "code"]
    except Exception as error:
        raise ValueError(f"cannot be read as a notebook: {error}") from None


class Cells:
    """Runs cells; guards each statement of them, and knows the packages they lack.

    tell: called with exercise, status and reply of a check, or a note of what failed.
    """

    def __init__(self, tell):
        from IPython.core.interactiveshell import InteractiveShell
        from traitlets.config import Config

        import helpers.exercises

        config = Config()
        config.HistoryManager.enabled = False
        self.shell = InteractiveShell.instance(config=config)
        for name in SILENT:
            setattr(self.shell, name, lambda *_, **__: None)
        self.shell.run_cell("pass", store_history=False)  # which imports the last of it
        self.shell.ast_transformers.append(self)
        self.tell, self.number, self.lacking = tell, 0, set()
        setattr(builtins, GUARD, self)
        sys.meta_path.append(self)
        self.check, helpers.exercises.check = helpers.exercises.check, self.recorded

    def recorded(self, exercise, answer):
        outcome = self.check(exercise, answer)
        self.tell(exercise=exercise, status=outcome.status, reply=outcome.message)
        return outcome

    def run(self, sources):
        for self.number, source in enumerate(sources, 1):
            source = ABOVE_MAGIC.sub("", source)
            magic = CELL_MAGIC.match(source)
            if magic and not self.shell.find_cell_magic(magic[1]):
                source = source[magic.end() :]  # of another program
            done = self.shell.run_cell(source, store_history=False)
            self.note(done.error_before_exec or done.error_in_exec)
            for name in filter(self._is_lacking, [*sys.modules]):
                del sys.modules[name]  # else other packages take it for there

    def note(self, error):
        if isinstance(error, Exception):
            [said, *_] = f"{type(error).__name__}: {error}".splitlines()
            if isinstance(error, SyntaxError):
                said = f"line {error.lineno}, which is no Python: {error.msg}"
            self.tell(note=f"code cell {self.number} stopped with {said}"[:200])

    def visit(self, module):
        """Guard each statement of a cell; IPython calls this with its tree."""
        self._look_for_imports(module)
        guard = ast.withitem(ast.Name(GUARD, ast.Load()))
        for n, line in enumerate(module.body):
            if getattr(line, "module", "") != "__future__":  # which is to stand first
                module.body[n] = ast.copy_location(ast.With([guard], [line]), line)
        return module

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        self.note(error)
        return isinstance(error, Exception)  # the end of the process goes further

    def _look_for_imports(self, node):
        if isinstance(node, ast.Try):
            return  # it is ready for a package that is not there
        if isinstance(node, ast.Import):
            for alias in node.names:
                self._look_for(alias.name)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            self._look_for(node.module)
        for child in ast.iter_child_nodes(node):
            self._look_for_imports(child)

    def _look_for(self, name):
        """Note the first part of a dotted name that is not here, if one is not."""
        for part in accumulate(name.split("."), "{}.{}".format):
            try:
                here = find_spec(part)
            except Exception:  # of a package that is here
                return
            if not here:
                self.lacking.add(part)
                return self.tell(note=f"there is no package {part} here")

    def _is_lacking(self, name):
        return any(f"{name}.".startswith(f"{one}.") for one in self.lacking)

    def find_spec(self, name, path=None, target=None):
        """Give `import` an empty package for one that is lacking, in a notebook."""
        frame = inspect.currentframe().f_back
        while frame.f_globals["__name__"].startswith("importlib"):
            frame = frame.f_back
        if frame.f_globals["__name__"] == "__main__" and self._is_lacking(name):
            return ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        pass

    def exec_module(self, module):
        module.__getattr__ = lambda name: MagicMock()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "")
