"""The machine in a frame of another site."""

import re

import pytest
from playwright.sync_api import expect

from build_tools.live import machine_alone
from tests.browser.accessibility import violations
from tests.browser.live_model import PAGES, PATIENCE
from tests.browser.visit import open_page
from tests.file_server import FileServer

pytestmark = [pytest.mark.browser, pytest.mark.slow]
SANDBOX = ' sandbox="allow-scripts allow-same-origin"'
PAGE = PAGES["steps"]
FILE = machine_alone.address_of(PAGE.removesuffix(".html"), "steps")


@pytest.fixture
def shown(chromium, server, tmp_path):
    """Show it in a page of another server and site; returns the visit and frame."""
    other = FileServer(tmp_path)
    contexts = []

    def show(sandbox="", **look):
        (tmp_path / "index.html").write_text(
            '<!doctype html><html lang="en"><title>Mine</title><h1>My site</h1>'
            f'<iframe src="{server}/{FILE}" title="Live" width="100%" '
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


def assert_reads_a_text(visit, frame):
    """The model loads, and the machine draws a sentence of one's own."""
    frame.locator(".live-start button").click()
    text = frame.get_by_label("Text", exact=True)
    text.fill("A penguin swims in the [MASK].", timeout=PATIENCE)
    whole = frame.locator(".machine-wide")
    expect(whole).to_contain_text("penguin", timeout=PATIENCE)
    assert [e for e in visit.errors if "favicon" not in e] == []


@pytest.mark.parametrize("sandbox", ["", SANDBOX])
def test_it_runs_on_another_site(shown, sandbox):
    visit, frame = shown(sandbox)
    frame.locator(".machine-runs").wait_for()
    assert_reads_a_text(visit, frame)


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_it_is_accessible_and_fits_a_phone(shown, axe, colours):
    look = {"viewport": {"width": 390, "height": 800}, "color_scheme": colours}
    visit, frame = shown(**look)
    wide = "document.documentElement.scrollWidth - window.innerWidth"
    assert frame.evaluate(wide) <= 0
    assert violations(visit, axe, frame) == []


def test_where_storage_is_refused_it_runs(shown):
    """As browsers that keep nothing for the frames of others do."""
    refuse = """for (const name of ["caches", "localStorage"])
      Object.defineProperty(window, name, {get() {
        throw new DOMException("refused", "SecurityError"); }});
      Object.defineProperty(navigator, "serviceWorker", {value: undefined});"""
    visit, frame = shown()
    frame.evaluate(refuse)
    assert_reads_a_text(visit, frame)


def test_without_a_script_the_answer_and_a_way_to_the_chapter_stay(shown, server):
    _, frame = shown(java_script_enabled=False)
    assert frame.locator(".machine-map svg").first.is_visible()
    link = frame.locator("main > p a")
    with frame.page.context.expect_page() as chapter:
        link.click()
    assert chapter.value.url == f"{server}/{PAGE}"


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_the_line_is_reached_and_copied_by_keys(open_tab, server, axe, colours):
    """In a published book, whose pages the build has given the line."""

    def published(route):
        response = route.fetch()
        told = machine_alone.BOX.sub(
            lambda box: machine_alone.with_line(box, "a", "https://ada.example/b/"),
            response.text(),
        )
        route.fulfill(response=response, body=told)

    address = re.compile(f"{re.escape(PAGE)}$")
    look = {"width": 390, "colours": colours, "routes": {address: published}}
    visit = open_tab(f"{server}/{PAGE}", **look)
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
    assert violations(visit, axe, place="#live-steps") == []
