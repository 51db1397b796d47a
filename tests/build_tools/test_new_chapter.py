"""A new chapter: all its files, one line, and tests that fail until it is written."""

import pytest
import yaml

from build_tools.upkeep import new_chapter
from helpers.exercises.chapters import read_chapters

TOC = """root: index
parts:
  - caption: Part one
    chapters:
      - file: chapters/first/index
  - caption: Back
    chapters:
      - file: chapters/glossary
"""


@pytest.fixture
def project(tmp_path):
    (tmp_path / "chapters/first").mkdir(parents=True)
    (tmp_path / "chapters/first/index.md").write_text("(first)=\n# First\n")
    (tmp_path / "chapters/glossary.md").write_text("# Glossary\n")
    (tmp_path / "_toc.yml").write_text(TOC)
    return tmp_path


def test_a_chapter_is_a_folder_and_one_line(project):
    folder = new_chapter.write("hidden-words", "Hidden words", project)
    names = "index.md figures.py claims.py exercises.py quiz.toml teaching.md".split()
    assert {path.name for path in folder.iterdir()} == set(names)
    chapters = [(c.slug, c.number) for c in read_chapters(project)]
    assert chapters == [("first", 1), ("hidden-words", 2)]
    listed = yaml.safe_load((project / "_toc.yml").read_text())
    assert [len(part["chapters"]) for part in listed["parts"]] == [2, 1]
    assert "# Hidden words\n" in (folder / "index.md").read_text()
    assert 'check("hidden-words.1", mean)' in (folder / "index.md").read_text()


@pytest.mark.parametrize("slug", ["class", "first", "glossary", "", "a_b"])
def test_a_slug_that_is_taken_or_unfit_writes_nothing(project, slug):
    before = sorted(project.rglob("*")), (project / "_toc.yml").read_text()
    with pytest.raises(ValueError, match="there is a chapter|is not a slug|of Python"):
        new_chapter.write(slug, "Title", project)
    assert (sorted(project.rglob("*")), (project / "_toc.yml").read_text()) == before
