"""What the page on using the course says about the chapters and the models."""

import re
from pathlib import Path

import pytest

from helpers.exercises import check
from helpers.models import load_bert

ROOT = Path(__file__).parents[2]
NAME = "using-this-course"
ROW = re.compile(r"^\| \{doc\}`([^`]+)` \| ([^|]+\?) \| (\d+) \|$", re.M)


@pytest.fixture(scope="module")
def table(chapter_text):
    """Slug -> minutes of every chapter that the page lists, in its order."""
    return {slug: int(minutes) for slug, _, minutes in ROW.findall(chapter_text(NAME))}


def test_the_table_lists_every_chapter_in_the_order_of_the_book(table):
    contents = (ROOT / "_toc.yml").read_text(encoding="utf-8")
    chapters = re.findall(r"chapters/(\d\d-[\w-]+)", contents)
    assert list(table) == chapters


def test_minutes_are_those_that_the_chapters_name(table):
    said = {}
    for slug in table:
        path = ROOT / "chapters" / f"{slug}.md"
        if path.exists():  # prose wraps anywhere
            found = re.search(r"[Aa]bout\s+(\d+)\s+minutes", path.read_text("utf-8"))
            said[slug] = int(found[1]) if found else None
    assert said == {slug: table[slug] for slug in said}


def test_the_live_example_is_not_attempted_and_does_not_fail(chapter_cells):
    [cell] = [c for c in chapter_cells(NAME) if "check(" in c.source]
    assert 'check("11.1", ...)' in cell.source
    assert check("11.1", ...).status == "not attempted yet"


def test_the_table_of_models_is_what_load_bert_does(monkeypatch, tiny_bert_folder):
    monkeypatch.setenv("BERT_COURSE_MODEL", "embedded")
    assert load_bert().name == "embedded course model"
    monkeypatch.setenv("BERT_COURSE_MODEL", str(tiny_bert_folder))
    assert load_bert().name == str(tiny_bert_folder)


def test_no_figure_of_the_run_is_typed_into_the_text(chapter_text):
    prose = re.sub(r"```\{code-cell.*?```", "", chapter_text(NAME), flags=re.S)
    prose = re.sub(r"\{glue:text\}`[^`]*`", "", prose)
    typed = set(re.findall(r"\b\d+\.\d+\b", prose))
    assert typed <= {"3.11", "3.3"}  # Python's version, billions of words
