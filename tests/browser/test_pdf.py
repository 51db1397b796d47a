"""The PDF: title page, contents, heads; what a page hides is printed, links stay."""

import os
import re
import subprocess
import sys
import tomllib
from html import escape
from itertools import groupby
from pathlib import Path

import pytest
import yaml
from pypdf import PdfReader

from build_tools.book.site import Site
from chapters.seeing_attention.views import PAGE_PARTS

pytestmark = pytest.mark.browser
ROOT = Path(__file__).resolve().parents[2]

LONG = (
    "3. Vocabularies, or: who “decides” \\ what a piece is, in which words & at < cost"
)
TITLES = ["The book", "1. Words", "2. Heads", LONG]
FILLER = "<p>one word after another</p>" * 60  # more than a page


def chapter(title):
    """A chapter of three pages, as Sphinx writes it; names of sections come again."""
    heading = escape(title)
    return f"""<span id="document-{heading[0]}"></span><section id="c{heading[0]}">
<h2>{heading}<a class="headerlink" href="#c{heading[0]}">#</a></h2>{FILLER}
<section id="summary">
<h3>What {heading[:8]} said<a class="headerlink" href="#summary">#</a></h3>
{FILLER}</section></section>"""


STYLE = (ROOT / "build_tools/static/custom.css").read_text(encoding="utf-8")
SLIDE = """<div class="slide"><label>a slider <input type="range"></label>
<div class="frame">the start</div><div class="frame" hidden>the end of the slide</div>
</div>"""
PAGE = f"""<!doctype html><html lang="en"><title>Book</title><body>
<style>{STYLE}</style>
<style>@media print {{ .bd-article h1, .headerlink {{ display: none }} }}</style>
<nav>a menu</nav><div><div id="jb-print-docs-body"><h1>The theme's contents</h1></div>
<article class="bd-article"><section id="book">
<h1>The book</h1><a href="#there">onwards</a>
<div class="bd-content">{SLIDE}</div>
<details><summary>Quiz</summary><p>the explanation</p></details>
<div class="attention-view"><iframe srcdoc="<p>the live view</p>"></iframe>
<svg width="200" height="30"><text y="20">the picture</text></svg>{PAGE_PARTS}</div>
<section id="there"><h2>The end</h2></section>
<div class="toctree-wrapper">{chapter(TITLES[1])}{chapter(TITLES[2])}</div>
<div class="toctree-wrapper">{chapter(TITLES[3])}</div>
</section></article></div><footer>a foot</footer></body></html>"""
ENTRY = re.compile(r"(.+?) (\d+)$")


@pytest.fixture(scope="module")
def reader(chromium_path, tmp_path_factory):
    """Print the page as `make pdf` does; returns a reader of the PDF."""
    folder = tmp_path_factory.mktemp("print")
    (folder / "page.html").write_text(PAGE)
    command = [sys.executable, "-m", "build_tools.print.pdf", "page.html", "book.pdf"]
    environment = os.environ | {"CHROMIUM": chromium_path, "PYTHONPATH": str(ROOT)}
    subprocess.run(command, cwd=folder, env=environment, check=True, timeout=120)
    assert sorted(path.name for path in folder.iterdir()) == ["book.pdf", "page.html"]
    return PdfReader(folder / "book.pdf")


@pytest.fixture(scope="module")
def pages(reader):
    """The lines of each page: its head, its number, then its text."""
    return [page.extract_text().split("\n") for page in reader.pages]


def test_the_title_page_says_what_the_settings_say(pages):
    settings = yaml.safe_load((ROOT / "_config.yml").read_text())
    address = Site.read(ROOT).book
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    first = pages[0]
    assert first[0] == settings["title"] and settings["author"] in first
    assert [line for line in first if "://" in line] == [*filter(None, [address])]
    assert any(line.startswith(f"Version {version}, built on ") for line in first)
    assert any("Creative Commons" in line for line in first) and "Code: MIT" in first


def test_the_contents_name_the_page_on_which_each_heading_stands(pages):
    assert pages[1][0] == "Contents"
    entries = dict(ENTRY.match(line).groups() for line in pages[1][3:])
    sections = ["The end", *(f"What {title[:8]} said" for title in TITLES[1:])]
    assert {*entries} == {*TITLES, *sections}
    for title, number in entries.items():
        head, foot, *text = pages[int(number) - 1]
        assert title in " ".join(text) and foot == number


def test_an_entry_of_the_contents_leads_to_its_heading(reader):
    links = [note.get_object() for note in reader.pages[1]["/Annots"]]
    places = reader.named_destinations
    found = [
        reader.get_destination_page_number(places[str(link["/Dest"])]) for link in links
    ]
    assert found == sorted(found) and len({*found}) >= 2 * len(TITLES) - 1


def test_every_page_has_its_number_and_its_chapter_at_its_head(pages):
    heads = [head for head, *_ in pages[2:]]
    assert [head for head, _ in groupby(heads)] == TITLES
    assert all(heads.count(title) > 2 for title in TITLES[1:])
    assert all(len(page) > 2 for page in pages) and "1" not in pages[0]
    assert [page[1] for page in pages[1:]] == [
        str(n + 2) for n in range(len(heads) + 1)
    ]


def test_what_is_hidden_is_printed_and_what_stands_beside_the_book_is_not(reader):
    text = "\n".join(page.extract_text() for page in reader.pages)
    lines = {*text.split("\n")}
    assert not {"a menu", "a foot", "The theme's contents", "the live view"} & lines
    text = reader.pages[2].extract_text()
    assert "the explanation" in text and "the picture" in text
    assert "the start" in text
    assert "a slider" not in text and "the end of the slide" not in text
    links = [note.get_object() for note in reader.pages[2]["/Annots"]]
    assert any(link["/Subtype"] == "/Link" for link in links)
    assert "The end" in str(reader.outline)
