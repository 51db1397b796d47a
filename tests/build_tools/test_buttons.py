"""Buttons lead to the repository that `_config.yml` names, and to none without it."""

import re
from pathlib import Path

import pytest
import yaml
from jupyter_book.config import get_final_config

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

    def build(book):
        monkeypatch.setattr(buttons, "name_of", lambda path: "first")
        monkeypatch.setattr(buttons.exporter, "as_text", lambda *_: "{}")
        source, out = tmp_path / "source", tmp_path / "_build/html"
        source.mkdir()
        (source / "_config.yml").write_text(yaml.safe_dump(book))
        (source / "pyproject.toml").write_text('[project]\nversion = "1"\n')
        (source / "index.md").write_text(PAGE)
        settings = {
            "extensions": ["myst_nb", "build_tools.notebooks.buttons"],
            "html_theme": "sphinx_book_theme",
            "nb_execution_mode": "off",
            "suppress_warnings": ["myst-nb.lexer"],  # as nothing was run
            "html_theme_options": theme_options(book),
        }
        with sphinx_book(source, out, settings, strict=True) as app:
            app.build()
        page = (out / "index.html").read_text(encoding="utf-8")
        assert 'href="_sources/first.ipynb"' in page
        assert (out / "_sources/first.ipynb").read_text() == "{}"
        return {address.split("/")[2] for address in ELSEWHERE.findall(page)}

    return build


# That they lead to the repository that is named, test_pages asks of the built book.
@pytest.mark.parametrize("left", [{}, {"repository": {"url": ""}}])
def test_without_a_repository_only_the_download_is_left(links, left):
    book = {name: value for name, value in BOOK.items() if name != "repository"}
    assert links(book | left) == set()
