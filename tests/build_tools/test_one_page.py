"""The verdict on a page: its claims, its own tests, and no book without a build."""

import sys

import pytest

from build_tools.book.fresh_pages import choices_and_tools
from build_tools.upkeep import one_page
from tests.made_runs import glued_run, record, save

TOC = "root: index\nparts:\n  - caption: A\n    chapters:\n      - file: {}\n"
PAGE = "---\nkernelspec:\n  name: python3\n---\n\n# One\n\n```{code-cell}\n1\n```\n"


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project of one page, which has not been built; returns its root."""
    (tmp_path / "chapters/one").mkdir(parents=True)
    (tmp_path / "_toc.yml").write_text(TOC.format("chapters/one/index"))
    (tmp_path / "index.md").write_text("# Book\n")
    (tmp_path / "chapters/one/index.md").write_text(PAGE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_page_that_is_none_and_a_book_that_is_none_are_told_in_a_line(project):
    assert one_page.main(["two"]) == "error: there is no page 'two'; there are one"
    assert one_page.main(["one"]).endswith("make book first")


def test_a_page_that_stops_the_build_costs_no_other_page(project, monkeypatch):
    monkeypatch.setenv("BOOK_SETTINGS", "")
    pages = project / "_build/.doctrees/environment.pickle"
    tree = pages.parent / "chapters/one/index.doctree"
    tree.parent.mkdir(parents=True)
    for file in (pages, tree):
        file.write_bytes(b"all pages")
    made_of = {one_page.BOOK: "", one_page.TOOLS: choices_and_tools(project)}
    for name, text in made_of.items():
        (project / name).write_text(text)
    stops = (
        f"from pathlib import Path; Path({str(pages)!r}).unlink(); "
        f"Path({str(tree)!r}).write_text('of a failure'); raise SystemExit(1)"
    )
    command = [sys.executable, "-c", stops]  # as Sphinx does
    monkeypatch.setattr(one_page.program, "command", lambda *words: command)
    assert one_page.main(["one"]) == 1
    assert {file.read_bytes() for file in (pages, tree)} == {b"all pages"}


def test_findings_that_do_not_hold_are_told_with_what_was_found(project):
    page = project / "chapters/one/index.md"
    claims = {"claim: it turns": False, "claim: it stays": True}
    told = {name: record(holds, found="By 0.1.") for name, holds in claims.items()}
    save(glued_run(told), page, project)
    said = one_page.failed_claims(page, project)
    assert said == ["does not hold: it turns. By 0.1."]
