"""The live page where something is missing: it says so and the page goes on."""

import os
import shutil

import pytest
from playwright.sync_api import expect

from tests.browser.live_model import (
    ONE_WORD,
    PAGES,
    PATIENCE,
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


@pytest.mark.parametrize("kind", PAGES)
def test_without_scripts_the_answer_stays(chromium, server, kind):
    with chromium.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{server}/{PAGES[kind]}")
        place = page.locator(f"#live-{kind}")
        assert "With JavaScript" in place.inner_text()
        assert place.locator(".live-result").bounding_box()["height"] > 20
        assert not place.locator(".live-start").is_visible()


@pytest.mark.parametrize(
    "script", ["delete window.WebAssembly", "WebAssembly.validate = () => false"]
)
def test_without_webassembly_a_sentence_stands_beside_the_answer(
    chromium, server, script
):
    """The script that asks is one for all widgets."""
    with chromium.new_context() as context:
        context.add_init_script(script)
        visit = open_page(context, f"{server}/{PAGES['masked']}")
        place = live_place(visit, "masked")
        assert "no WebAssembly" in place.locator(".live-note").inner_text()
        assert place.locator(".live-result").inner_text()
        assert not place.locator(".live-start").is_visible()


FAULTS = {
    "refused": ("**/live/model-*", lambda route: route.fulfill(status=404), "404"),
    "failing": ("**/live/model-*", lambda route: route.fulfill(status=503), "later"),
    "cut": ("**/live/model-*", lambda route: route.abort(), "Is the network there?"),
    "short": ("**/live/model-*", lambda route: route.fulfill(body="x"), "damaged"),
    "no runtime": ("**/*.wasm.gz", lambda route: route.abort(), "network there?"),
    "earlier build": (
        "**/start.js",
        lambda route: route.fulfill(status=404),
        "earlier build of the book; reload it",
    ),
    "no script": ("**/start.js", lambda route: route.abort(), "network there?"),
    "no vectors": ("**/live/search-*", lambda route: route.abort(), "network there?"),
    "no reader": ("**/live/answers-*", lambda route: route.abort(), "network there?"),
    "no worker": ("**/worker.js", lambda route: route.abort(), "could not be loaded"),
}


# What fails on one page, one after the other: from the first script to the model.
IN_TURN = {
    "masked": [
        "no script",
        "earlier build",
        "no worker",
        "no runtime",
        "cut",
        "short",
        "refused",
        "failing",
    ],
    "search": ["no vectors"],
    "answers": ["refused", "no reader"],
}


@pytest.mark.parametrize("kind", IN_TURN)
def test_a_failed_download_gets_a_sentence_and_may_be_repeated(open_tab, server, kind):
    visit = open_live(open_tab, server, kind)
    for fault in IN_TURN[kind]:
        pattern, answer, sentence = FAULTS[fault]
        visit.page.route(pattern, answer)
        place = press_load(visit, kind)
        assert_says(place, sentence)
        assert place.locator(".live-result").inner_text()
        visit.page.unroute(pattern)
    load(visit, kind)


def test_without_the_index_of_the_theme_meaning_is_searched(chromium, server):
    with chromium.new_context() as context:
        context.route("**/searchindex.js*", lambda route: route.abort())
        visit = open_page(context, f"{server}/{PAGES['search']}")
        place = load(visit, "search")
        panels = place.locator(".live-panels > div")
        assert panels.nth(0).locator("a").count() == 5
        expect(panels.nth(1)).to_contain_text("The theme’s search is not loaded.")


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


def test_a_kept_page_outlives_a_new_build_and_a_server_that_fails(
    chromium, book, tmp_path
):
    site = shutil.copytree(book, tmp_path / "site", copy_function=os.symlink)
    files = FileServer(site)
    with chromium.new_context() as context:
        before = load_and_keep(context, files, "masked")
        build_anew(site)
        after = load_and_keep(context, files, "attention")
        files.status = 503
        for visit, kind in ((before, "masked"), (after, "attention")):
            visit.page.reload()
            load(visit, kind)
    files.stop()


def load_and_keep(context, files, kind):
    visit = open_page(context, f"{files.url}/{PAGES[kind]}")
    load(visit, kind)
    kept = "caches.open('inside-bert-pages').then(c => c.match(location.href))"
    assert visit.settled(f"{kept}.then(found => found ? [] : ['not kept'])") == []
    return visit


def build_anew(site):
    """Give the model another name, here and in the pages."""
    [model] = site.glob("_static/live/model-*")
    name = "model-0123456789abcdef.onnx"
    model.rename(model.with_name(name))
    for page in site.rglob("*.html"):
        if model.name in (text := page.read_text(encoding="utf-8")):
            page.unlink()  # a link into the book
            page.write_text(text.replace(model.name, name), encoding="utf-8")


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


def test_a_link_that_the_browser_refuses_is_copied_or_said(open_tab, server):
    visit = open_live(open_tab, server, "tokens")
    place = load(visit, "tokens")
    button = place.get_by_role("button", name="Link to this text")
    button.wait_for(timeout=PATIENCE)
    visit.page.evaluate("() => { history.replaceState = () => { throw Error(); }; }")
    button.click()
    place.get_by_text("The link is copied.").wait_for()
    visit.page.evaluate(
        "() => { navigator.clipboard.writeText = () => { throw Error(); }; }"
    )
    button.click()
    place.get_by_text("neither copy the link nor show it").wait_for()


@pytest.mark.parametrize(
    ("kind", "file"), [("masked", "**/live/model-*"), ("tokens", "**/start.js")]
)
def test_loading_can_be_stopped_and_begun_again(open_tab, server, kind, file):
    visit = open_live(open_tab, server, kind)
    visit.page.route(file, lambda route: None)  # never answers
    place = press_load(visit, kind)
    place.get_by_role("button", name="Stop").click()
    assert_says(place, "Loading was stopped.")
    assert place.locator(".live-result").inner_text()
    visit.page.unroute(file)
    load(visit, kind)
    assert shown_parts(place) == [0, 1]
    assert [error for error in visit.errors if not error.startswith("failed: ")] == []


HOLD_NOTES = """() => {
  const open = caches.open.bind(caches);
  caches.open = async name => {
    if (name === "inside-bert-needs") await new Promise(go => (window.letGo = go));
    return open(name);
  };
  window.freeNotes = () => { caches.open = open; window.letGo(); };
}"""


def test_a_stop_before_the_first_file_is_asked_for_stops(open_tab, server):
    visit = open_live(open_tab, server, "tokens")
    visit.page.evaluate(HOLD_NOTES)
    place = press_load(visit, "tokens")
    visit.page.wait_for_function("() => window.letGo")
    place.get_by_role("button", name="Stop").click()
    visit.page.evaluate("() => window.freeNotes()")
    assert_says(place, "Loading was stopped.")
    visit.page.wait_for_timeout(1000)
    assert shown_parts(place) == [0, 0]
    load(visit, "tokens")
    assert shown_parts(place) == [0, 1]


WRONG_LINKS = {
    "another word": ("word=dog&text=the+dog+barked", "“dog” is not known here"),
    "another page": (None, "“masked”, which is not on this page; here is “senses”"),
}


@pytest.mark.parametrize("fault", WRONG_LINKS)
def test_a_link_that_does_not_fit_gets_a_sentence(open_tab, server, fault):
    link, sentence = WRONG_LINKS[fault]
    fragment = f"#live=senses&{link}" if link else "#live=masked&text=A+[MASK]."
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


def test_where_a_question_cannot_be_asked_no_earlier_answer_stays(open_tab, server):
    def broken(route):
        answer = route.fetch()
        asked = 'question: () => texts.values().first === "no" ? lost() : ['
        code = answer.text().replace("question: () => [", asked)
        route.fulfill(response=answer, body=code)

    visit = open_live(open_tab, server, "tokens")
    visit.page.route("**/widgets/tokens.js", broken)
    place = load(visit, "tokens")
    output = place.locator("[aria-busy], .live-pieces")
    expect(output.first).to_be_visible(timeout=PATIENCE)
    first_text(place).fill("no")
    assert_says(place, "Something went wrong in the live page")
    expect(output).to_have_count(0)
