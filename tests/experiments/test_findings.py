"""Which findings hold on another model: one row each, whatever fails on the way."""

import nbformat
import pytest

from build_tools.book import execution
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


def test_a_run_that_was_stopped_goes_on_and_its_table_says_what_it_ran_on(
    page, tmp_path, tiny, monkeypatch
):
    other = page.parents[1] / "second/index.md"
    other.parent.mkdir()
    other.write_text(PAGE, encoding="utf-8")
    for name, value in execution.DEFAULTS.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(findings, "KEPT", tmp_path / "kept")
    monkeypatch.setattr(findings, "chapter_digest", lambda *_: "0")
    ran, out = [], tmp_path / "findings-tiny.csv"

    def run_page(page, target):
        if len(ran) == 1 and page is other:
            ran.append("stopped")
            raise KeyboardInterrupt
        ran.append(page)
        nbformat.write(nbformat.v4.new_notebook(), target)

    monkeypatch.setattr(findings, "run_page", run_page)
    with pytest.raises(KeyboardInterrupt):
        findings.run_all([page, other], tiny, out)
    lines = out.read_text(encoding="utf-8").splitlines()
    assert sum(line.startswith("first,") for line in lines) == 4
    assert not any(line.startswith("second,") for line in lines)
    findings.run_all([page, other], tiny, out)
    assert ran == [page, "stopped", other]
    lines = out.read_text(encoding="utf-8").splitlines()
    assert "2 layers of 4 heads, 32 wide" in lines[0] and "/" not in lines[0]
    assert lines[1] == "# data: sample"
    assert lines[4] == ",".join(findings.COLUMNS)
    assert lines[5] == "first,two-layers,not run,,0"
    assert sum(line.startswith("second,") for line in lines) == 4
