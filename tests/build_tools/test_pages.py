"""What every built page must hold or must not, without a browser."""

import gzip
import json
import os
import re
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import unquote

import pytest
from bs4 import BeautifulSoup

from build_tools.book.site import Site
from build_tools.notebooks import exporter

ROOT = Path(__file__).resolve().parents[2]
BOOK = ROOT / "_build" / "html"


@pytest.fixture(scope="module")
def pages():
    """The text of every page of the built book, by its address."""
    if not (BOOK / "index.html").is_file():
        pytest.fail("there is no book in _build/html: run `make book`", pytrace=False)
    paths = [path.relative_to(BOOK) for path in BOOK.rglob("*.html")]
    return {
        path.as_posix(): (BOOK / path).read_text(encoding="utf-8")
        for path in paths
        if path.parts[0] != "_static"
    }


def test_no_page_shows_a_warning_or_a_traceback_of_its_run(pages):
    shown = re.compile('class="output (stderr|traceback)')
    assert [name for name, text in pages.items() if shown.search(text)] == []


def read(text):
    """The links, images, anchors and levels of headings of a page."""
    soup = BeautifulSoup(text, "html.parser")
    headings = soup.select("article :is(h1, h2, h3, h4, h5, h6)")
    return SimpleNamespace(
        links=[link["href"] for link in soup.select("a[href]")],
        images=[image.attrs for image in soup.select("img")],
        ids={e[k] for k in ("id", "name") for e in soup.find_all(attrs={k: True})},
        headings=[int(heading.name[1]) for heading in headings],
    )


@pytest.fixture(scope="module")
def parsed(pages):
    return {name: read(text) for name, text in pages.items()}


def inside(name, address):
    """The file of the book and the anchor that an address on a page means."""
    path, _, anchor = unquote(address).partition("#")
    path = path.partition("?")[0]
    target = (BOOK / name).parent / path if path else BOOK / name
    return Path(os.path.normpath(target)), anchor


OUTSIDE = re.compile(r"(https?:)?//|mailto:|javascript:|data:")


def test_every_link_within_the_book_leads_somewhere(parsed):
    dead = []
    for name, page in parsed.items():
        for address in page.links:
            if OUTSIDE.match(address):
                continue
            target, anchor = inside(name, address)
            place = os.path.relpath(target, BOOK)
            other = None if place == MACHINE else parsed.get(place)
            if not target.exists() or (anchor and other and anchor not in other.ids):
                dead.append(f"{name}: {address}")
    assert dead == []


def test_every_image_is_there_and_is_described(parsed):
    wrong = []
    for name, page in parsed.items():
        for image in page.images:
            source = image.get("src", "")
            there = OUTSIDE.match(source) or inside(name, source)[0].is_file()
            if not there or image.get("alt") is None:
                wrong.append(f"{name}: {image}")
    assert wrong == []


def test_headings_of_a_page_skip_no_level(parsed):
    for name, page in parsed.items():
        levels = page.headings
        jumps = [b for a, b in zip(levels, levels[1:], strict=False) if b > a + 1]
        assert jumps == [] and levels.count(1) <= 1, (name, levels)


# Where they lead that open it elsewhere, test_buttons asks.
def test_each_chapter_has_its_notebook_to_download(pages, parsed):
    site = Site.read(ROOT)
    chapters = [name for name in pages if re.match("chapters/[^/]+/index.html", name)]
    assert chapters
    for name in chapters:
        links = {link for link in parsed[name].links if link.endswith(".ipynb")}
        assert any("colab.research" in link for link in links) == bool(site.github)
        [download] = {link for link in links if not OUTSIDE.match(link)}
        downloaded = inside(name, download)[0].read_text(encoding="utf-8")
        kept = ROOT / f"notebooks/{Path(name).parent.name}.ipynb"
        if site.url:
            assert site.commit in downloaded and kept.is_file()
        else:
            assert sources_in(downloaded) == sources_in(kept.read_text("utf-8"))


def sources_in(notebook):
    """Its cells without what a run has shown, which another machine may have run."""
    return [
        (cell["cell_type"], cell["source"]) for cell in json.loads(notebook)["cells"]
    ]


MACHINE = "machine.html"  # what follows # there is a state of it
NO_PAGES = {MACHINE, "index.html", "genindex.html", "search.html"}
HTML = re.compile(r"</?(?:div|span|p|svg|script|table)\b[^>]*>")
LINK = re.compile(r"\]\(([^)\s]+)\)")


def compressed(text):
    return len(gzip.compress(text.encode()))


def test_pages_are_light(pages):
    heavy = {}
    for name, text in pages.items():
        views = set(re.findall(r"_static/views/(\w+\.html)", text))
        files = [BOOK / "_static/views" / view for view in views]
        alone, framed = compressed(text), sum(compressed(f.read_text()) for f in files)
        if alone > 600_000 or alone + framed > 2_000_000:
            heavy[name] = alone, framed
    assert heavy == {}


def test_the_site_is_small():
    sizes = [path.stat().st_size for path in BOOK.rglob("*") if path.is_file()]
    assert sum(sizes) < 70e6


def test_every_link_of_a_notebook_into_the_book_has_its_place(parsed):
    site = Site("v1", "https://github.com/a/b")
    link = re.compile(re.escape(site.book) + r"([\w/.-]*)#?([\w-]*)")
    ids = {name: page.ids for name, page in parsed.items()}
    found, lost = 0, set()
    for path in exporter.chapters():
        cells = exporter.export(path, site=site).cells
        for page, place in link.findall("\n".join(cell.source for cell in cells)):
            found += 1
            if page not in ids or place and place not in ids[page]:
                lost.add(f"{path}: {page}#{place}")
    assert found > 100 and not lost


def test_beside_each_page_lies_its_twin_and_all_are_listed(pages):
    listed = (BOOK / "llms.txt").read_text(encoding="utf-8")
    assert listed.startswith("# Inside BERT\n")
    twins = re.findall(rf"\]\({Site.read(ROOT).book}([^)]*\.md)\)", listed)
    assert {f"{name[:-3]}.html" for name in twins} == set(pages) - NO_PAGES
    for name in twins:
        twin = (BOOK / name).read_text(encoding="utf-8")
        outside_code = re.sub(r"```.*?```|`[^`\n]*`", "", twin, flags=re.S)
        assert twin.startswith("# ") and not HTML.findall(outside_code), name
        for address in LINK.findall(outside_code):
            if not OUTSIDE.match(address):
                target, _ = inside(name, address)
                assert target.exists(), (name, address)
