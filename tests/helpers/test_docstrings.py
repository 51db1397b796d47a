"""Docstrings: their examples run, and what a page imports of `helpers` has one.

Read with ast, since doctest's own search passes over decorated functions.
"""

import ast
import doctest
import re
from importlib import import_module
from pathlib import Path

import pytest

from helpers._support import this_run

ROOT = Path(__file__).resolve().parents[2]
IMPORT = re.compile(r"^from (helpers[\w.]*) import (\([^)]*\)|[^(\n]*)$", re.M)
DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef


def _examples():
    """Read the docstrings that hold an example, as (module, name, docstring)."""
    places = [ROOT / "helpers", ROOT / "experiments", ROOT / "chapters"]
    for path in sorted(file for place in places for file in place.rglob("*.py")):
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        module = module.removesuffix(".__init__")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            text = ast.get_docstring(node) if isinstance(node, DOCUMENTED) else None
            if text and ">>>" in text:
                name = getattr(node, "name", "")
                yield pytest.param(module, text, id=f"{module}.{name}")


@pytest.fixture
def namespace(bert, monkeypatch):
    """What the examples find: the embedded model, the samples, and no notebook."""
    monkeypatch.setenv("COARSE_WSD_HOME", "sample")
    monkeypatch.setenv("SMS_SPAM_HOME", "sample")
    monkeypatch.setenv("BOKEH_RESOURCES", "inline")
    monkeypatch.setattr(this_run, "_others", {})
    monkeypatch.setattr("bokeh.io.notebook.publish_display_data", lambda *a, **k: None)
    return lambda module: vars(import_module(module)) | {"bert": bert}


@pytest.mark.parametrize(("module", "docstring"), list(_examples()))
def test_example_in_a_docstring_gives_what_it_says(module, docstring, namespace):
    names, said = namespace(module), []
    test = doctest.DocTestParser().get_doctest(docstring, names, module, None, 0)
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=said.append)
    assert not said, "\n".join(said)


def test_what_a_page_imports_has_an_example():
    texts = [page.read_text("utf-8") for page in ROOT.glob("chapters/**/*.md")]
    imported = [
        getattr(import_module(module), name)
        for module, names in IMPORT.findall("\n".join(texts))
        for name in re.findall(r"\w+", re.sub(r" as \w+", "", names))
    ]
    called = [thing for thing in imported if callable(thing)]
    called = [thing for thing in called if "_support" not in thing.__module__]
    assert len(called) > 100
    assert [thing for thing in called if ">>>" not in str(thing.__doc__)] == []
