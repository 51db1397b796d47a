"""The EPUB of the whole book: valid, in order, described, and alone."""

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import yaml
from bs4 import BeautifulSoup

from build_tools.book import offline
from build_tools.book.execution import DEFAULTS
from helpers.exercises.chapters import ROOT, chapters
from helpers.exercises.quizzes import read_questions

pytestmark = [pytest.mark.browser, pytest.mark.weekly]
LARGEST = 30_000_000  # bytes
TEX = re.compile(r"\\[(\[]|\\(?:frac|sqrt|operatorname|text)\b|\$\$")


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory, book, chromium_path, epubcheck):
    """The folder of what `make epub` has written, checked and unpacked."""
    folder = tmp_path_factory.mktemp("epub")
    target, built = folder / "book.epub", "_build/epub/inside-bert.epub"
    build = [Path(sys.executable).with_name("jupyter-book"), "build", "."]
    build += ["--builder", "custom", "--custom-builder", "epub", "-W", "--keep-going"]
    python = [sys.executable, "-m"]
    said = ""
    for command in (
        [*python, "build_tools.book", "--as-it-is", *build],
        [*python, "build_tools.print.epub", built, target],
    ):
        environment = os.environ | DEFAULTS | {"CHROMIUM": chromium_path}
        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True
        )
        assert not done.returncode, done.stdout[-2000:] + done.stderr[-2000:]
        said += done.stdout
    assert "epubcheck: no errors, no warnings" in said
    assert target.stat().st_size < LARGEST
    with zipfile.ZipFile(target) as files:
        files.extractall(folder / "book")
    return folder / "book"


@pytest.fixture(scope="module")
def pages(unpacked):
    """{name: soup} of the pages, in the order of the spine."""
    _, _, text = (unpacked / "content.opf").read_text("utf-8").partition("?>")
    package = BeautifulSoup(text, "html.parser")
    address = {item["id"]: item["href"] for item in package.select("item")}
    names = [address[entry["idref"]] for entry in package.select("itemref")]
    return {
        name: BeautifulSoup((unpacked / name).read_text("utf-8"), "html.parser")
        for name in names
    }


def test_all_pages_are_there_in_the_order_of_the_book(unpacked, pages):
    parts = yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))["parts"]
    files = [page["file"] for part in parts for page in part["chapters"]]
    assert list(pages) == [f"{name}.xhtml" for name in ("title", "index", *files)]
    nav = BeautifulSoup((unpacked / "nav.xhtml").read_text("utf-8"), "html.parser")
    links = [link["href"] for link in nav.select("nav > ol > li > a")]
    assert links == list(pages)
    for chapter in chapters().values():
        [entry] = nav.select(f"a[href='chapters/{chapter.slug}/index.xhtml']")
        assert entry.text.startswith(f"{chapter.number}. ")
        assert len(entry.find_next_sibling("ol").select("a")) > 3


def test_formulas_and_pictures_can_be_read_aloud(pages):
    formulas = pictures = 0
    for name, page in pages.items():
        for math in page.select("math"):
            assert math["alttext"].strip(), name
            formulas += 1
        for picture in page.select("img"):
            assert len(picture["alt"]) > 15, (name, picture)
            pictures += 1
        for drawing in page.select("svg:not([aria-hidden])"):
            assert drawing.get("aria-label") or drawing.find("title"), name
        for part in page.select("math, code, pre"):
            part.extract()
        assert not TEX.search(page.get_text()), name
    assert formulas > 50 and pictures > 50


def test_quizzes_solutions_and_widgets_need_no_script(pages):
    for chapter in chapters().values():
        page = pages[f"chapters/{chapter.slug}/index.xhtml"]
        asked = page.select(".quiz li")
        questions = read_questions(chapter.slug)
        assert len(asked) == len(questions)
        for shown, (_, options) in zip(asked, questions, strict=True):
            assert len(shown.select("details > summary + p")) == len(options)
            assert shown.get_text().count("Right.") == 1
        assert page.select("details.solution > summary")
    widgets = [widget for page in pages.values() for widget in page.select(".live")]
    assert len(widgets) > 5
    for widget in widgets:
        assert widget.select_one(".live-result").get_text(strip=True)
    assert not [name for name, page in pages.items() if page.select("script, iframe")]


def test_pages_load_only_what_the_epub_holds(unpacked, pages, chromium):
    tab, asked = chromium.new_page(viewport={"width": 600, "height": 800}), []
    tab.on("request", lambda request: asked.append(request.url))
    for name in pages:
        assert not offline.outside_addresses((unpacked / name).read_text("utf-8"))
        tab.goto((unpacked / name).as_uri())
        assert tab.evaluate("[...document.images].every(i => i.naturalWidth > 0)"), name
        assert tab.evaluate("document.documentElement.scrollWidth") <= 600, name
    tab.close()
    assert len(asked) > len(pages)
    assert all(url.startswith(unpacked.as_uri()) for url in asked)
