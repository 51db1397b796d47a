"""The machine in its window: without a model, with one, and in a frame elsewhere."""

import gzip

import pytest
from playwright.sync_api import expect

from build_tools.machine.page import PAGE
from tests.browser.accessibility import CONTRAST, RULES, violations
from tests.browser.machine import RUNS, UNTOLD, begin_to_load, load, said, state_of
from tests.browser.visit import PATIENCE, open_page
from tests.file_server import FileServer

pytestmark = pytest.mark.browser
WINDOWS = [(1440, 900), (1280, 720), (1024, 768)]
LOOKS = [
    (WINDOWS[0], "light"),
    (WINDOWS[0], "dark"),
    *((w, "light") for w in WINDOWS[1:]),
]
STATES = {
    "whole": "s=0",
    "embeddings": "s=1&open=embeddings",
    "layer": "s=0&open=4",
    "head": "s=2&open=3&head=7",
    "pair": "s=0&compare=1",
    "tour": "tour-7",
}
TALLER = """() => [document.documentElement.scrollHeight - innerHeight,
  document.documentElement.scrollWidth - innerWidth].filter(more => more > 0)"""


def test_keys_alone_lead_everywhere_and_each_state_is_said(opened, server):
    visit = opened()
    keys, seen = visit.page.keyboard, [said(visit).inner_text()]
    for key in ("ArrowRight", "ArrowRight", "ArrowUp", "ArrowLeft", "Escape"):
        keys.press(key)
        assert said(visit).inner_text() not in seen[-1:], key
        seen.append(said(visit).inner_text())
    assert state_of(visit)["open"] == -1
    focused = "document.activeElement.ariaLabel"
    keys.press("ArrowRight")
    keys.press("ArrowRight")
    assert visit.page.evaluate(focused) == "Open layer 0"
    keys.press("Tab")
    assert visit.page.evaluate(focused).startswith("Open head 0")
    keys.press("Enter")
    expect(said(visit)).to_contain_text("Head 0 of layer 0")
    for key in ("ArrowRight", "Escape"):  # each takes the focus along
        keys.press(key)
        assert visit.page.evaluate(focused).startswith("Open head 1")
    assert state_of(visit)["inHead"] is False
    assert visit.errors == [] and visit.outside_requests(server) == []
    assert not [url for url in visit.requests if "model-" in url or "wasm" in url]


@pytest.mark.parametrize("size, colours", LOOKS)
def test_every_state_fits_its_window_and_is_accessible(opened, axe, size, colours):
    visit = opened(size=size, color_scheme=colours)
    for name, state in STATES.items():
        visit.page.evaluate("state => (location.hash = state)", state)
        visit.page.wait_for_function(RUNS)
        assert visit.settled(TALLER) == [], name
        words = said(visit).text_content()
        assert len(words) > 40 and not UNTOLD.search(words), name
        if size == WINDOWS[0]:
            rules = CONTRAST if colours == "dark" else RULES
            assert violations(visit, axe, rules=rules) == [], name
    assert visit.errors == []


@pytest.mark.parametrize("width, colours", [(390, "light"), (320, "dark")])
def test_on_a_telephone_it_is_a_column_with_one_layer_open(opened, axe, width, colours):
    visit = opened(size=(width, 844), color_scheme=colours)
    bars = visit.page.locator(".layers .bar")
    for number in (0, 3, 5):
        bars.nth(number).click()
        visit.page.wait_for_function(RUNS)
        assert visit.page.locator(".bar[aria-expanded=true]").count() == 1
        assert visit.overflow() <= 0, number
    visit.page.locator(".tiles button").nth(2).click()
    expect(said(visit)).to_contain_text("Head 2 of layer 4")
    visit.page.wait_for_function(RUNS)
    assert visit.overflow() <= 0
    assert violations(visit, axe) == []
    visit.page.locator("#start").click()
    expect(visit.page.locator("#card")).to_contain_text("1 of 12")
    assert visit.overflow() <= 0 and visit.errors == []


def test_the_tour_is_left_taken_up_and_linked_to(opened):
    visit = opened("tour-1")
    card = visit.page.locator("#card")
    visit.page.evaluate("location.hash = 'tour-2'")
    expect(card).to_contain_text("2 of 12")
    visit.page.wait_for_function(RUNS)
    tops = visit.page.locator(".token").evaluate_all(
        "all => all.map(token => token.getBoundingClientRect().top)"
    )
    assert tops == sorted(set(tops)) and tops[0] > 100  # the pieces in their places
    for number in range(3, 13):
        visit.page.keyboard.press("ArrowRight")
        expect(card).to_contain_text(f"{number} of 12")
        assert visit.page.url.endswith(f"#tour-{number}")
        words = card.locator("p").first.inner_text()
        assert 60 < len(words) < 330 and not UNTOLD.search(words), number
        assert state_of(visit)["inHead"] is (number in (7, 8, 9)), number
    assert state_of(visit)["cmp"] is True
    card.get_by_role("button", name="Explore").click()
    assert state_of(visit)["touring"] == -1
    visit.page.go_back()  # no card is an entry of the history
    assert visit.errors == []


def test_a_link_opens_what_was_shared(opened):
    visit = opened(state := "s=3&side=1&row=2&open=5&head=6")
    again = opened(visit.page.url.split("#")[1])
    assert state_of(again) == state_of(visit)
    assert all(part in visit.page.url for part in state.split("&"))


def test_where_motion_is_reduced_nothing_moves(opened):
    visit = opened("s=0")
    visit.page.evaluate("machine.act.open(3)")
    assert visit.page.evaluate("machine.moving()") is False
    moving = opened("s=0", motion="no-preference")
    moving.page.evaluate("machine.act.open(3)")
    assert moving.page.evaluate("machine.moving()") is True


def test_it_is_light_before_the_model(opened, book, server):
    visit = opened("s=0&open=4&head=2")
    urls = {url.split("#")[0] for url in [visit.page.url, *visit.requests]}
    inside = [url.removeprefix(server).strip("/") for url in urls]
    sizes = {name: len(gzip.compress((book / name).read_bytes())) for name in inside}
    assert sum(sizes.values()) <= 300_000, sizes


def test_the_numbers_and_the_code_stand_beside_what_is_open(opened):
    visit = opened("s=0&open=4&head=2")
    visit.page.locator("#ask").click()
    drawer = visit.page.locator("#about")
    steps = drawer.locator("option").evaluate_all("all => all.map(one => one.value)")
    for step in steps:
        drawer.locator("select").select_option(step)
        assert drawer.locator("pre").count() == 1, step
        assert drawer.locator("td").count() > 5, step
        assert not UNTOLD.search(drawer.locator(".numbers").inner_text()), step
    assert drawer.locator("a[href]").count() >= 1
    visit.page.keyboard.press("Escape")
    expect(drawer).to_be_hidden()
    visit.page.get_by_label("Numbers of the weights").click()
    assert drawer.locator("select").input_value() == "weights"
    shown = drawer.locator("tr").last.locator("td").first.inner_text()
    weight = visit.page.evaluate("machine.d.weight(4, 2, machine.d.n - 1, 0)")
    assert float(shown) == pytest.approx(weight, abs=6e-4)


def test_a_sentence_of_ones_own_stays_in_the_page(opened, server, axe):
    visit = opened()
    load(visit.page)
    visit.page.get_by_label("Your sentence").fill("My sister plays the __.")
    visit.page.wait_for_function(
        "machine.d.tokens.includes('sister')", timeout=PATIENCE
    )
    expect(said(visit)).to_contain_text("the hidden word")
    visit.page.get_by_label("Compare with").fill("My sister reads the __.")
    visit.page.get_by_role("switch").click(timeout=PATIENCE)
    expect(said(visit)).to_contain_text("Two runs in one drawing")
    assert violations(visit, axe) == []
    words = visit.page.locator("form.own .said")
    visit.page.get_by_label("Your sentence").fill(" ")
    expect(words).to_contain_text("Type a text first", timeout=PATIENCE)
    visit.page.get_by_label("Your sentence").fill("The " + "very " * 40 + "old __ sat.")
    visit.page.wait_for_function("machine.full.n > 40", timeout=PATIENCE)
    expect(said(visit)).to_contain_text("Drawn are 22 of 47 pieces")
    kept = [url for url in visit.requests if "?" in url or "sister" in url]
    assert kept == visit.outside_requests(server) == [] == visit.errors
    text = visit.page.evaluate("decodeURIComponent(location.hash)")
    assert "old+[MASK]+sat" in text.replace("%20", "+")


def test_from_a_file_all_but_a_sentence_of_ones_own_works(opened, book):
    visit = opened("s=2&open=1", place=book.as_uri())
    assert "keys" in visit.page.evaluate("machine.d.tokens")
    expect(begin_to_load(visit.page)).to_contain_text("make serve")
    assert visit.errors == []


def test_without_a_script_a_still_with_words_leads_to_the_chapters(chromium, server):
    with chromium.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{server}/{PAGE}")
        assert page.locator("#still svg").is_visible()
        expect(page.locator("#still p").first).to_contain_text("runs through 6 layers")
        page.get_by_role("link", name="All steps as text").last.click()
        assert "bert-step-by-step" in page.url


SANDBOXES = {
    "": ("100%", True),
    ' sandbox="allow-scripts allow-same-origin"': ("420", True),
    ' sandbox="allow-scripts"': ("100%", False),
}


@pytest.mark.slow
@pytest.mark.parametrize("sandbox", SANDBOXES)
def test_one_line_shows_it_on_another_site(chromium, server, tmp_path, sandbox):
    """With or without a sandbox; what the sandbox refuses is said."""
    width, is_whole = SANDBOXES[sandbox]
    other = FileServer(tmp_path)
    (tmp_path / "index.html").write_text(
        f'<!doctype html><html lang="en"><title>Mine</title><iframe title="BERT" '
        f'src="{server}/{PAGE}" width="{width}" height="640"{sandbox}></iframe>'
    )
    with chromium.new_context(viewport={"width": 1300, "height": 700}) as context:
        visit = open_page(context, other.url.replace("127.0.0.1", "localhost"))
        frame = visit.page.locator("iframe").element_handle().content_frame()
        frame.wait_for_url(lambda url: url.endswith(PAGE), timeout=PATIENCE)
        frame.wait_for_function(RUNS, timeout=PATIENCE)
        if is_whole:
            load(frame)
        else:
            expect(begin_to_load(frame)).to_contain_text("by itself")
        assert [e for e in visit.errors if "favicon" not in e] == []
    other.stop()


@pytest.mark.slow
def test_where_storage_is_refused_it_runs(chromium, server):
    """As browsers that keep nothing for the frames of others do."""
    refuse = """for (const name of ["caches", "localStorage"])
      Object.defineProperty(window, name, {get() {
        throw new DOMException("refused", "SecurityError"); }});
      Object.defineProperty(navigator, "serviceWorker", {value: undefined});"""
    with chromium.new_context() as context:
        context.add_init_script(refuse)
        visit = open_page(context, f"{server}/{PAGE}")
        visit.page.wait_for_function(RUNS, timeout=PATIENCE)
        visit.page.locator("#theme").click()
        load(visit.page)
        assert visit.errors == []
