"""Drawings of the chapters: described, readable on a phone, in step with the course."""

import re
from xml.etree import ElementTree

import pytest

from helpers.exercises.chapters import ROOT, read_chapters

FIGURE = re.compile(r"^```\{figure\} (\S+\.svg)\n((?:(?!```).*\n)*?)\n", re.M)
OPTION = re.compile(r"^:(\w+): *(.*)$", re.M)
SVG = "{http://www.w3.org/2000/svg}"
COLUMN = 358  # CSS pixels of a page 390 wide
SCROLLED = 576  # custom.css: what a drawing as wide as the page keeps there
SMALLEST = 9


def figures():
    """(page's folder, SVG, its options) of the drawings on all pages."""
    pages = [ROOT / "index.md", *(chapter.page for chapter in read_chapters())]
    for page in pages:
        for name, options in FIGURE.findall(page.read_text(encoding="utf-8")):
            yield pytest.param(
                page.parent / name, dict(OPTION.findall(options)), id=name
            )


@pytest.mark.parametrize("svg, options", list(figures()))
def test_a_drawing_is_described_and_its_letters_can_be_read_on_a_phone(svg, options):
    drawing = ElementTree.parse(svg).getroot()
    assert drawing.findtext(f"{SVG}title") and drawing.findtext(f"{SVG}desc")
    assert len(options["alt"]) > 50
    wide = float(drawing.get("viewBox").split()[2])
    sizes = [float(e.get("font-size", 99)) for e in drawing.iter()
             if e.tag != f"{SVG}tspan"]  # fmt: skip
    if options["width"] == "100%":
        scale = SCROLLED / wide
    else:
        assert options["width"] == f"{wide:g}px"
        scale = min(1, COLUMN / wide)
    assert min(sizes) * scale >= SMALLEST


def test_the_course_in_one_picture_names_every_chapter():
    drawing = ElementTree.parse(ROOT / "chapters/course-in-one-picture.svg").getroot()
    drawn = {text.text for text in drawing.iter(f"{SVG}text")}
    titles = {c.title.partition(":")[0] for c in read_chapters()}
    assert titles <= drawn
    described = drawing.findtext(f"{SVG}desc")
    assert [title for title in titles if title not in described] == []
