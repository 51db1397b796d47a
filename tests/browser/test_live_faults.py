"""The live page where something is missing: it says so and the page goes on."""

import threading

import pytest

from tests.browser.live_model import (
    PAGES,
    assert_says,
    first_text,
    live_place,
    load,
    open_live,
    press_load,
)
from tests.browser.visit import open_page
from tests.file_server import FileServer

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(params=PAGES)
def kind(request):
    return request.param


def test_from_a_file_a_sentence_stands_beside_the_answer(open_tab, book, kind):
    visit = open_tab((book / PAGES[kind]).as_uri())
    place = live_place(visit, kind)
    assert "make serve" in place.locator(".live-note").inner_text()
    assert place.locator(".live-result").inner_text()
    assert place.get_by_role("button").count() == 0
    assert visit.errors == []


def test_without_scripts_and_in_print_the_answer_stays(chromium, server, kind):
    with chromium.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{server}/{PAGES[kind]}")
        place = page.locator(f"#live-{kind}")
        assert "With JavaScript" in place.inner_text()
        assert place.locator(".live-result").bounding_box()["height"] > 20
        assert not place.get_by_role("button").is_visible()
    with chromium.new_context() as context:
        page = open_page(context, f"{server}/{PAGES[kind]}").page
        page.emulate_media(media="print")
        assert not page.locator(f"#live-{kind} .live-start").is_visible()
        assert page.locator(f"#live-{kind} .live-result").is_visible()


def test_without_webassembly_a_sentence_stands_beside_the_answer(chromium, server):
    with chromium.new_context() as context:
        context.add_init_script("delete window.WebAssembly")
        visit = open_page(context, f"{server}/{PAGES['masked']}")
        place = live_place(visit, "masked")
        assert "no WebAssembly" in place.locator(".live-note").inner_text()
        assert place.get_by_role("button").count() == 0


FAULTS = {
    "refused": ("**/live/model-*", lambda route: route.fulfill(status=404), "404"),
    "cut": ("**/live/model-*", lambda route: route.abort(), "Is the network there?"),
    "short": ("**/live/model-*", lambda route: route.fulfill(body="x"), "damaged"),
    "no runtime": ("**/*.wasm.gz", lambda route: route.abort(), "network there?"),
    "no script": ("**/start.js", lambda route: route.abort(), "network there?"),
    "no worker": ("**/worker.js", lambda route: route.abort(), "could not be loaded"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_failed_download_gets_a_sentence_and_may_be_repeated(open_tab, server, fault):
    pattern, answer, sentence = FAULTS[fault]
    visit = open_live(open_tab, server, "masked")
    visit.page.route(pattern, answer)
    place = press_load(visit, "masked")
    assert_says(place, sentence)
    assert place.locator(".live-result").inner_text()
    visit.page.unroute(pattern)
    load(visit, "masked")


def test_loading_can_be_stopped_and_begun_again(open_tab, server):
    visit = open_live(open_tab, server, "masked")
    held = threading.Event()
    visit.page.route("**/live/model-*", lambda route: held.set())  # never answers
    place = press_load(visit, "masked")
    place.get_by_role("button", name="Stop").click()
    assert_says(place, "Loading was stopped.")
    visit.page.unroute("**/live/model-*")
    load(visit, "masked")
    assert [error for error in visit.errors if not error.startswith("failed: ")] == []


def test_want_of_memory_gets_a_sentence(open_tab, server):
    visit = open_live(open_tab, server, "masked")
    poor = (
        "WebAssembly.instantiate = async () => {\n"
        "  throw new RangeError('WebAssembly.Memory(): could not allocate memory');\n"
        "};\n"
    )

    def without_memory(route):
        response = route.fetch()
        route.fulfill(response=response, body=response.text() + poor)

    visit.page.route("**/worker.js", without_memory)
    place = press_load(visit, "masked")
    assert_says(place, "not enough memory")
    assert place.locator(".live-result").inner_text()


def test_what_was_loaded_works_without_a_network(chromium, book):
    """Another page does not fetch the model again; then the server stops, and the
    page answers, opens again and answers again."""

    files = FileServer(book)
    with chromium.new_context() as context:
        visit = open_page(context, f"{files.url}/{PAGES['masked']}")
        load(visit, "masked")
        again = open_page(context, f"{files.url}/{PAGES['attention']}")
        load(again, "attention")
        fetched = [url for url in again.requests if "model-" in url or ".wasm" in url]
        assert fetched == []
        kept = "caches.open('inside-bert-pages').then(c => c.match(location.href))"
        assert visit.settled(f"{kept}.then(found => found ? [] : ['not kept'])") == []
        files.stop()
        place = live_place(visit, "masked")
        first_text(place).fill("A [MASK] without a network.")
        assert_says(place, "Likeliest: ")
        assert visit.errors == again.errors == []
        visit.page.reload()
        first_text(load(visit, "masked")).fill("Another [MASK] without a network.")
        assert_says(place, "Likeliest: ")
