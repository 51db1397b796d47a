"""An edit reaches every page that shows what was edited."""

import sys
from types import ModuleType

import pytest
from sphinx.errors import ExtensionError

from build_tools.book import execution, fresh_pages, reading_aids
from tests.sphinx_book import sphinx_book

FILES = {
    "index.rst": "Book\n====\n\n.. toctree::\n\n   chapters/glossary\n"
    "   chapters/first\n   chapters/second\n",
    "chapters/glossary.rst": "Terms\n=====\n\n.. glossary::\n\n"
    "   layer\n      A part of a stack.\n\n.. bibliography::\n",
    "chapters/first.rst": "First\n=====\n\nEach layer reads. See :ref:`second`.\n",
    "chapters/second.rst": ".. _second:\n\nSecond\n======\n\nSee :cite:t:`vig`.\n",
    "books.bib": "@misc{vig, author = {Vig, J.}, title = {Six Patterns}, year = 2018}",
}
NAMES = ("index", "chapters/glossary", "chapters/first", "chapters/second")


@pytest.fixture
def book(tmp_path, monkeypatch):
    """A small book with our rules; `book()` builds it, returns the pages written."""
    for name in execution.DEFAULTS:
        monkeypatch.setenv(name, "sample")
    extension = ModuleType("small_book")

    def setup(app):
        app.chapter_digests = {}
        fresh_pages.setup(app)
        app.connect("doctree-resolved", reading_aids.add_to_chapter)

    extension.setup = setup
    monkeypatch.setitem(sys.modules, "small_book", extension)
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    settings = {"extensions": ["sphinxcontrib.bibtex", "small_book"]}
    settings["bibtex_bibfiles"] = ["books.bib"]
    settings["bibtex_default_style"] = "plain"
    settings["bibtex_reference_style"] = "author_year"

    def build():
        out = tmp_path / "out"
        written = []
        with sphinx_book(tmp_path, out, settings) as app:
            app.connect("html-page-context", lambda app, name, *_: written.append(name))
            app.build()
        return {name for name in written if name in NAMES}

    build.folder = tmp_path
    build.text = lambda name: (tmp_path / f"out/{name}.html").read_text()
    return build


def edit(book, name, old, new, ending="rst"):
    path = book.folder / f"{name}.{ending}"
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))


def test_an_edit_reaches_the_pages_that_show_it(book):
    """Of a sentence, a definition, a term, a work and a title, one after the other."""
    assert book() == set(NAMES)
    assert book() == set()
    assert "A part of a stack." in book.text("chapters/first")
    edit(book, "chapters/first", "Each", "Every")
    assert book() == set(NAMES)
    new = "   reads\n      Looks.\n\n   layer\n      Some other part."
    edit(book, "chapters/glossary", "   layer\n      A part of a stack.", new)
    edit(book, "books", "2018", "2019", ending="bib")
    book()
    text = book.text("chapters/first")
    assert "Some other part." in text and 'title="Looks."' in text
    assert ">2019<" in book.text("chapters/second")
    edit(book, "chapters/second", "Second\n======", "The other\n=========")
    assert book() == set(NAMES)
    assert "The other" in book.text("chapters/first")


def test_a_page_alone_is_read_while_others_have_changed(book, monkeypatch):
    book()
    edit(book, "chapters/first", "Each", "Every")
    edit(book, "chapters/second", "Second\n======", "Changed\n=======")
    monkeypatch.setenv(fresh_pages.ONLY, "chapters/first")
    assert "chapters/first" in (written := book())
    assert written <= {"chapters/first", "index"}  # the other may not have run
    assert "Every" in book.text("chapters/first")
    assert "Changed" not in book.text("chapters/first")
    monkeypatch.delenv(fresh_pages.ONLY)
    assert book() == set(NAMES)
    assert "Changed" in book.text("chapters/first")


def test_a_page_alone_is_not_read_by_other_tools_than_the_rest(book, monkeypatch):
    monkeypatch.setenv(fresh_pages.ONLY, "chapters/first")
    with pytest.raises(ExtensionError, match="make book"):
        book()
