"""The course in one picture names every chapter where `_toc.yml` has it."""

from html import unescape

import pytest

from build_tools import course_picture
from helpers.exercises.chapters import ROOT, read_chapters

BOXES = """
stack = 1
[[box]]
name = ["heads"]
colour = "green"
chapters = ["first"]
[[box]]
name = ["before"]
colour = "grey"
chapters = ["{last}"]
"""


@pytest.fixture
def course(tmp_path):
    """A course of three chapters; `course(last)` draws it with these boxes."""
    slugs = ("first", "second", "third")
    files = "".join(f"      - file: chapters/{slug}/index\n" for slug in slugs)
    (tmp_path / "_toc.yml").write_text(f"parts:\n  - chapters:\n{files}")
    for slug in slugs:
        (tmp_path / "chapters" / slug).mkdir(parents=True)
        page = tmp_path / "chapters" / slug / "index.md"
        page.write_text(f"({slug})=\n# The {slug} & last: a title\n")

    def draw(last):
        toml = (tmp_path / course_picture.PICTURE).with_suffix(".toml")
        toml.write_text(BOXES.format(last=last))
        return course_picture.drawing(tmp_path)

    return draw


def test_the_picture_is_in_step_with_the_chapters():
    drawn = (ROOT / course_picture.PICTURE).read_text(encoding="utf-8")
    assert drawn == course_picture.drawing(), "run: make notebooks"
    for chapter in read_chapters():
        title = chapter.page.read_text(encoding="utf-8").split("\n# ")[1]
        assert f"{chapter.number} {title.splitlines()[0].split(':')[0]}" in drawn


def test_a_chapter_without_a_box_stands_with_the_one_before_it(course):
    drawn = unescape(course("second"))
    assert "heads: 1 The first & last. " in drawn
    assert "before: 2 The second & last, 3 The third & last." in drawn


def test_a_box_that_names_no_chapter_is_told(course):
    with pytest.raises(ValueError, match="name no chapters: .'gone'"):
        course("gone")
