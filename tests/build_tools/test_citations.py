"""Works whose citations would read the same are told apart, wherever they are named."""

import re

import pytest
from markdown_it import MarkdownIt
from pybtex.database import parse_string

from build_tools.book import citations
from build_tools.notebooks.markdown import Converter
from tests.sphinx_book import sphinx_book

WORKS = """
@misc{yih, author = {Mi, T. and Yih, W. and Zweig, G.}, title = {Yet}, year = {2013}}
@misc{chen, author = {Mi, T. and Chen, K. and Dean, J.}, title = {One},
  year = {2013}, doi = {10.1002/(SICI)41:6<391::AID-ASI1>3.0.CO;2-9}}
@misc{later, author = {Mi, T. and Chen, K. and Dean, J.}, title = {One}, year = {2014}}
@misc{second, author = {Mi, T. and Chen, K.}, title = {Two}, year = {2013}}
@misc{first, author = {Mi, T. and Chen, K.}, title = {One}, year = {2013}, url = {https://a.b/c_d}}
@misc{alone, author = {Mi, T.}, title = {One}, year = {2013}}
@misc{undated, author = {Mi, T.}, title = {Page}}
"""
YEARS = {
    "chen": "2013a",
    "yih": "2013b",
    "later": "2014",
    "first": "2013a",
    "second": "2013b",
    "alone": "2013",
    "undated": None,
}


def test_letters_follow_the_order_of_the_list():
    entries = parse_string(WORKS, "bibtex").entries
    for _ in range(2):  # what was read for an earlier build has its letters
        citations.add_letters(entries)
        years = {key: entry.fields.get("year") for key, entry in entries.items()}
        assert years == YEARS


@pytest.fixture
def page(tmp_path):
    """The HTML of a page that cites all works in the text and lists them."""
    (tmp_path / "books.bib").write_text(WORKS)
    text = "".join(f":cite:t:`{key}` and :cite:p:`{key}`.\n\n" for key in YEARS)
    (tmp_path / "index.rst").write_text(f"Page\n====\n\n{text}\n.. bibliography::\n")
    settings = {
        "extensions": ["build_tools.book.citations", "sphinxcontrib.bibtex"],
        "bibtex_bibfiles": ["books.bib"],
        "bibtex_default_style": "plain",
        "bibtex_reference_style": "author_year",
    }
    out = tmp_path / "out"
    with sphinx_book(tmp_path, out, settings) as app:
        app.build()
    return (out / "index.html").read_text()


def test_a_page_and_its_list_print_the_letters_and_lead_to_the_works(page):
    words = " ".join(re.sub("<[^>]+>", "", page).split())
    for names in ("Mi et al.", "Mi and Chen"):
        for year in ("2013a", "2013b"):
            assert f"{names} [{year}] and [{names}, {year}]." in words
    assert "Mi [2013] and [Mi, 2013]." in words
    assert "T. Mi, K. Chen, and J. Dean. One. 2013a. doi:10.1002/(SICI)" in words
    assert (
        'href="https://doi.org/10.1002/(SICI)41:6&lt;391::AID-ASI1&gt;3.0.CO;2-9"'
        in page
    )
    assert 'href="https://a.b/c_d"' in page


def test_a_notebook_prints_them_too(tmp_path, monkeypatch):
    (tmp_path / "references.bib").write_text(WORKS)
    monkeypatch.setattr("build_tools.notebooks.markdown.read_chapters", lambda root: [])
    notebook = Converter(tmp_path / "page.md", tmp_path, "https://book/")
    [(_, text)] = notebook.parts("{cite:t}`yih` and {cite}`chen, first`.")
    text = re.sub(r"\[([^]]+)\]\(https[^)]+\)", r"\1", text)
    assert text == "Mi et al. (2013b) and (Mi et al., 2013a; Mi and Chen, 2013a)."
    listed = MarkdownIt("commonmark").render(notebook.works.listed())
    assert re.findall('href="([^"]+)"', listed) == [
        "https://a.b/c_d",
        "https://doi.org/10.1002/(SICI)41:6%3C391::AID-ASI1%3E3.0.CO;2-9",
    ]
