"""The list of findings: each claim of a page and of its run, however it is written."""

import pytest

from build_tools.book import findings
from build_tools.book.findings import Finding

PAGE = "```{{code-cell}} ipython3\n{}\n```\n"


def found_in(tmp_path, code):
    (tmp_path / "page.md").write_text(PAGE.format(code), encoding="utf-8")
    return findings.findings_of(tmp_path / "page.md")


@pytest.mark.parametrize(
    ("code", "finding"),
    [
        ('claim("a " "b", 1 <\n 2)', Finding("a b", "1 < 2", "model")),
        ('claim(words="a", holds=x, about="data")', Finding("a", "x", "data")),
        ('claim(f"a {x}", x)', Finding(None, "x", "model")),
        ("claim(words[0], x)", Finding(None, "x", "model")),
        ("claim(row.words, x)", Finding(None, "x", "model")),
        ('claim(w := "a", x)', Finding(None, "x", "model")),
        ("claim(3, x)", Finding(None, "x", "model")),
        ('claim("a", x, about=KIND)', Finding("a", "x", None)),
        ('claim("a")', Finding("a", None, "model")),
        ("claim(**row)", Finding(None, None, "model")),
        ("claim()", Finding(None, None, "model")),
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
    assert findings.rows_of([Finding("x", "y", "model")], {})[0][-1] == "not run"
