"""The page of what holds on other models, with the tables there are, and with none."""

from build_tools.book import other_models
from tests.sphinx_book import sphinx_book

PAGE = """---
kernelspec:
  name: python3
---

# First

[It *turns* back]{.claim-turns} and [stays]{.claim-stays}.

```{code-cell} ipython3
claim("turns", x)
claim("stays", y)
```
"""
HEAD = "# made on {0}\npage,finding,holds,found,seconds\n"
TABLES = {
    "findings-a.csv": "first,turns,yes,,12\nfirst,stays,no,<i>It</i> goes.,12\n",
    "findings-b.csv": "first,turns,yes,,80\nfirst,gone,no,,80\n",
}


def built(root, tables):
    """The page as HTML, in a book of one chapter with these tables."""
    for folder in ("chapters/first", "data/results"):
        (root / folder).mkdir(parents=True)
    (root / "chapters/first/index.md").write_text(PAGE)
    (root / "_toc.yml").write_text("format: jb-book\nroot: chapters/first/index\n")
    (root / "models.md").write_text("# Others\n\n```{other-models}\n```\n")
    for name, text in tables.items():
        (root / "data/results" / name).write_text(HEAD.format(name) + text)
    settings = {
        "extensions": ["myst_parser"],
        "root_doc": "models",
        "exclude_patterns": ["chapters", "out*"],
    }
    with sphinx_book(root, root / "out", settings, strict=True) as app:
        other_models.setup(app)
        app.build()
    return (root / "out/models.html").read_text("utf-8")


def rows_in(html):
    from bs4 import BeautifulSoup

    rows = BeautifulSoup(html, "html.parser").find_all("tr")
    return [[cell.get_text() for cell in row.find_all(["th", "td"])] for row in rows]


def test_each_model_has_a_column_and_what_fails_is_told(tmp_path):
    html = built(tmp_path, TABLES)
    assert rows_in(html) == [
        ["page", "a", "b"],
        ["first", "1 of 2 (12 s)", "1 of 1 (80 s)"],
        ["all", "1 of 2", "1 of 1"],
        ["page", "words", "a", "b"],
        ["first", "stays", "no: <i>It</i> goes.", "not run"],
    ]
    assert "a: made on findings-a.csv." in html
