"""What Build status and a page say of the sentences that the run has to bear out."""

import nbformat
import pytest

from build_tools.book import findings, glued_values

PAGE = """---
jupytext:
  text_representation:
    format_name: myst
---

# Title

```{code-cell} ipython3
:tags: [remove-input]
glue("share", 0.4)
claim("Layer 0 does no better",
      means[0] <= 0.5, f"It has {means[0]:.2f}.")
claim("the sum is the sum", 1 + 1 == 2, about="mathematics")
```

Layer 0 does no better, and the sum is the sum.
"""


@pytest.fixture
def page(tmp_path):
    path = tmp_path / "index.md"
    path.write_text(PAGE, encoding="utf-8")
    return path


def run(**holds):
    """An executed notebook in which two claims were made."""
    cell = nbformat.v4.new_code_cell()
    for words, about, key in (
        ("Layer 0 does no better", "model", "layer"),
        ("the sum is the sum", "mathematics", "sum"),
    ):
        told = {"about": about, "holds": holds[key], "found": "It isn't."}
        cell.outputs.append(
            nbformat.v4.new_output(
                "display_data",
                data={glued_values.RECORD: repr(told)},
                metadata={"scrapbook": {"name": f"claim: {words}"}},
            )
        )
    return nbformat.v4.new_notebook(cells=[cell])


def test_words_and_conditions_stand_side_by_side(page):
    assert [(f.words, f.condition, f.about) for f in findings.findings_of(page)] == [
        ("Layer 0 does no better", "means[0] <= 0.5", "model"),
        ("the sum is the sum", "1 + 1 == 2", "mathematics"),
    ]


def test_words_put_together_by_the_run_are_no_words():
    [found] = findings.claims_in('claim(f"{winner} wins", True)')
    assert found.words is None


@pytest.mark.parametrize(
    "holds, said, all_of_them",
    [
        (True, "2 findings, checked against this run.", "All 2 findings hold"),
        (
            False,
            "2 findings, checked against this run; 1 of them not true of it.",
            "1 of 2 findings do not hold here: see Build status",
        ),
    ],
)
def test_what_does_not_hold_is_counted(monkeypatch, page, holds, said, all_of_them):
    monkeypatch.setattr(findings, "run_of", lambda *_: run(layer=holds, sum=True))
    monkeypatch.setattr(findings, "executable_pages", lambda root: [page])
    assert findings.in_words(page, page.parent) == said
    assert findings.summary(page.parent) == all_of_them


def test_a_page_without_findings_says_nothing_of_them(page):
    page.write_text("# Title\n\nText.\n", encoding="utf-8")
    assert findings.in_words(page, page.parent) == ""


CELL = "```{{code-cell}} ipython3\n{}\n```\n"


def found_in(tmp_path, code):
    (tmp_path / "page.md").write_text(CELL.format(code), encoding="utf-8")
    return findings.findings_of(tmp_path / "page.md")


@pytest.mark.parametrize(
    ("code", "finding"),
    [
        ('claim("a " "b", 1 <\n 2)', findings.Finding("a b", "1 < 2", "model")),
        ('claim(words="a", holds=x, about="data")', findings.Finding("a", "x", "data")),
        ('claim(f"a {x}", x)', findings.Finding(None, "x", "model")),
        ("claim(words[0], x)", findings.Finding(None, "x", "model")),
        ("claim(row.words, x)", findings.Finding(None, "x", "model")),
        ('claim(w := "a", x)', findings.Finding(None, "x", "model")),
        ("claim(3, x)", findings.Finding(None, "x", "model")),
        ('claim("a", x, about=KIND)', findings.Finding("a", "x", None)),
        ('claim("a")', findings.Finding("a", None, "model")),
        ("claim(**row)", findings.Finding(None, None, "model")),
        ("claim()", findings.Finding(None, None, "model")),
    ],
)
def test_a_claim_is_found_however_it_is_written(tmp_path, code, finding):
    assert found_in(tmp_path, code) == [finding]


def test_words_that_a_loop_makes_have_rows_of_the_run(tmp_path):
    code = 'claim("a", True)\nfor i in "bc":\n    claim(i, i == "b")'
    told = {w: {"about": "data", "holds": w != "c", "found": ""} for w in "abc"}
    assert findings.rows_of(found_in(tmp_path, code), told) == [
        ["a", "True", "model", "yes"],
        ["b", "", "data", "yes"],
        ["c", "", "data", "no"],
    ]
    assert (
        findings.rows_of([findings.Finding("x", "y", "model")], {})[0][-1] == "not run"
    )
