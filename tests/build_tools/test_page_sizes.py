"""The table of page sizes: what a page claims."""

import pytest

from build_tools.book import page_sizes

TOC = "root: index\nparts:\n  - caption: A\n    chapters:\n      - file: {}\n"
PAGE = """---
kernelspec:
  name: python3
---

(first)=
# The first

*What is
asked?*

```{code-cell} ipython3
:tags: [hide-input]
from chapters.first import claims, figures
figures.opening(1)
```

```{admonition} What you need
Not yet.
```

% a comment
## A question

Here it begins.

```{code-cell} ipython3
:tags: [remove-input]
claims.opening(1)

claim("third", True)
```

```{code-cell} ipython3
claims.helper()
```

## Deeper

```{code-cell} ipython3
:tags: [remove-cell]
claims.later()
```

## Further reading
"""
CLAIMS = """
def opening(x):
    claim("first", x > 0)
    claim("second", x > 0)


def later():
    claim("fourth", True)


def helper():
    glue("n", 1)
"""


@pytest.fixture
def project(tmp_path):
    """A book of one page, built, with a claims.py; returns its root."""
    folder = tmp_path / "chapters/first"
    folder.mkdir(parents=True)
    (tmp_path / "helpers").mkdir()
    for name in ("helpers/__init__.py", "requirements.txt", "requirements.lock"):
        (tmp_path / name).write_text("")
    (tmp_path / "_toc.yml").write_text(TOC.format("chapters/first/index"))
    (tmp_path / "index.md").write_text("# Book\n")
    (folder / "index.md").write_text(PAGE)
    (folder / "claims.py").write_text(CLAIMS)
    built = tmp_path / "_build/html/chapters/first"
    built.mkdir(parents=True)
    core = "<p>" + "word " * 120 * 61 + "</p>"
    (built / "index.html").write_text(f"<section><h1>The first</h1>{core}</section>")
    return tmp_path


def test_findings_are_cells_that_claim_and_sentences_their_claims(project):
    size = page_sizes.measure(project / "chapters/first/index.md", project)
    assert (size["core findings"], size["core sentences"]) == (1, 3)
    assert (size["deeper findings"], size["deeper sentences"]) == (1, 1)


def test_pages_above_a_ceiling_are_named(project):
    text = page_sizes.table(project)
    assert "above 60 core minutes: first (61)" in text
    assert "above 8 core findings: none" in text


def test_a_page_that_is_not_built_is_told_in_a_line(project):
    (project / "_build/html/chapters/first/index.html").unlink()
    said = page_sizes.main(project)
    assert said == "error: first is not built: make book first"
