"""Which findings hold on another model: one row each, whatever fails on the way."""

import nbformat
import pytest

from experiments import findings

PAGE = """---
kernelspec:
  name: python3
---

# A page

```{code-cell} ipython3
from helpers import DATA
from helpers.models import load_bert
from helpers.verdicts import claim

bert = load_bert(quiet=True)
claim("two-layers", bert.n_layers == 2)
claim("six-layers", bert.n_layers == 6, f"It has {bert.n_layers}.")
```

```{code-cell} ipython3
width = bert.no_such_thing
```

```{code-cell} ipython3
claim("needs-what-failed", width > 3)
```

```{code-cell} ipython3
claim("comes-after-it", True)
```
"""


@pytest.fixture
def page(tmp_path):
    path = tmp_path / "chapters/first/index.md"
    path.parent.mkdir(parents=True)
    path.write_text(PAGE, encoding="utf-8")
    return path


def test_a_cell_that_fails_costs_itself_and_what_needs_it(
    page, tmp_path, tiny_bert_folder, monkeypatch
):
    monkeypatch.setenv("BERT_COURSE_MODEL", str(tiny_bert_folder))
    monkeypatch.setenv("PYTHONPATH", str(findings.ROOT))
    findings.run_page(page, tmp_path / "run.ipynb")
    rows = findings.rows_of(page, nbformat.read(tmp_path / "run.ipynb", 4))
    error = "AttributeError: 'Bert' object has no attribute 'no_such_thing'"
    assert [row[:4] for row in rows] == [
        ["first", "two-layers", "yes", ""],
        ["first", "six-layers", "no", "It has 2."],
        ["first", "needs-what-failed", "not run", error],
        ["first", "comes-after-it", "yes", ""],
    ]
