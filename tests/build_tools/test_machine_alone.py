"""The machine alone, and the line that shows it on another site."""

from html import unescape
from types import SimpleNamespace

import pytest
from bs4 import BeautifulSoup

from build_tools.live import machine_alone

PAGE = """<html><head><title>A page &#8212; Inside BERT</title>
<script src="../_static/searchtools.js"></script>
<script src="../_static/live/0/machine.js"></script>
<script defer src="../_static/live/0/entry.js?v=1"></script></head><body><h1>Much</h1>
<section class="live" id="live-{kind}" data-live="{kind}" data-page="{{}}">
<p class="live-title">Live: {kind} <span>(the course model)</span></p></section>
<p>More</p></body></html>"""


@pytest.fixture
def built(tmp_path):
    """Build a page with a box; returns what stands there, and the box alone."""

    def build(kind="steps", address="", again=False):
        page = tmp_path / "chapters/a.html"
        page.parent.mkdir(exist_ok=True)
        if not again:
            page.write_text(PAGE.format(kind=kind))
        app = SimpleNamespace(
            builder=SimpleNamespace(name="html"),
            outdir=tmp_path,
            config=SimpleNamespace(html_baseurl=address),
            env=SimpleNamespace(found_docs=["chapters/a"]),
        )
        machine_alone.write(app, None)
        alone = tmp_path / f"_static/boxes/chapters-a-{kind}.html"
        return page.read_text(), BeautifulSoup(alone.read_text(), "html.parser")

    return build


def test_a_box_alone_has_its_files_and_a_way_to_its_page(built):
    page, alone = built()
    assert page == PAGE.format(kind="steps")  # nothing is published
    assert alone.select_one("#live-steps") and not alone.select_one("h1")
    assert alone.base["href"] == "../../chapters/a.html"
    link = alone.select_one("main > p a")  # from the base
    assert (link["href"], link.text) == ("a.html", "A page — Inside BERT")
    scripts = [script["src"] for script in alone.select("script")]
    assert scripts == [f"../_static/live/0/{name}.js" for name in ("machine", "entry")]
    assert alone.title.text == "Live: steps"


def test_a_published_page_has_one_line_that_shows_the_box(built):
    address = "https://ada.github.io/b/"
    built(address=address)
    page, alone = built(address=address, again=True)  # a page that was not written anew
    [told] = BeautifulSoup(page, "html.parser").select(".live > details.live-embed")
    frame = BeautifulSoup(unescape(told.textarea.text), "html.parser").iframe
    assert frame["src"] == f"{address}_static/boxes/chapters-a-steps.html"
    assert frame["title"] == "Live: steps" and "\n" not in told.textarea.text
    assert not alone.select(".live-embed")


def test_other_boxes_are_not_cut_out(built, tmp_path):
    with pytest.raises(FileNotFoundError):
        built("masked")
