"""The attention views of the built book, in Chromium: drawn, answering, reachable."""

import pytest

from tests.browser.accessibility import violations

pytestmark = pytest.mark.browser

OPACITIES = """() => [...document.querySelectorAll("#attention line")].map(
  line => line.getAttribute("stroke-opacity"))"""
SHOWN_ROWS = """() => [...new Set([...document.querySelectorAll("#attention line")]
  .filter(line => getComputedStyle(line).visibility === "visible")
  .map(line => line.getAttribute("left-token-index")))]"""
HIDDEN = """() => [...document.querySelectorAll(".attention-view > *")].filter(
  e => ["iframe", "svg"].includes(e.localName) && e.getClientRects().length === 0
).map(e => e.localName)"""


def assert_views_work(visit, address):
    assert visit.undrawn_views() == {}
    frames = visit.views()
    for frame in frames:
        if frame.query_selector("body.head"):
            assert_layers_can_be_chosen(frame)
        else:
            assert_a_head_opens(frame)
        # The frame is as high as what it holds: nothing to scroll up and down.
        taller = "() => Math.max(0, document.body.scrollHeight - innerHeight) || []"
        assert visit.settled(taller, frame=frame) == []
    assert visit.errors == []
    assert visit.outside_requests(address) == []
    assert visit.overflow() <= 0


def assert_layers_can_be_chosen(frame):
    before = frame.evaluate(OPACITIES)
    values = "options => options.map(option => option.value)"
    layers = frame.eval_on_selector_all("#layer option", values)
    chosen = frame.input_value("#layer")
    frame.select_option("#layer", next(x for x in reversed(layers) if x != chosen))
    after = frame.evaluate(OPACITIES)
    assert len(before) == len(after) > 0
    assert before != after
    frame.select_option("#layer", chosen)
    assert frame.evaluate(OPACITIES) == before


def assert_a_head_opens(frame):
    assert not frame.query_selector(".detail")
    button = frame.query_selector('[role="button"][aria-label="Layer 1, head 1"]')
    button.click()
    assert frame.query_selector('.detail:text("Layer 1, Head 1")')
    assert button.get_attribute("aria-pressed") == "true"


def test_views_on_a_wide_screen_work_and_are_accessible(
    open_tab, server, view_page, axe
):
    visit = open_tab(f"{server}/{view_page}")
    assert_views_work(visit, server)
    for frame in visit.views():
        assert violations(visit, axe, frame) == []


def test_views_from_a_file_on_a_telephone_in_the_dark_work(open_tab, book, view_page):
    visit = open_tab((book / view_page).as_uri(), width=390, colours="dark")
    assert_views_work(visit, book.as_uri())


def head_view_of(visit):
    assert visit.undrawn_views() == {}
    return next(frame for frame in visit.views() if frame.query_selector("body.head"))


def test_the_keyboard_does_what_the_mouse_does(open_tab, server, first_view_page):
    visit = open_tab(f"{server}/{first_view_page}")
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


def test_views_load_when_they_come_into_sight(open_tab, server, first_view_page):
    visit = open_tab(f"{server}/{first_view_page}")
    places = visit.page.query_selector_all(".attention-view > iframe")
    asked = {url for url in visit.requests if "/views/" in url}
    assert len(asked) < len(places)
    visit.undrawn_views()
    asked = {url for url in visit.requests if "/views/" in url}
    assert len(asked) == len({place.get_attribute("src") for place in places})


def test_print_and_pages_without_scripts_show_the_picture(
    open_tab, chromium, server, first_view_page
):
    page = open_tab(f"{server}/{first_view_page}").page
    assert set(page.evaluate(HIDDEN)) == {"svg"}
    page.emulate_media(media="print")
    assert set(page.evaluate(HIDDEN)) == {"iframe"}
    with chromium.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{server}/{first_view_page}")
        view = page.locator(".attention-view").first
        assert view.locator("svg").bounding_box()["height"] > 100
        assert view.locator("iframe").bounding_box() is None


def test_a_view_without_its_script_or_its_labels_is_noticed(
    open_tab, server, first_view_page
):
    visit = open_tab("about:blank")
    visit.page.route("**/vendor/d3/*", lambda route: route.abort())
    visit.page.goto(f"{server}/{first_view_page}")
    assert "no lines" in str(visit.undrawn_views(seconds=1))

    visit = open_tab(f"{server}/{first_view_page}")
    frame = head_view_of(visit)
    frame.eval_on_selector("#layer", "select => select.removeAttribute('aria-label')")
    assert "layer" in str(visit.undrawn_views(seconds=1))
