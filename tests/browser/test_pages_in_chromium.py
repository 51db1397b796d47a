"""Every page of the built book in Chromium: whole, accessible, alone and offline.

A few, which have between them all that a page can have, are opened by `make test`; all
of them, in two looks that differ in all that a reader may change, by `make test-all`.
"""

import gzip
import time

import pytest

from tests.browser.accessibility import ARTICLE, CONTRAST, violations
from tests.browser.conftest import pages_of_the_book
from tests.browser.live_model import text_of

pytestmark = pytest.mark.browser

LIGHT_CARD = """() => [...document.querySelectorAll("[data-root-id]")].filter(plot => {
  let box = plot;
  const colour = () => getComputedStyle(box).backgroundColor;
  while (box.parentElement && colour() === "rgba(0, 0, 0, 0)") box = box.parentElement;
  const [red, green, blue] = colour().match(/\\d+/g);
  return Math.min(red, green, blue) < 200;
}).map(plot => plot.getAttribute("data-root-id"))"""


# On a dark page: [is a map, is turned dark] of each plot.
TURNED = """() => (window.Bokeh?.documents ?? []).flatMap(d => d.roots()).map(root => {
  const place = document.querySelector(`[data-root-id="${root.id}"]`);
  const isMap = (root.renderers ?? []).some(r => r.glyph?.type === "Rect");
  return [isMap, getComputedStyle(place.closest(".output")).filter !== "none"];
})"""


OPACITIES = """() => [...document.querySelectorAll("#attention line")].map(
  line => line.getAttribute("stroke-opacity"))"""


def assert_views_work(visit):
    assert visit.undrawn_views() == {}
    for frame in visit.views():
        if frame.query_selector("body.head"):
            assert_layers_can_be_chosen(frame)
        else:
            assert_a_head_opens(frame)
        # The frame is as high as what it holds: nothing to scroll up and down.
        taller = "() => Math.max(0, document.body.scrollHeight - innerHeight) || []"
        assert visit.settled(taller, frame=frame) == []


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


def assert_sound(visit, address):
    assert visit.undrawn_plots() == []
    assert visit.untypeset_formulas() == []
    assert_views_work(visit)
    assert visit.errors == []
    assert visit.outside_requests(address) == []
    assert visit.overflow() <= 0


def assert_accessible(visit, axe):
    assert violations(visit, axe, place=ARTICLE) == []
    kinds = {f.evaluate("document.body.className"): f for f in visit.views()}
    for frame in kinds.values():  # the views of one kind differ in their numbers
        assert violations(visit, axe, frame) == []


# The icons are those of a web font.
NO_ICON = """() => [...document.querySelectorAll("[class*='fa-']")]
  .filter(icon => getComputedStyle(icon, "::before").content === "none")
  .map(icon => icon.className)"""
ICONS_LOADED = """() => document.fonts.check('900 16px "Font Awesome 6 Free"')"""


SLIDER, SCATTER = '"name":"Slider"', '"name":"Scatter"'
THINGS = [
    SLIDER,
    SCATTER,
    'class="attention-view"',
    'class="picture"',
    'class="slide"',
    'class="math',
    'class="quiz"',
    'class="glossary',
    'class="citation-list"',
    "<figure",
    "<table",
    "data-live=",
]


THEME = "document.documentElement.dataset.theme"
PAGES = {name: text_of(name) for name in pages_of_the_book()}


def smallest_with(thing):
    """The address of the smallest page of the book that holds a text."""
    having = [name for name, text in PAGES.items() if thing in text]
    return min(having, key=lambda name: len(PAGES[name]), default="index.html")


def few():
    """The front and pages that have between them all that a page can have."""
    chosen = ["index.html"]
    texts = PAGES.values()
    for thing in sorted(THINGS, key=lambda thing: sum(thing in t for t in texts)):
        if not any(thing in PAGES[name] for name in chosen):
            chosen.append(smallest_with(thing))
    return [*dict.fromkeys(chosen)]


@pytest.mark.parametrize("name", few())
def test_a_page_on_a_wide_screen_works_and_is_accessible(open_tab, server, name, axe):
    visit = open_tab(f"{server}/{name}")
    assert_sound(visit, server)
    assert visit.page.evaluate(NO_ICON) == [] and visit.page.evaluate(ICONS_LOADED)
    assert_accessible(visit, axe)


@pytest.mark.slow
def test_a_page_from_its_file_works_on_a_telephone_in_the_dark_and_then_on_a_screen(
    open_tab, book, page_name, axe
):
    dark = {"size": (390, 900), "color_scheme": "dark"}
    visit = open_tab((book / page_name).as_uri(), **dark)
    assert_sound(visit, book.as_uri())
    assert visit.page.evaluate(THEME) == "dark"
    assert visit.page.evaluate(LIGHT_CARD) == []
    assert all(is_map != turned for is_map, turned in visit.page.evaluate(TURNED))
    assert violations(visit, axe, place=ARTICLE, rules=CONTRAST) == []
    visit.page.set_viewport_size({"width": 1280, "height": 900})
    visit.page.emulate_media(color_scheme="light")
    visit.page.evaluate(f"{THEME} = 'light'")
    assert visit.overflow() <= 0
    assert_accessible(visit, axe)


def test_a_plot_waits_for_scripts_that_come_late(open_tab, server):
    def late(route):
        time.sleep(1.5)
        route.continue_()

    address = f"{server}/{smallest_with(SLIDER)}"
    visit = open_tab(address, routes={"**/vendor/bokeh/*": late})
    assert visit.undrawn_plots() == visit.errors == []


# Where the first point of the page's first scatter lies in the window.
FIRST_POINT = """() => {
  const all = view => [view, ...(view.child_views ?? []).flatMap(all)];
  for (const plot of Bokeh.index.roots.flatMap(all)) {
    const points = plot.model.renderers?.find?.(r => r.glyph?.type === "Scatter");
    if (!points) continue;
    plot.el.scrollIntoView({block: "center"});
    const {x, y} = points.glyph, data = points.data_source.data;
    const box = plot.canvas_view.el.getBoundingClientRect();
    return {x: box.x + plot.frame.x_scale.compute(data[x.field][0]),
            y: box.y + plot.frame.y_scale.compute(data[y.field][0])};
  }
}"""
TOOLTIP = """() => {
  const texts = node => [...node.querySelectorAll("*")].flatMap(child => [
    ...(child.classList.contains("bk-Tooltip") ? [child.shadowRoot.textContent] : []),
    ...(child.shadowRoot ? texts(child.shadowRoot) : [])]);
  return texts(document).map(text => text.trim()).filter(text => text);
}"""


def test_scatter_tells_what_a_point_is_and_what_pages_share_is_light_and_fetched_once(
    open_tab, server, book
):
    visit = open_tab(f"{server}/{smallest_with(SCATTER)}")
    assert visit.undrawn_plots() == visit.untypeset_formulas() == []
    point = visit.page.evaluate(FIRST_POINT)
    visit.page.mouse.move(point["x"] - 3, point["y"])
    visit.page.mouse.move(point["x"], point["y"])
    assert visit.settled(f"() => ({TOOLTIP})().length ? [] : ['no tooltip']") == []
    names = [url.removeprefix(f"{server}/").split("?")[0] for url in visit.requests]
    names = [n for n in names if n.startswith("_static/") and "/views/" not in n]
    assert sorted(set(names)) == sorted(names)
    sizes = {name: len(gzip.compress((book / name).read_bytes())) for name in names}
    assert sum(sizes.values()) < 1_200_000, sizes
