"""The live page where something is missing: it says so and the page goes on."""

import pytest
from playwright.sync_api import expect

from tests.browser.live_model import (
    ONE_WORD,
    PAGES,
    assert_says,
    first_text,
    live_place,
    load,
    open_live,
    press_load,
)
from tests.browser.visit import PATIENCE, open_page
from tests.file_server import FileServer

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_without_scripts_the_answer_stays(chromium, server):
    with chromium.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{server}/{PAGES['masked']}")
        place = page.locator("#live-masked")
        assert "With JavaScript" in place.inner_text()
        assert place.locator(".live-result").bounding_box()["height"] > 20
        assert not place.locator(".live-start").is_visible()


# The first script and the model; what is told of other faults: live/test.
FAULTS = {"**/start.js": "network there?", "**/live/model-*": "Is the network there?"}


def test_a_failed_download_gets_a_sentence_and_may_be_repeated(open_tab, server):
    visit = open_live(open_tab, server, "masked")
    for pattern, sentence in FAULTS.items():
        visit.page.route(pattern, lambda route: route.abort())
        place = press_load(visit, "masked")
        assert_says(place, sentence)
        assert place.locator(".live-result").inner_text()
        visit.page.unroute(pattern)
    load(visit, "masked")


def test_what_was_loaded_works_without_a_network(chromium, book):
    """Another page does not fetch the model again; then the server stops, and the
    page answers, opens again and answers again."""

    files = FileServer(book)
    with chromium.new_context() as context:
        visit = load_and_keep(context, files, "masked")
        again = open_page(context, f"{files.url}/{PAGES['attention']}")
        load(again, "attention")
        fetched = [url for url in again.requests if "model-" in url or ".wasm" in url]
        assert fetched == []
        files.stop()
        place = live_place(visit, "masked")
        first_text(place).fill("A [MASK] without a network.")
        assert_says(place, "Likeliest: ")
        assert visit.errors == again.errors == []
        visit.page.reload()
        first_text(load(visit, "masked")).fill("Another [MASK] without a network.")
        assert_says(place, "Likeliest: ")


def load_and_keep(context, files, kind):
    visit = open_page(context, f"{files.url}/{PAGES[kind]}")
    load(visit, kind)
    kept = "caches.open('inside-bert-pages').then(c => c.match(location.href))"
    assert visit.settled(f"{kept}.then(found => found ? [] : ['not kept'])") == []
    return visit


def shown_parts(place):
    """How many loading bars and links to the text a widget has."""
    return [place.locator(part).count() for part in ("progress", ".live-share")]


def test_many_clicks_start_a_widget_once(open_tab, server):
    visit = open_live(open_tab, server, "next")
    visit.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    held = []  # what a slow network has not brought yet; None once it has
    visit.page.route(
        "**/start.js",
        lambda route: route.continue_() if held is None else held.append(route),
    )
    place = live_place(visit, "next")
    button = place.locator(".live-start button").element_handle()
    for _ in range(4):
        button.evaluate("button => button.click()")
        assert_says(place, "Loading the live page")
        assert shown_parts(place) == [1, 0]
    visit.page.wait_for_timeout(200)
    waiting, held = held, None
    for route in waiting:
        route.continue_()
    place.locator(".live-output > *").first.wait_for(timeout=PATIENCE)
    visit.page.wait_for_timeout(1000)
    assert shown_parts(place) == [0, 1]
    place.get_by_label("First text").fill("What was typed last.")
    place.get_by_role("button", name="Link to this text").click()
    place.get_by_text("The link is copied").wait_for()
    copied = visit.page.evaluate("navigator.clipboard.readText()")
    assert copied == visit.page.url and "What+was+typed+last." in copied


def test_loading_can_be_stopped_and_begun_again(open_tab, server):
    visit = open_live(open_tab, server, "masked")
    visit.page.route("**/live/model-*", lambda route: None)  # never answers
    place = press_load(visit, "masked")
    place.get_by_role("button", name="Stop").click()
    assert_says(place, "Loading was stopped.")
    assert place.locator(".live-result").inner_text()
    visit.page.unroute("**/live/model-*")
    load(visit, "masked")
    assert shown_parts(place) == [0, 1]
    assert [error for error in visit.errors if not error.startswith("failed: ")] == []


def test_a_link_that_does_not_fit_gets_a_sentence(open_tab, server):
    fragment = "#live=senses&word=dog&text=the+dog+barked"
    sentence = "“dog” is not known here"
    visit = open_tab(f"{server}/{ONE_WORD}{fragment}")
    place = live_place(visit, "senses")
    said = place.locator(".live-link")
    expect(said).to_contain_text(sentence)
    expect(said).to_be_in_viewport()
    load(visit, "senses")
    expect(said).to_contain_text(sentence)
    assert_says(place, "Nearest sense of “field”")  # in the page's own text
    first_text(place).fill("They left the field at noon.")
    expect(said).to_have_text("")
    visit.page.evaluate("location.hash = ''")
    visit.page.evaluate("hash => { location.hash = hash; }", fragment)
    expect(said).to_contain_text(sentence)
    expect(first_text(place)).to_have_value("They left the field at noon.")
    assert visit.errors == []
