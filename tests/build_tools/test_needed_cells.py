"""The cells that an exercise needs, found by name."""

import pytest

from build_tools.notebooks.needed_cells import needed_cells


@pytest.mark.parametrize(
    ("sources", "needed"),
    [
        (["import numpy as np", "x = 1", "np.ones(3)"], [0]),
        (["a = 1", "b = a + 1", "c = 9", "print(b)"], [0, 1]),
        (["def f(x):\n    return g(x)", "def g(x):\n    return x", "f(1)"], [0, 1]),
        (["rows = []", "rows.append(1)", "print(0)", "rows"], [0, 1]),
        (["t = {}", 't["a"] = 1', "t"], [0, 1]),
        (["a.b = 1", "a"], [0]),
        (["for i in range(3):\n    total = i", "total"], [0]),
        (
            ["from helpers.models import load_bert", "bert = load_bert()", "bert"],
            [0, 1],
        ),
        (["train()", "print(1)", "len([])"], []),
        (["%matplotlib inline\nx = 1", "x"], [0]),
        (["%%time\nx = 1", "x"], [0]),
        (["x = 1", "y", "x = 2"], []),
        (["rows = slow()", "def f():\n    rows = []\n    return rows", "f()"], [1]),
        (["for i in a:\n    a[i].update(i)", "a"], [0]),
        (["class A:\n    def f(self):\n        B", "B = 1", "A()"], [0, 1]),
        (["x = slow()", "x = 1", "x"], [1]),
        (["x = 1", "x += 1", "x"], [0, 1]),
        (["x = []", "x.append(1)", "x = 1", "x"], [2]),
        (["x = slow()", "x = 1\nprint(x)"], []),
        (["x = slow()", "for x in range(3):\n    y = x\n    print(y)"], []),
        (["g = slow()", "x = 1", "try:\n    x\nexcept E:\n    pass"], [1]),
        (["w = 2", "def f():\n    return w", "w = slow()", "f()"], [1, 2]),
        (["x = 1", "total = sum(y for y in [x])", "total"], [0, 1]),
    ],
)
def test_needed_cells(sources, needed):
    assert needed_cells(sources, len(sources) - 1) == needed


def test_cells_after_the_target_are_not_needed():
    assert needed_cells(["f()", "def f(): pass"], 0) == []
