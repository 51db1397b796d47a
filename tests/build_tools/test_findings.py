"""What Build status and a page say of the sentences that the run has to bear out."""

from pathlib import Path

import pytest

from build_tools.book import claims, findings
from tests.made_runs import glued_run, record
from tests.sphinx_book import sphinx_book

CELL = "```{{code-cell}} ipython3\n:tags: [remove-input]\n{}\n```\n\n"
CLAIMS = """from chapters.first_page import claims
claim("no-better", means[0] <= 0.5, f"It has {means[0]:.2f}.")
claims.of_sums(3)"""
MODULE = """def of_sums(x):
    claim("sum", x == 1 + 2, about="mathematics")
"""
HEAD = "---\nkernelspec:\n  name: python3\n---\n\n# Title\n\n"
TEXT = """The layer [*does* no better]{.claim-no-better} here.

[The sum is the sum]{.claim-sum}.

## Summary

- [It does no better]{.claim-no-better}, and [all is well]{.claim-no-better .claim-sum}.
"""


@pytest.fixture
def page(tmp_path):
    """A page whose claims stand in a cell and in a module beside it."""
    path = tmp_path / "chapters/first-page/index.md"
    path.parent.mkdir(parents=True)
    path.write_text(HEAD + CELL.format(CLAIMS) + TEXT, encoding="utf-8")
    path.with_name("claims.py").write_text(MODULE, encoding="utf-8")
    path.with_name("unused.py").write_text('claim("other", 1)', encoding="utf-8")
    return path


def run(**holds):
    """An executed notebook in which claims were made, `_` for a hyphen."""
    found = "<b>0.9</b>"
    return glued_run(
        {
            f"claim: {name.replace('_', '-')}": record(value, found=found)
            for name, value in holds.items()
        }
    )


def built(page, executed, monkeypatch):
    """The page as HTML, and the warnings of its build."""
    monkeypatch.setattr(claims, "run_of", lambda *_: executed)
    warnings = []
    monkeypatch.setattr(
        claims.LOGGER,
        "warning",
        lambda text, location, type: warnings.append((location, text)),
    )
    source = page.parents[2]
    settings = {
        "extensions": ["myst_nb"],
        "nb_execution_mode": "off",
        "myst_enable_extensions": ["attrs_inline", "attrs_block"],
        "root_doc": "chapters/first-page/index",
    }
    with sphinx_book(source, source / "out", settings) as app:
        claims.setup(app)
        app.build()
    html = (source / "out/chapters/first-page/index.html").read_text("utf-8")
    return html, warnings


def test_words_and_conditions_stand_side_by_side(page):
    found = findings.findings_of(page)
    assert [(f.name, f.condition, f.about, f.words) for f in found] == [
        ("no-better", "means[0] <= 0.5", "model", "*does* no better"),
        ("sum", "x == 1 + 2", "mathematics", "The sum is the sum"),
    ]
    rows = findings.rows_of(found, findings.held_in(run(no_better=False)))
    assert [row[-1] for row in rows] == ["no", "not run"]


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
    executed = run(no_better=holds, sum=True)
    monkeypatch.setattr(findings, "run_of", lambda *_: executed)
    monkeypatch.setattr(findings, "executable_pages", lambda root: [page])
    assert findings.in_words(page, page.parent) == said
    assert findings.summary(page.parent) == all_of_them


def test_where_all_holds_the_page_is_as_without_claims(page, monkeypatch):
    html, warnings = built(page, run(no_better=True, sum=True), monkeypatch)
    assert not warnings
    assert "claim-failed" not in html and "not so" not in html


def test_each_sentence_that_fails_is_marked_and_the_first_tells_what_was_found(
    page, monkeypatch
):
    html, warnings = built(page, run(no_better=False, sum=True), monkeypatch)
    assert not warnings
    assert html.count("claim-failed") == html.count("not so in this run") == 3
    assert html.count("In this run: &lt;b&gt;0.9&lt;/b&gt;") == 1
    assert html.count('href="#claim-no-better"') == 2  # the others lead to the first
    assert html.index("In this run:") < html.index("The sum is the sum")


NEW = TEXT + "\n[x]{.claim-new}\n\n{.claim-block}\nA block.\n"
UNBOUND = {
    NEW: {
        "{.claim-sum}": "the claim 'sum' did not run",
        "---": "words of the page are bound",
        "{.claim-new}": "no cell of the page makes the claim 'new'",
        "{.claim-block}": "bound to a block",
    },
    "No words.\n": {
        'claim("no-better"': "words of the page are bound",
        '    claim("sum"': "words of the page are bound",
    },
}


@pytest.mark.parametrize("text", UNBOUND)
def test_what_is_not_bound_is_a_warning_of_its_line(page, monkeypatch, text):
    page.write_text(HEAD + CELL.format(CLAIMS) + text, encoding="utf-8")
    made = {"more": True} if text == NEW else {"sum": True}
    _, warnings = built(page, run(no_better=True, **made), monkeypatch)
    for line, said in UNBOUND[text].items():
        found = [fault for place, fault in warnings if line in line_at(place)]
        assert any(said in fault for fault in found), (line, warnings)


def line_at(place):
    """The line that a place, "file:line", names."""
    path, _, number = place.rpartition(":")
    return Path(path).read_text(encoding="utf-8").split("\n")[int(number) - 1]


def test_words_on_a_page_without_cells_are_a_warning_too(page, monkeypatch):
    page.write_text("# Title\n\n[It turns]{.claim-turns}.\n", encoding="utf-8")
    _, [(place, fault)] = built(page, None, monkeypatch)
    assert place == f"{page}:3" and "no cell of the page makes" in fault


def test_a_claim_made_twice_is_a_warning(page, monkeypatch):
    executed = run(no_better=True, sum=True)
    executed.cells += run(sum=True).cells
    _, warnings = built(page, executed, monkeypatch)
    assert [fault for _, fault in warnings] == ["the claim 'sum' is made 2 times"]


@pytest.mark.parametrize(
    ("code", "finding"),
    [
        ('claim("a", 1 <\n 2)', findings.Finding("a", "1 < 2", "model")),
        ('claim(name="a", holds=x, about="data")', findings.Finding("a", "x", "data")),
        ('claim(f"a-{x}", x)', findings.Finding(None, "x", "model")),
        ('%matplotlib inline\nclaim("a", x)', findings.Finding("a", "x", "model")),
        ('claim("a", x, about=KIND)', findings.Finding("a", "x", None)),
        ("claim(**row)", findings.Finding(None, None, "model")),
    ],
)
def test_a_claim_is_found_however_it_is_written(code, finding):
    assert findings.claims_in(code) == [finding]
