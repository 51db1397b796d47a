"""Attention views in Chromium: keyboard, print, lazy loading."""

import pytest

pytestmark = pytest.mark.browser
PAGE = "chapters/seeing-attention/index.html"

SHOWN_ROWS = """() => [...new Set([...document.querySelectorAll("#attention line")]
  .filter(line => getComputedStyle(line).visibility === "visible")
  .map(line => line.getAttribute("left-token-index")))]"""
HIDDEN = """() => [...document.querySelectorAll(".attention-view > *")].filter(
  e => ["iframe", "svg"].includes(e.localName) && e.getClientRects().length === 0
).map(e => e.localName)"""


def head_view_of(visit):
    assert visit.undrawn_views() == {}
    return next(frame for frame in visit.views() if frame.query_selector("body.head"))


@pytest.fixture(scope="module")
def visit(open_for_all, server):
    return open_for_all(f"{server}/{PAGE}")


def test_the_keyboard_does_what_the_mouse_does(visit):
    frame = head_view_of(visit)
    keyboard = visit.page.keyboard
    assert len(frame.evaluate(SHOWN_ROWS)) > 2
    frame.focus('#left [role="option"][tabindex="0"]')
    keyboard.press("ArrowDown")
    keyboard.press("ArrowDown")
    assert frame.evaluate(SHOWN_ROWS) == ["2"]
    keyboard.press("ArrowUp")
    assert frame.evaluate(SHOWN_ROWS) == ["1"]

    frame.focus('[role="checkbox"][tabindex="0"]')
    keyboard.press("Shift+Enter")
    states = "heads => heads.map(head => head.getAttribute('aria-checked'))"
    on = frame.eval_on_selector_all('[role="checkbox"]', states)
    assert on == ["true"] + ["false"] * (len(on) - 1)
    keyboard.press("ArrowRight")
    keyboard.press("Enter")
    on = frame.eval_on_selector_all('[role="checkbox"]', states)
    assert on[:3] == ["true", "true", "false"]
    visible = "lines => lines.filter(e => e.getAttribute('stroke-opacity') > 0).length"
    lines = frame.eval_on_selector_all("#attention line", visible)
    assert 0 < lines <= 2 * len(frame.query_selector_all("#left [role=option]")) ** 2


def test_print_and_pages_without_scripts_show_the_picture(visit, chromium, server):
    page = visit.page
    assert set(page.evaluate(HIDDEN)) == {"svg"}
    page.emulate_media(media="print")
    assert set(page.evaluate(HIDDEN)) == {"iframe"}
    with chromium.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{server}/{PAGE}")
        view = page.locator(".attention-view").first
        assert view.locator("svg").bounding_box()["height"] > 100
        assert view.locator("iframe").bounding_box() is None
