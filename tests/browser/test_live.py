"""The live page in Chromium: it loads on a click, answers, and says what goes wrong."""

import re
from types import SimpleNamespace
from urllib.parse import unquote

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import LIVE, violations
from tests.browser.conftest import BOOK
from tests.browser.live_model import (
    PAGES,
    PLACES,
    QUESTIONS,
    assert_says,
    first_text,
    live_place,
    load,
    open_live,
)
from tests.browser.visit import PATIENCE, open_page

pytestmark = pytest.mark.browser

# A part of a page, its folds closed (a visit opens them), attributes by their names.
WRITTEN = """part => {
  const kept = part.cloneNode(true);
  for (const fold of kept.querySelectorAll("details")) fold.open = false;
  for (const one of kept.querySelectorAll("*"))
    for (const name of one.getAttributeNames().sort()) {
      const value = one.getAttribute(name);
      one.removeAttribute(name);
      one.setAttribute(name, value);
    }
  return kept.innerHTML;
}"""
STILL = ".live-one:first-child .live-still, .live-result > .live-still"
WORDS = ".live-one > .live-label, .live-note"
PAYLOAD = "<img src=x onerror='window.ran=1'> \"'><script>window.ran=1</script>"
WRONG = {
    "only spaces": (" \n ", re.compile("Type a (text|question) first")),
    "10,000 characters": ("x " * 5000, "10,000 characters"),
}
LONG = {"too many pieces": ("and so on " * 60, "pieces; the live page reads up to 128")}
READ_WHOLE = {"too many pieces": ("a b " * 400, "the live page reads up to 512")}
NOTHING_TO_JOIN = {
    "one letter": ("a", "There is nothing to join"),
    "no letters": ("? ! 🦩 7", "There is nothing to join"),
}


# The one widget that answers to no text is tested by itself (test_live_learning.py).
TYPED = [
    pytest.param(place, marks=[] if place in PAGES.items() else pytest.mark.slow)
    for place in PLACES
    if place[0] != "learning"
]


@pytest.fixture(scope="module")
def context(chromium):
    """One for all widgets: what was loaded for the first, the next have at hand."""
    with chromium.new_context(viewport={"width": 1280, "height": 900}) as context:
        yield context


@pytest.fixture(scope="module", params=TYPED, ids="-".join)
def loaded(request, context, server):
    """A loaded widget, with what the page showed before and what it shows now."""
    kind, page = request.param
    visit = open_page(context, f"{server}/{page}")
    place = live_place(visit, kind)
    still = place.locator(STILL).evaluate_all(f"all => all.map({WRITTEN})")
    words = place.locator(WORDS).first.evaluate("words => words.firstChild.data")
    asked = [url.removeprefix(server).split("?")[0] for url in visit.requests]
    load(visit, kind)
    yield SimpleNamespace(
        kind=kind,
        visit=visit,
        place=place,
        asked=asked,
        still=still,
        drawn=place.locator(".live-output").evaluate(WRITTEN),
        words=words,
        said=place.locator(".live-note").inner_text(),
        controls=CONTROLS.get(kind) if page == PAGES[kind] else None,
    )
    visit.page.close()


def test_a_page_loads_nothing_of_the_live_page_without_a_click(loaded, book):
    live = {name for name in loaded.asked if "/live/" in name or "onnx" in name}
    files = [name.rsplit("/")[-1] for name in live]
    assert sorted(files) == ["entry.js", "live.css"]
    assert sum((book / name.strip("/")).stat().st_size for name in live) < 11_500


def test_a_page_shows_what_its_widget_draws(loaded, server):
    """The answer to the text of the page, to the last character."""
    assert loaded.still == [loaded.drawn]
    words = loaded.words.removesuffix("Computed when the book was built. ")
    assert loaded.said == words.strip()
    assert loaded.visit.errors == []
    assert loaded.visit.outside_requests(server) == []
    assert loaded.visit.overflow() <= 0


def test_its_controls_do_what_they_say(loaded):
    """By click and by key; each leaves them, and this the text, as they were."""
    if loaded.controls is None:
        pytest.skip("it has a text alone, or another page tests them")
    kept = first_text(loaded.place).input_value()
    loaded.controls(loaded.visit, loaded.place)
    first_text(loaded.place).fill(kept)
    loaded.place.locator(".live-output > *").first.wait_for(timeout=PATIENCE)
    assert loaded.visit.errors == []


def test_wrong_input_gets_a_sentence_and_the_next_text_an_answer(loaded):
    kept = first_text(loaded.place).input_value()
    more = {"merges": NOTHING_TO_JOIN, "answers": READ_WHOLE}.get(loaded.kind, LONG)
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


def test_a_loaded_widget_is_accessible(loaded, axe):
    # After the tests of requests: axe asks for style sheets anew.
    assert violations(loaded.visit, axe, place=LIVE) == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["attention", "board", "learning"])
def test_a_widget_is_accessible_in_the_dark(open_tab, server, kind, axe):
    visit = open_live(open_tab, server, kind, size=(390, 900), color_scheme="dark")
    assert violations(visit, axe, place=LIVE) == []
    load(visit, kind)
    assert violations(visit, axe, place=LIVE) == []
    assert visit.overflow() <= 0


def test_several_sentences_are_answered_one_at_a_time_before_anything_is_loaded(
    open_tab, server
):
    visit = open_tab(f"{server}/index.html")
    visit.page.reload()  # as it comes: a visit has opened all folds
    ones = visit.page.locator(".live-one")
    said = []
    for number in range(ones.count()):
        if number:
            ones.nth(number).locator("summary").click()
        expect(ones.locator(".live-bars:visible")).to_have_count(1)
        expect(ones.nth(number).locator(".live-bars li")).to_have_count(5)
        said.append(ones.nth(number).locator(".live-label").inner_text())
    assert len(set(said)) == ones.count() == 5
    assert not [url for url in visit.requests if "onnx" in url]


def hide_words(visit, place):
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


def work_the_board(visit, place):
    walk_over_the_board(visit, place)
    guesses = place.locator(".live-panels .live-bars")
    all_on = place.get_by_role("button", name="All on")
    all_on.click()
    assert_says(place, "Nothing is touched")
    first = guesses.first.inner_text()
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
    place.get_by_label("Patch the piece").select_option("")


def walk_over_the_board(visit, place):
    keys, focused = visit.page.keyboard, place.locator(":focus")
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


def find_the_strongest_head(visit, place):
    said = place.locator(".live-output p")
    first_text(place).fill("The crane lifts a girder over the river.")
    place.get_by_label("Second text").fill("")
    for pattern in ("next word", "previous word"):
        place.get_by_label("Strongest head").select_option(pattern)
        expect(said).to_contain_text(f"Strongest for “{pattern}”", timeout=PATIENCE)
    place.get_by_label("Drawn as").select_option("matrix")
    cells = place.locator(".live-matrix rect").count()
    place.get_by_label("Looking token").select_option("2")
    assert 0 < place.locator(".live-matrix rect").count() < cells
    place.get_by_label("Strongest head").select_option("same word, other sentence")
    expect(said).to_contain_text("No token of this text")
    for name in ("Strongest head", "Drawn as"):
        place.get_by_label(name).select_option(index=0)


def choose_another_word(visit, place):
    word = place.get_by_label("Word", exact=True)
    before = word.input_value()
    word.select_option("seal")
    assert_says(place, "Nearest sense of “seal”")
    first_text(place).fill("Nothing of the kind.")
    assert_says(place, "The word “seal” is not in the text.")
    word.select_option(before)


def walk_through_merges(visit, place):
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
    expect(place.locator(".live-merges")).to_contain_text(" of 2 and 2, all ")


def ask_of_a_passage(visit, place):
    question, passage = place.get_by_label("Question"), place.get_by_label("Passage")
    marked, kept = place.locator("blockquote mark"), passage.input_value()
    passage.fill("The mill was built by Ann Lee in 1902. It stands in Bergen.")
    question.fill("Who built the mill?")
    expect(marked).to_have_text("Ann Lee", timeout=PATIENCE)
    assert_says(place, "Answer: “Ann Lee”. Lead ")
    expect(question).to_be_focused()
    visit.page.keyboard.press("Control+A")
    visit.page.keyboard.type("Who bought the ferry?")
    assert_says(place, "Declined: the best span, ")
    expect(marked).to_have_count(0)
    visit.page.keyboard.press("Tab")
    expect(passage).to_be_focused()
    passage.fill(" ")
    assert_says(place, "Type a passage first.")
    passage.fill(kept)


def ask_the_book(visit, place):
    cited = place.locator(".live-found li")
    expect(cited).to_have_count(1, timeout=PATIENCE)
    said = place.locator("mark").inner_text()
    assert said in place.locator(".live-note").inner_text()
    paragraph = place.locator("blockquote").inner_text()
    page = visit.page.context.new_page()
    page.goto(cited.locator("a").evaluate("link => link.href"))
    anchor = page.locator(f"[id='{page.url.split('#')[1]}']")
    assert paragraph[:60] in " ".join(anchor.inner_text().split())
    page.close()
    first_text(place).fill("Who is the mayor of Reykjavik?")
    assert_says(place, "Declined")
    expect(place.locator(".live-found li a")).to_have_count(3)
    assert place.locator("mark").count() == 0


def search_by_words(visit, place):
    """The theme finds in the page what the build has found."""
    from build_tools.book_search.by_words import ask_theme

    questions = [*QUESTIONS, "word vectors"]
    found = visit.page.evaluate(
        """questions => questions.map(question => Search._performSearch(
          ...Search._parseQuery(question)).reverse().map(([page]) => page))""",
        questions,
    )
    built = ask_theme(BOOK, questions)
    assert found == [[result["page"] for result in words["found"]] for words in built]
    assert any(found)
    first_text(place).fill("the of and")
    expect(place.locator(".live-output")).to_contain_text("Nothing: this search wants")
    broken = "() => { Search._performSearch = () => { throw new TypeError(); }; }"
    visit.page.evaluate(broken)
    first_text(place).fill("word vectors")
    expect(place.locator(".live-output")).to_contain_text("cannot answer this question")
    kept = "localStorage.getItem('sphinx_highlight_terms')"
    assert visit.page.evaluate(kept) is None  # else the next page would be marked


def follow_a_link(visit, place):
    """It carries the text in its fragment, which no server is told."""
    first_text(place).fill("50 % of “a&b” #1?")
    place.get_by_role("button", name="Link to this text").click()
    assert "50+%25" in visit.page.url.split("#", 1)[1]
    again = open_page(visit.page.context, visit.page.url)
    assert not [url for url in again.requests if "a&b" in unquote(url.split("#")[0])]
    assert first_text(load(again, "next")).input_value() == "50 % of “a&b” #1?"
    assert again.errors == []
    again.page.close()


CONTROLS = {
    "masked": hide_words,
    "board": work_the_board,
    "attention": find_the_strongest_head,
    "senses": choose_another_word,
    "merges": walk_through_merges,
    "answers": ask_of_a_passage,
    "book": ask_the_book,
    "search": search_by_words,
    "next": follow_a_link,
}
