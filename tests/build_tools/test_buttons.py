"""Buttons lead to the repository that INSIDE_BERT_SOURCE names, and nowhere else."""

import re
from html import unescape
from pathlib import Path
from urllib.parse import quote

import pytest
import yaml
from jupyter_book.config import get_final_config

from build_tools.book.site import VARIABLE
from build_tools.notebooks import buttons
from tests.sphinx_book import sphinx_book

ROOT = Path(__file__).resolve().parents[2]
BOOK = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
PAGE = """---
jupytext:
  text_representation: {extension: .md, format_name: myst}
kernelspec: {name: python3, display_name: Python 3}
---

# First

```{code-cell} ipython3
1 + 1
```
"""
COMMIT = "c" * 40
ELSEWHERE = re.compile(r'href="(https://[^"]*(?:mybinder|colab|kaggle|github)[^"]*)"')


NAMES = ("repository_url", "repository_branch", "launch_buttons", "use_issues_button")


def theme_options(book):
    """The settings of the buttons that Jupyter Book makes of a _config.yml."""
    command_line = {"latex_individualpages": False}
    settings, _ = get_final_config(user_yaml=book, cli_config=command_line)
    options = settings["html_theme_options"]
    return {name: options[name] for name in NAMES if name in options}


@pytest.fixture
def links(tmp_path, monkeypatch):
    """Build a page with the book's theme; returns its addresses elsewhere, and it."""

    def build(url):
        monkeypatch.setenv(VARIABLE, url)
        monkeypatch.setattr("build_tools.book.site.commit_of", lambda *_: COMMIT)
        monkeypatch.setattr(buttons, "name_of", lambda path: "first")
        monkeypatch.setattr(buttons.kept, "of_run", lambda *_: None)
        monkeypatch.setattr(
            buttons.exporter, "as_text", lambda *_, site, known: f"of {site.url}"
        )
        source, out = tmp_path / "source", tmp_path / "_build/html"
        source.mkdir()
        (source / "pyproject.toml").write_text('[project]\nversion = "1"\n')
        (source / "index.md").write_text(PAGE)
        settings = {
            "extensions": [
                "myst_nb",
                "sphinxext.opengraph",
                "build_tools.notebooks.buttons",
            ],
            "ogp_image": "_static/card.png",
            "html_theme": "sphinx_book_theme",
            "nb_execution_mode": "off",
            "suppress_warnings": ["myst-nb.lexer"],  # as nothing was run
            "html_theme_options": theme_options(BOOK),
        }
        with sphinx_book(source, out, settings, strict=True) as app:
            app.build()
        page = (out / "index.html").read_text(encoding="utf-8")
        assert 'href="_sources/first.ipynb"' in page
        assert (out / "_sources/first.ipynb").read_text() == f"of {url}"
        return {unescape(link) for link in ELSEWHERE.findall(page)}, page

    return build


def test_without_a_repository_only_the_download_is_left(links):
    found, page = links("")
    assert found == set()
    assert 'rel="canonical"' not in page and "og:" not in page


def test_of_a_repository_on_github_all_lead_to_what_is_published_from_it(links):
    found, page = links("https://github.com/Ada/b")
    branch = "github.com/Ada/b/blob/published-notebooks/first.ipynb"
    assert found == {
        f"https://colab.research.google.com/{branch.replace('.com', '')}",
        f"https://www.kaggle.com/kernels/welcome?src={quote(f'https://{branch}', '')}",
        f"https://mybinder.org/v2/gh/Ada/b/{COMMIT}?urlpath=lab/tree/notebooks/first.ipynb",
        "https://github.com/Ada/b/issues/new?title=Issue%20on%20page%20%2Findex.html"
        "&body=Your%20issue%20content%20here.",
        "https://github.com/Ada/b/discussions",
        "https://ada.github.io/b/index.html",  # the page's own, for search engines
    }
    assert 'content="https://ada.github.io/b/_static/card.png"' in page
