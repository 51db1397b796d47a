"""Live boxes in frames of another site."""

import re

import pytest

from build_tools.live import boxes
from tests.browser.accessibility import violations
from tests.browser.live_model import PAGES, PATIENCE
from tests.browser.visit import open_page
from tests.file_server import FileServer

pytestmark = [pytest.mark.browser, pytest.mark.slow]
SANDBOX = ' sandbox="allow-scripts allow-same-origin"'


def file_of(kind):
    return boxes.address_of(PAGES[kind].removesuffix(".html"), kind)


@pytest.fixture
def shown(chromium, server, tmp_path):
    """Show a box in a page of another server and site; returns the visit and frame."""
    other = FileServer(tmp_path)
    contexts = []

    def show(kind, sandbox="", **look):
        (tmp_path / "index.html").write_text(
            '<!doctype html><html lang="en"><title>Mine</title><h1>My site</h1>'
            f'<iframe src="{server}/{file_of(kind)}" title="Live" width="100%" '
            f'height="600"{sandbox}></iframe>'
        )
        contexts.append(chromium.new_context(**look))
        site = other.url.replace("127.0.0.1", "localhost")
        visit = open_page(contexts[-1], f"{site}/index.html")
        frame = next(f for f in visit.page.frames if "boxes" in f.url)
        frame.wait_for_load_state("load")
        return visit, frame

    yield show
    for context in contexts:
        context.close()
    other.stop()


@pytest.mark.parametrize("kind", PAGES)
def test_a_box_runs_on_another_site(shown, kind):
    visit, frame = shown(kind, SANDBOX)
    frame.locator(".live-start button").click()
    frame.locator(".live-output > *").first.wait_for(timeout=PATIENCE)
    assert "theme’s search is not loaded" not in frame.locator(".live").inner_text()
    assert [e for e in visit.errors if "favicon" not in e] == []


@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize("kind", PAGES)
def test_a_box_alone_is_accessible_and_fits_a_phone(shown, axe, kind, colours):
    look = {"viewport": {"width": 390, "height": 800}, "color_scheme": colours}
    visit, frame = shown(kind, **look)
    wide = "document.documentElement.scrollWidth - window.innerWidth"
    assert frame.evaluate(wide) <= 0
    assert violations(visit, axe, frame) == []


def test_where_storage_is_refused_the_box_runs(shown, chromium):
    """As browsers that keep nothing for the frames of others do."""
    refuse = """for (const name of ["caches", "localStorage"])
      Object.defineProperty(window, name, {get() {
        throw new DOMException("refused", "SecurityError"); }});
      Object.defineProperty(navigator, "serviceWorker", {value: undefined});"""
    visit, frame = shown("masked")
    frame.evaluate(refuse)
    frame.locator(".live-start button").click()
    frame.locator(".live-output > *").first.wait_for(timeout=PATIENCE)
    assert [e for e in visit.errors if "favicon" not in e] == []


def test_without_a_script_the_answer_and_a_way_to_the_chapter_stay(shown, server):
    _, frame = shown("masked", java_script_enabled=False)
    assert frame.locator(".live-still").first.is_visible()
    link = frame.locator("main > p a")
    with frame.page.context.expect_page() as chapter:
        link.click()
    assert chapter.value.url == f"{server}/{PAGES['masked']}"


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_the_line_is_reached_and_copied_by_keys(open_tab, server, axe, colours):
    """In a published book, whose pages the build has given the line."""

    def published(route):
        response = route.fetch()
        told = boxes.BOX.sub(
            lambda box: boxes.with_line(box, "a", "https://ada.example/b/"),
            response.text(),
        )
        route.fulfill(response=response, body=told)

    address = re.compile(f"{re.escape(PAGES['masked'])}$")
    look = {"width": 390, "colours": colours, "routes": {address: published}}
    visit = open_tab(f"{server}/{PAGES['masked']}", **look)
    visit.page.locator("details.live-embed").evaluate("place => place.open = false")
    visit.page.locator(".live-embed summary").focus()
    visit.page.keyboard.press("Enter")
    visit.page.keyboard.press("Tab")
    visit.page.keyboard.press("Control+a")
    chosen = visit.page.evaluate("""() => {
      const {value, selectionStart, selectionEnd} = document.activeElement;
      return value.slice(selectionStart, selectionEnd); }""")
    assert chosen.startswith("<iframe src=") and chosen.endswith("</iframe>")
    assert visit.overflow() <= 0
    assert violations(visit, axe, place="#live-masked") == []
