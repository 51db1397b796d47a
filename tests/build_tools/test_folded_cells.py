"""The line that opens a folded cell says what is in it."""

import pytest
from docutils import nodes

from build_tools.book.folded_cells import held_in, name_each


@pytest.mark.parametrize(
    ("source", "held"),
    [
        ("import math\nfrom a import b", "the imports"),
        ("import math\n\nbert = load_bert()", "the imports and bert"),
        ("def f(x):\n    return x\n\nds = f(1)", "the function f"),
        ("def f(x): pass\ndef g(x): pass", "the functions f and g"),
        ("a = 1\nb, c = d(a)\ne = 4", "how b, c and e are made"),
        ("x[0] = 3\nrows = list(x)", "how rows is made"),
        ("table['x'] = 3", "the code"),
        ("a = 1\nfigures.turning(a)", "the code of this picture"),
        ("draw(matrix(a))", "the code of this picture"),
        ("print(a)", "the code that prints this"),
        ("pd.DataFrame(rows)", "the code of this output"),
        ("%matplotlib inline", "the code"),
        ("", "the code of this output"),
    ],
)
def test_what_a_cell_holds(source, held):
    assert held_in(source) == held


def test_the_line_of_a_folded_cell_says_it():
    source = nodes.container("", nodes.literal_block("", "import math"))
    old = {"prompt_show": "Show code cell {type}", "prompt_hide": "Hide"}
    cells = [
        nodes.container(
            "", source.deepcopy(), nb_element="cell_code", hide_mode=m, **old
        )
        for m in ("input", "all")
    ]
    name_each(None, nodes.section("", *cells))
    assert cells[0]["prompt_show"] == "Show the imports"
    assert cells[0]["prompt_hide"] == "Hide the imports"
    assert cells[1]["prompt_show"] == "Show code cell {type}"
