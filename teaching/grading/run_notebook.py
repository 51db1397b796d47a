"""Runs inside the sandbox: a notebook's cells, from top to bottom.

A line of JSON a check goes to a private copy of standard output; what the cells print
goes nowhere. The packages of Colab and Kaggle do nothing here, and a cell that fails
costs itself alone.
"""

import json
import os
import re
import shutil
import sys
import types
from importlib.machinery import ModuleSpec
from unittest.mock import MagicMock

import nbformat

from teaching.grading import switches

HOSTED = ("google.colab", "kaggle_secrets", "kagglehub")  # packages of hosts
# Lines that Colab puts above a cell's magic, which has to come first.
ABOVE_MAGIC = re.compile(r"\A(?:[ \t]*(?:#.*)?\n)+(?=%%)")


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
    shell = _shell()  # before a student's random.py is in the way
    _record_checks(tell)
    tell(other_run=switches.follow(sources))
    if beside:
        shutil.copytree(beside, ".", dirs_exist_ok=True, symlinks=True)
    sys.argv, sys.path[0] = [""], os.getcwd()
    for source in sources:
        run_cell(shell, source)
    from helpers.verdicts import what_differs

    tell(done=True, ran_on=what_differs() or "the course model and its samples")


def run_cell(shell, source):
    """Run a cell; again, with an empty one, where a package of a host is lacking."""
    stubs = []
    while len(stubs) <= len(HOSTED):
        error = shell.run_cell(source, store_history=False).error_in_exec
        lacking = isinstance(error, ModuleNotFoundError) and str(error.name)
        if not lacking or not lacking.startswith(HOSTED) or lacking in stubs:
            break
        module = types.ModuleType(lacking)
        module.__getattr__ = lambda name: MagicMock()
        module.__spec__, module.__path__ = ModuleSpec(lacking, None), []
        stubs.append(lacking)
        sys.modules[lacking] = module
    for name in stubs:
        del sys.modules[name]  # else other packages take this for such a host


def code_cells(path):
    """Return the sources of the code cells; raises ValueError for no notebook."""
    try:
        with open(path, encoding="utf-8-sig") as file:
            cells = nbformat.reads(file.read(), as_version=4).cells
        code = [str(cell.source) for cell in cells if cell.cell_type == "code"]
    except Exception as error:
        raise ValueError(f"cannot be read as a notebook: {error}") from None
    return [ABOVE_MAGIC.sub("", source) for source in code]


def _shell():
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    config = Config()
    config.HistoryManager.enabled = False
    shell = InteractiveShell.instance(config=config)
    for name in ("showtraceback", "showsyntaxerror", "enable_gui"):
        setattr(shell, name, lambda *_, **__: None)
    shell.run_cell("pass", store_history=False)  # which imports the last of it
    return shell


def _record_checks(tell):
    import helpers.exercises

    real = helpers.exercises.check

    def check(exercise, answer):
        outcome = real(exercise, answer)
        tell(exercise=exercise, status=outcome.status, reply=outcome.message)
        return outcome

    helpers.exercises.check = check


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "")
