"""The floors of the project: imports lead downwards, and private names stay at home."""

import ast
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PLACES = ("helpers", "build_tools", "benchmarks", "chapters", "experiments")
SUPPORT = "helpers._support"
MOST_IN_SIGHT = 13


def name_of(path):
    """The name under which a file is imported."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(
        ".__init__"
    )


MODULES = {
    name_of(path): path for place in PLACES for path in (ROOT / place).rglob("*.py")
}


@cache
def tree_of(name):
    return ast.parse(MODULES[name].read_text(encoding="utf-8"))


def imported(node):
    """What an import statement names: (module, name or None, as)."""
    if isinstance(node, ast.Import):
        return [(alias.name, None, alias.asname or alias.name) for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.module:
        return [(node.module, a.name, a.asname or a.name) for a in node.names]
    return []


def imports(tree, modules=MODULES):
    """The modules of the project that a module imports, functions included."""
    found = set()
    for node in ast.walk(tree):
        for module, name, _ in imported(node):
            whole = f"{module}.{name}"
            found.add(whole if whole in modules else module)
    return found & set(modules)


def circle(graph):
    """A circle of imports as a list of modules, or None."""
    done = set()

    def walk(name, path):
        if name in path:
            return [*path[path.index(name) :], name]
        if name not in done:
            for other in sorted(graph[name]):
                if found := walk(other, [*path, name]):
                    return found
            done.add(name)
        return None

    return next((found for name in sorted(graph) if (found := walk(name, []))), None)


def private_uses(tree, package, modules=MODULES):
    """Private names of other packages that a module of `package` uses, with lines."""
    found, known = [], {}
    for node in ast.walk(tree):
        for module, name, short in imported(node):
            if module.split(".")[0] not in PLACES:
                continue
            known[short] = f"{module}.{name}" if name else module
            private = [part for part in known[short].split(".") if part[0] == "_"]
            if set(private) - {"_support", "__main__"} and module != package:
                found.append((node.lineno, known[short]))
    for node in ast.walk(tree):
        if not isinstance(node, ast.Attribute) or node.attr.startswith("__"):
            continue
        owner = known.get(ast.unparse(node.value))
        if node.attr[0] == "_" and owner in modules:
            found.append((node.lineno, f"{owner}.{node.attr}"))
    return found


def test_there_is_no_circle_of_imports():
    graph = {name: imports(tree_of(name)) for name in MODULES}
    assert circle(graph) is None


def test_helpers_import_nothing_that_stands_above_them():
    for name in MODULES:
        if name.startswith("helpers"):
            used = imports(tree_of(name))
            assert not [u for u in used if not u.startswith("helpers")], name


def test_support_imports_nothing_of_the_helpers_that_it_supports():
    for name in MODULES:
        if name.startswith(SUPPORT):
            used = {u for u in imports(tree_of(name)) if not u.startswith(SUPPORT)}
            assert used <= {"helpers", "helpers.whole_files"}, name


def test_nothing_that_is_published_uses_the_private_names_of_another_module():
    for name, path in MODULES.items():
        package = name if path.stem == "__init__" else name.rpartition(".")[0]
        assert private_uses(tree_of(name), package) == [], name


def test_few_modules_stand_in_sight():
    files = [path.stem for path in (ROOT / "helpers").glob("*.py")]
    assert len([name for name in files if name != "__init__"]) <= MOST_IN_SIGHT


# What the tests above would find


def test_a_circle_is_found():
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": set()}) == ["b", "c", "b"]
    assert circle({"a": {"b", "c"}, "b": {"c"}, "c": set()}) is None


@pytest.mark.parametrize(
    "source",
    [
        "from helpers.models import _loading",
        "import helpers.models as models\nmodels._loading",
        "def f():\n    from helpers import models\n    return models._loading",
        "import helpers.models\nhelpers.models._loading",
    ],
)
def test_a_private_name_is_found(source):
    assert private_uses(ast.parse(source), "build_tools")
    assert imports(ast.parse(source)) == {"helpers.models"}


@pytest.mark.parametrize(
    "source",
    [
        "from helpers._support.hub import hub_folder",
        "from helpers.models import Bert\nBert.__name__",
        "import torch\ntorch._C",
        "from helpers import models\nmodels.load_bert()",
    ],
)
def test_a_public_name_is_left_alone(source):
    assert private_uses(ast.parse(source), "build_tools") == []
