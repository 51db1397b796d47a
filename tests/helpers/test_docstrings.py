"""Docstrings: their examples run, and what a page calls of `helpers` has one.

Read with ast, since doctest's own search passes over decorated functions.
"""

import ast
import doctest
import inspect
from functools import cached_property
from importlib import import_module
from pathlib import Path

import pytest

from helpers._support import this_run

ROOT = Path(__file__).resolve().parents[2]
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


def _imported_and_used(cells):
    """Return what cells import of helpers, (module, name), and their attributes."""
    nodes = [node for cell in cells for node in ast.walk(ast.parse(cell.source))]
    imports = [node for node in nodes if isinstance(node, ast.ImportFrom)]
    imports = [node for node in imports if node.module.split(".")[0] == "helpers"]
    return (
        {(node.module, alias.name) for node in imports for alias in node.names},
        {node.attr for node in nodes if isinstance(node, ast.Attribute)},
    )


def _of_course(thing):
    """Whether a function or class is the course's own, and no inner machinery."""
    place = str(getattr(thing, "__module__", ""))
    return place.startswith("helpers") and not place.startswith("helpers._support")


def _methods(module, used):
    """Yield the methods and described properties, of those names, of its classes."""
    for _, kind in inspect.getmembers(module, inspect.isclass):
        for name in used & vars(kind).keys() if _of_course(kind) else ():
            member = vars(kind)[name]
            described = isinstance(member, property | cached_property)
            public = not name.startswith("_")
            if public and inspect.isfunction(member) or (described and member.__doc__):
                yield f"{kind.__name__}.{name}", member


def test_all_that_a_page_calls_has_an_example(chapter_cells):
    called = {}
    for page in ROOT.glob("chapters/**/*.md"):
        imported, used = _imported_and_used(chapter_cells(page))
        for place, name in imported:
            module = import_module(place)
            thing = getattr(module, name)
            if callable(thing) and _of_course(thing):
                called[name] = thing
            called |= _methods(module, used)
    assert {"load_bert", "Bert.predict_masked"} <= called.keys()
    documents = {name: str(thing.__doc__) for name, thing in called.items()}
    assert [name for name, text in documents.items() if ">>>" not in text] == []
