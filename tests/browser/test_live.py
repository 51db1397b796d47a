"""The live page in Chromium: it loads on a click, answers, and says what goes wrong."""

from contextlib import contextmanager
from types import SimpleNamespace
from urllib.parse import unquote

import pytest
from playwright.sync_api import expect

from build_tools.live.payload import ROOT
from tests.browser.accessibility import violations
from tests.browser.live_model import (
    PAGES,
    PATIENCE,
    PLACES,
    assert_says,
    first_text,
    live_place,
    load,
    open_live,
)
from tests.browser.visit import open_page

pytestmark = pytest.mark.browser

# Keeps what a page shows of a widget before it is loaded.
KEEP = """place => {
  const still = ".live-still:not(:has([data-step])), .live-view";
  const shown = place.querySelectorAll(still);
  window.shown = [...shown].map(part => part.cloneNode(true));
  for (const part of window.shown) // which the visit has opened
    for (const fold of part.querySelectorAll("details")) fold.open = false;
  window.words = place.querySelector(".live-note").firstChild.data;
}"""
# What the widget draws otherwise, [[in the page, drawn], …]: its answer to the page's
# own text, or of the steps each of them.
OTHERWISE = """place => {
  const drawn = [];
  const steps = place.querySelectorAll(".live-steps [aria-label*=',']");
  const views = () => place.querySelector(".live-view") ??
    place.querySelector(".live-output");
  for (const part of window.shown) {
    if (place.querySelector(".live-view")) steps[drawn.length].click();
    drawn.push(views().cloneNode(true));
  }
  const same = (one, other) => {
    const [a, b] = [one, other].map(part => {
      const whole = document.createElement("div");
      whole.append(...part.cloneNode(true).childNodes);
      whole.normalize(); // a script may write a text of no letters
      return whole;
    });
    return a.isEqualNode(b);
  };
  return window.shown.flatMap((part, at) =>
    same(part, drawn[at]) ? [] : [[part.innerHTML, drawn[at].innerHTML]]);
}"""
LIVE = {"include": [["[data-live]"]]}
PARTS = (".live-start", ".live-result")
PAYLOAD = "<img src=x onerror='window.ran=1'> \"'><script>window.ran=1</script>"
WRONG = {
    "only spaces": (" \n ", "Type a text first"),
    "10,000 characters": ("x " * 5000, "10,000 characters"),
}
LONG = {"too many pieces": ("and so on " * 60, "pieces; the live page reads up to 128")}
NOTHING_TO_JOIN = {
    "one letter": ("a", "There is nothing to join"),
    "no letters": ("? ! 🦩 7", "There is nothing to join"),
}


@pytest.fixture(scope="module", params=PLACES, ids="-".join)
def loaded(request, chromium, server):
    """A loaded widget, with what the page did and showed before, and what differs.

    Tests that are marked `widget(kind)` take that of one kind; each begins by setting
    all that it reads.
    """
    kind, page = request.param
    with chromium.new_context(viewport={"width": 1280, "height": 900}) as context:
        visit = open_page(context, f"{server}/{page}")
        place = live_place(visit, kind)
        offered = place.locator(".live-start button").is_visible()
        asked = [url.removeprefix(server).split("?")[0] for url in visit.requests]
        visit.page.emulate_media(media="print")
        on_paper = {part: place.locator(part).is_visible() for part in PARTS}
        visit.page.emulate_media(media="screen")
        place.evaluate(KEEP)
        load(visit, kind)
        yield SimpleNamespace(
            kind=kind,
            visit=visit,
            place=place,
            offered=offered,
            asked=asked,
            on_paper=on_paper,
            text=first_text(place).input_value(),
            drawings=visit.page.evaluate("window.shown.length"),
            before=visit.page.evaluate("window.words"),
            after=place.locator(".live-note").inner_text(),
            otherwise=place.evaluate(OTHERWISE),
        )


def test_a_page_loads_nothing_of_the_live_page_without_a_click(loaded, server, book):
    assert loaded.offered
    live = [name for name in loaded.asked if "/live/" in name or "onnx" in name]
    assert sorted(name.rsplit("/")[-1] for name in live) == ["entry.js", "live.css"]
    assert sum((book / name.strip("/")).stat().st_size for name in live) < 11_000


def test_on_paper_the_answer_stays_and_the_button_goes(loaded):
    assert loaded.on_paper == {".live-start": False, ".live-result": True}


def test_a_page_shows_what_its_widget_draws(loaded, server):
    """The answer to the text of the page, to the last character."""
    assert loaded.otherwise == []
    assert loaded.drawings == (16 if loaded.kind == "steps" else 1)
    said = loaded.before.removesuffix("Computed when the book was built. ").strip()
    assert loaded.after == said
    assert loaded.visit.errors == []
    assert loaded.visit.outside_requests(server) == []
    assert loaded.visit.overflow() <= 0


def test_wrong_input_gets_a_sentence_and_the_next_text_an_answer(loaded):
    kept = first_text(loaded.place).input_value()
    more = NOTHING_TO_JOIN if loaded.kind == "merges" else LONG
    for text, sentence in (WRONG | more).values():
        first_text(loaded.place).fill(text)
        assert_says(loaded.place, sentence)
        assert loaded.place.locator(".live-output > *").count() == 0
        first_text(loaded.place).fill(kept)
        loaded.place.locator(".live-output > *").first.wait_for(timeout=PATIENCE)
    assert loaded.visit.errors == []


def test_what_a_reader_types_is_text_and_stays_in_the_page(loaded, server):
    visit, place = loaded.visit, loaded.place
    first_text(place).fill(f"{PAYLOAD} [MASK] crane field")
    shown = "script" if loaded.kind in ("tokens", "attention") else ""
    expect(place.locator(".live-output")).to_contain_text(shown, timeout=PATIENCE)
    place.locator(".live-output > *").first.wait_for(timeout=PATIENCE)
    assert place.locator("img, script").count() == 0
    assert visit.page.evaluate("window.ran") is None
    assert [url for url in visit.requests if "onerror" in unquote(url)] == []
    assert visit.outside_requests(server) == []
    assert visit.errors == []


def test_a_loaded_widget_is_accessible_and_fits_a_telephone_in_the_dark(loaded, axe):
    page = loaded.visit.page
    assert violations(loaded.visit, axe, place=LIVE) == []
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 390, "height": 900})
    ask_anew(loaded, "A crane, a [MASK] and a field.")  # which is drawn in the dark
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert violations(loaded.visit, axe, place=LIVE) == []
    assert loaded.visit.overflow() <= 0
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 1280, "height": 900})


def ask_anew(loaded, text):
    """Type a text and wait until the widget shows something else."""
    with another_answer(loaded):
        first_text(loaded.place).fill(text)


@contextmanager
def another_answer(loaded):
    output = loaded.place.locator(".live-output")
    before = output.inner_html()
    yield
    expect(output).not_to_have_text("", timeout=PATIENCE)
    loaded.visit.page.wait_for_function(
        "([kind, before]) => document.querySelector(`#live-${kind} .live-output`)"
        ".innerHTML !== before",
        arg=[loaded.kind, before],
        timeout=PATIENCE,
    )


LINKS = {
    "tokens": ("first=A+linked+text.", "A linked text."),
    "masked": ("text=A+linked+[MASK].", "A linked [MASK]."),
    "next": ("first=A+linked+text.&second=And+another.", "A linked text."),
    "attention": ("first=A+linked+text.&pattern=delimiter", "A linked text."),
    "board": ("text=A+linked+[MASK].&off=0.1&closed=0", "A linked [MASK]."),
    "senses": ("word=seal&text=A+linked+seal.", "A linked seal."),
    "merges": ("rule=likelihood&text=A+linked+text.", "A linked text."),
    "search": ("text=A+linked+text.", "A linked text."),
    "steps": ("text=A+linked+text.&other=", "A linked text."),
}


@pytest.mark.widget(*LINKS)
def test_a_link_opened_where_the_widget_runs_is_shown(loaded):
    page, place, (link, text) = loaded.visit.page, loaded.place, LINKS[loaded.kind]
    with another_answer(loaded):
        fragment = f"live={loaded.kind}&{link}"
        page.evaluate("hash => { location.hash = hash; }", fragment)
        expect(first_text(place)).to_have_value(text)
    assert place.locator(".live-link").inner_text() == ""
    if loaded.kind == "attention":
        assert place.get_by_label("Strongest head").input_value() == "delimiter"
    page.evaluate("location.hash = 'another-place'")
    expect(first_text(place)).to_have_value(text)
    assert loaded.visit.errors == []


@pytest.mark.widget("masked")
def test_words_are_hidden_by_a_click_and_by_the_keyboard(loaded):
    visit, place = loaded.visit, loaded.place
    first_text(place).fill("The farmer milked the cow.")
    assert_says(place, "Click a word to hide it")
    place.get_by_role("button", name="cow").click()
    expect(place.locator(".live-bars")).to_have_count(1)
    place.get_by_role("button", name="farmer").focus()
    visit.page.keyboard.press("Space")
    expect(place.locator(".live-bars")).to_have_count(2)
    expect(place.locator(".live-bars li")).to_have_count(10)
    assert_says(place, "Likeliest: ")
    place.get_by_role("button", name="cow").click()
    expect(place.locator(".live-bars")).to_have_count(1)


def untouched(loaded):
    """The board of the page's own text, with all heads on."""
    place = loaded.place
    ask_anew(loaded, "Nothing that a [MASK] has asked.")
    ask_anew(loaded, loaded.text)
    place.get_by_role("button", name="All on").click()
    for part in ("Close the column", "Patch the piece"):
        place.get_by_label(part).select_option("")
    assert_says(place, "Nothing is touched")
    return place


@pytest.mark.widget("board")
def test_the_board_switches_closes_and_patches(loaded):
    place = untouched(loaded)
    guesses = place.locator(".live-panels .live-bars")
    first, all_on = guesses.first.inner_text(), place.get_by_role("button", name="All")
    expect(guesses.last).to_have_text(first, use_inner_text=True)
    place.get_by_role("button", name="Layer 2, head 3 off").click()
    assert_says(place, "With 1 head off: ")
    place.get_by_role("button", name="Layer 2 off").click()
    pressed = place.locator("[aria-pressed=true]")
    expect(pressed).to_have_count(
        place.locator("tbody tr").nth(2).get_by_role("button").count()
    )
    place.get_by_label("Close the column").select_option("0")
    assert_says(place, "the column of 0 [CLS] closed: ")
    all_on.click()
    expect(pressed).to_have_count(0)
    place.get_by_label("Close the column").select_option("")
    assert_says(place, "Nothing is touched")
    place.get_by_label("Patch the piece").select_option("2")
    assert_says(place, " patched: ")
    expect(guesses.last).not_to_have_text(first, use_inner_text=True)
    expect(guesses.first).to_have_text(first, use_inner_text=True)
    assert loaded.visit.errors == []


@pytest.mark.widget("board")
def test_the_board_is_worked_by_keys(loaded):
    place, keys = untouched(loaded), loaded.visit.page.keyboard
    focused = place.locator(":focus")
    assert place.locator(".live-board [tabindex='0']").count() == 1
    place.get_by_role("button", name="All on").focus()
    keys.press("Tab")
    expect(focused).to_have_attribute("aria-label", "Layer 0, head 0 off")
    for key in ("ArrowUp", "ArrowDown", "ArrowRight", "Space"):
        keys.press(key)
    expect(focused).to_have_attribute("aria-label", "Layer 1, head 1 off")
    expect(focused).to_have_attribute("aria-pressed", "true")
    assert_says(place, "With 1 head off: ")
    keys.press("Home")
    expect(focused).to_have_attribute("aria-label", "Layer 1 off")
    keys.press("Control+End")
    last = place.locator(".live-board button").last
    expect(last).to_be_focused()
    keys.press("Tab")
    assert place.locator(".live-board :focus").count() == 0
    keys.press("Shift+Tab")
    expect(last).to_be_focused()


@pytest.mark.widget("board")
def test_a_link_carries_the_board(loaded, open_tab):
    place = untouched(loaded)
    place.get_by_role("button", name="Layer 0, head 0 off").click()
    place.get_by_label("Close the column").select_option("1")
    place.get_by_role("button", name="Link to this text").click()
    again = load(open_tab(loaded.visit.page.url), "board")
    assert_says(again, "With 1 head off, the column of 1 ")


@pytest.mark.widget("tokens")
def test_an_emoji_is_read_as_unknown(loaded):
    first_text(loaded.place).fill("🦩🦩 flamingo")
    assert_says(loaded.place, "1 unknown")


@pytest.mark.widget("attention")
def test_a_pattern_leads_to_its_strongest_head(loaded, bert):
    import numpy as np

    from helpers.attention import head_scores, read_attention
    from helpers.attention.patterns import pattern_targets

    text, place = "The crane lifts a girder over the river.", loaded.place
    place.get_by_label("First text").fill(text)
    place.get_by_label("Second text").fill("")
    reading = read_attention(bert, text)
    for pattern in ("next word", "previous word"):
        scores = head_scores(reading.attention, pattern_targets(reading)[pattern])
        best = np.unravel_index(scores.argmax(), scores.shape)
        place.get_by_label("Strongest head").select_option(pattern)
        expect(place.locator(".live-output p")).to_contain_text(
            f"Layer {best[0]}, head {best[1]}:", timeout=PATIENCE
        )
    place.get_by_label("Drawn as").select_option("matrix")
    cells = place.locator(".live-matrix rect").count()
    place.get_by_label("Looking token").select_option("2")
    assert 0 < place.locator(".live-matrix rect").count() < cells
    place.get_by_label("Strongest head").select_option("same word, other sentence")
    expect(place.locator(".live-output p")).to_contain_text("No token of this text")


def test_another_word_brings_its_own_map(open_tab, server):
    place = load(open_live(open_tab, server, "senses"), "senses")
    place.get_by_label("Word", exact=True).select_option("seal")
    assert_says(place, "Nearest sense of “seal”")
    first_text(place).fill("Nothing of the kind.")
    assert_says(place, "The word “seal” is not in the text.")


@pytest.mark.widget("merges")
def test_merges_are_walked_by_button_and_by_key(loaded):
    visit, place = loaded.visit, loaded.place
    place.get_by_label("Beside the count").select_option("ratio")
    step, marked = place.locator(".live-step"), place.locator("mark")
    first_text(place).fill("the moth, the moths")
    expect(step).to_contain_text("Before the first of ")
    expect(marked).to_have_count(0)
    place.get_by_role("button", name="Forward").click()
    expect(step).to_contain_text("Merge 1 of ")
    counted = place.locator(".live-panels > div").first
    assert counted.locator("mark").all_inner_texts() == ["##he", "##he"]
    expect(place.locator("tr[aria-current] td").first).to_have_text("##h ##e")
    visit.page.keyboard.press("ArrowRight")
    expect(step).to_contain_text("Merge 2 of ")
    visit.page.keyboard.press("ArrowLeft")
    visit.page.keyboard.press("End")
    last = step.inner_text()
    visit.page.keyboard.press("ArrowRight")
    expect(step).to_have_text(last)
    expect(counted.locator(".live-label")).to_contain_text("5 pieces for 5 words, 1.00")
    visit.page.keyboard.press("Home")
    expect(step).to_contain_text("Before the first of ")
    place.get_by_label("Beside the count").select_option("likelihood")
    expect(place.locator(".live-merges")).to_contain_text("ln(")
    assert visit.errors == []


@pytest.mark.widget("search")
def test_the_theme_finds_in_the_page_what_the_build_has_found(loaded, book):
    from build_tools.book_search import contest

    visit, place = loaded.visit, loaded.place
    questions = [q["text"] for q in contest.questions_of(ROOT)] + ["word vectors"]
    found = visit.page.evaluate(
        """questions => questions.map(question => Search._performSearch(
          ...Search._parseQuery(question)).reverse().map(([page]) => page))""",
        questions,
    )
    built = contest.ask_theme(book, questions)
    assert found == [[result.page for result in words.found] for words in built]
    assert any(found)
    first_text(place).fill("the of and")
    expect(place.locator(".live-output")).to_contain_text("Nothing: this search wants")
    first_text(place).fill("the constructor of a class")  # the theme's script throws
    expect(place.locator(".live-output")).to_contain_text("cannot answer this question")
    kept = "localStorage.getItem('sphinx_highlight_terms')"
    assert visit.page.evaluate(kept) is None  # else the next page would be marked


@pytest.mark.widget("next")
def test_a_link_carries_the_text_in_its_fragment(loaded, open_tab, server):
    visit, place = loaded.visit, loaded.place
    first_text(place).fill("50 % of “a&b” #1?")
    asked = len(visit.requests)
    place.get_by_role("button", name="Link to this text").click()
    address, fragment = visit.page.url.split("#", 1)
    assert address == f"{server}/{PAGES['next']}" and "50+%25" in fragment
    visit = open_tab(visit.page.url)
    assert not [url for url in visit.requests if "a&b" in unquote(url.split("#")[0])]
    assert first_text(load(visit, "next")).input_value() == "50 % of “a&b” #1?"
    assert visit.errors == [] and asked
