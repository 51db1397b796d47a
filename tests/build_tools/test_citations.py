"""Works whose citations would read the same are told apart, wherever they are named."""

import re

from markdown_it import MarkdownIt
from pybtex.database import parse_string

from build_tools.book import citations
from build_tools.notebooks.markdown import Converter

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
