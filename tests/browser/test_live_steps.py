"""Step by step in Chromium: the machine without a model, and with one's own text."""

import gzip

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import violations
from tests.browser.live_model import (
    PAGES,
    PATIENCE,
    assert_says,
    first_text,
    live_place,
    load,
    open_live,
    press_load,
)

pytestmark = pytest.mark.browser
STEPS = 15
LIVE = {"include": [["[data-live]"]]}
# What each step shows, whatever is unfolded and the order of attributes.
VIEWS = """place => {
  const told = node => node.nodeType === 3 ? node.data : [node.tagName,
    [...node.attributes].filter(({name}) => name !== "open")
      .map(({name, value}) => `${name}=${value}`).sort().join(),
    ...[...node.childNodes].filter(node => node.data !== "").map(told)];
  return [...place.querySelectorAll(".live-view")].map(told);
}"""
MOVING = "() => document.getAnimations().length"
MODEL = "**/live/model-*"


@pytest.fixture
def visit(open_tab, server):
    return open_live(open_tab, server, "steps")


def shown(place):
    return place.locator(".live-step:visible h2")


def test_the_tour_is_walked_by_keys_and_its_stills_are_what_it_draws(
    chromium, server, visit
):
    with chromium.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{server}/{PAGES['steps']}")
        still = page.locator("#live-steps")
        titles = still.locator(".live-step:visible h2").all_inner_texts()
        assert len(titles) == STEPS and still.locator(".machine-map svg").is_visible()
        pictures = still.evaluate(VIEWS)
    place, keys = live_place(visit, "steps"), visit.page.keyboard
    seen = [shown(place).inner_text()]
    place.get_by_role("button", name="Next", exact=True).focus()
    for number in range(STEPS - 1):
        keys.press("ArrowRight")
        seen.append(shown(place).inner_text())
        assert place.locator(".machine-wide .lit").count(), seen[-1]
        assert visit.page.url.endswith(f"#step-{place.evaluate(STEP)}"), number
    assert seen == titles
    assert place.evaluate(VIEWS) == pictures
    keys.press("Home")
    expect(shown(place)).to_contain_text(titles[0])
    place.get_by_label("Step", exact=True).select_option(index=6)
    expect(shown(place)).to_contain_text(titles[6])
    assert visit.errors == []


STEP = "place => place.querySelector('.live-step:not([hidden])').dataset.step"


def test_five_sentences_and_every_choice_need_no_model(visit):
    place = live_place(visit, "steps")
    place.get_by_label("Step", exact=True).select_option("weights")
    view = place.locator(".live-step:visible .live-view")
    for label, value in {
        "Sentence": "3",
        "Piece": "2",
        "Layer": "0",
        "Head": "5",
    }.items():
        before = view.inner_html()
        place.get_by_label(label, exact=True).select_option(value)
        assert view.inner_html() != before, label
    assert place.get_by_label("Sentence").locator("option").count() == 5
    place.locator(".machine-wide [data-layer='4'] [data-head='7']").click()
    expect(shown(place)).to_contain_text("The score of each pair")
    expect(place.get_by_label("Layer", exact=True)).to_have_value("4")
    expect(place.get_by_label("Head", exact=True)).to_have_value("7")
    assert not [url for url in visit.requests if "model-" in url or "wasm" in url]
    assert visit.errors == []


def test_the_page_is_light(book, visit, server):
    urls = [visit.page.url, *visit.requests]
    own = {
        url.split("?")[0].split("#")[0]
        for url in urls
        if PAGES["steps"] in url or "/live/" in url or "/machine/" in url
    }
    sizes = {
        u: len(gzip.compress((book / u.removeprefix(server).strip("/")).read_bytes()))
        for u in own
    }
    assert len(sizes) == 6 and sum(sizes.values()) <= 300_000, sizes


def test_what_moves_can_be_stilled(visit):
    place = live_place(visit, "steps")
    visit.page.emulate_media(reduced_motion="reduce")
    visit.page.reload()
    place.get_by_label("Step", exact=True).select_option("products")
    assert visit.page.evaluate(MOVING) == 0
    visit.page.emulate_media(reduced_motion="no-preference")
    place.get_by_label("Step", exact=True).select_option("mixed")
    assert visit.page.evaluate(MOVING) > 5


@pytest.mark.parametrize("size", [(390, 844), (320, 256)])
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_it_fits_a_phone_and_400_percent_and_is_accessible(
    open_tab, server, axe, colours, size
):
    visit = open_live(open_tab, server, "steps", width=size[0], colours=colours)
    visit.page.set_viewport_size({"width": size[0], "height": size[1]})
    place = live_place(visit, "steps")
    assert place.locator(".machine-rail").is_visible()
    for step in ("pieces", "mixed", "heads"):
        place.get_by_label("Step", exact=True).select_option(step)
        assert visit.overflow() <= 0, step
        assert violations(visit, axe, place=LIVE) == [], step


def test_from_a_file_all_but_a_text_of_ones_own_works(chromium, book):
    with chromium.new_context() as context:
        page = context.new_page()
        page.goto((book / PAGES["steps"]).as_uri() + "#step-scores")
        place = page.locator("#live-steps")
        expect(shown(place)).to_contain_text("The score of each pair")
        place.get_by_label("Sentence").select_option("2")
        expect(place.locator(".machine-wide")).to_contain_text("cup")
        assert "make serve" in place.locator(".live-note").inner_text()


def test_a_failed_download_leaves_the_machine(visit):
    visit.page.route(MODEL, lambda route: route.abort())
    place = press_load(visit, "steps")
    assert_says(place, "Is the network there?")
    place.get_by_label("Sentence").select_option("4")
    expect(place.locator(".machine-wide")).to_contain_text("plays")
    visit.page.unroute(MODEL)
    load(visit, "steps")


def test_two_sentences_are_laid_over_each_other(visit):
    place = load(visit, "steps")
    place.get_by_label("Step", exact=True).select_option("parting")
    said = place.locator(".live-step:visible .live-view")
    expect(said).to_contain_text("Guess here: ")
    place.get_by_label("Second text").fill("Too short.")
    expect(said).to_contain_text("the same number", timeout=PATIENCE)
    place.get_by_label("Second text").fill("")
    expect(said).to_contain_text("Type a second sentence", timeout=PATIENCE)
    place.get_by_label("Step", exact=True).select_option("adds")
    expect(said).to_contain_text("Log-odds of", timeout=PATIENCE)
    before = place.locator(".machine-wide").get_attribute("aria-label")
    place.get_by_label("Piece", exact=True).select_option("2")
    whole = place.locator(".machine-wide")
    expect(whole).not_to_have_attribute("aria-label", before, timeout=PATIENCE)
    first_text(place).fill(" ")
    assert_says(place, "Type a text first")
    assert visit.errors == []


def test_a_picture_can_be_kept_and_the_state_shared(open_tab, visit):
    place = load(visit, "steps")
    place.get_by_label("Step", exact=True).select_option("products")
    with visit.page.expect_download() as download:
        place.get_by_role("button", name="Save this picture").click()
    svg = download.value.path().read_text(encoding="utf-8")
    assert svg.startswith("<svg") and "http://www.w3.org/2000/svg" in svg
    place.get_by_label("Layer", exact=True).select_option("1")
    place.get_by_role("button", name="Link to this text").click()
    assert "step=products" in visit.page.url and "layer=1" in visit.page.url
    again = live_place(open_tab(visit.page.url), "steps")  # the sentence is of the page
    expect(shown(again)).to_contain_text("A query meets a key")
    expect(again.get_by_label("Layer", exact=True)).to_have_value("1")
