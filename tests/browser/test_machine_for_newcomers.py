"""What a newcomer does with the machine, and what must not puzzle."""

import pytest
from playwright.sync_api import expect

from tests.browser.live_model import PATIENCE
from tests.browser.test_machine import RUNS, opened, said, state_of

__all__ = ["opened"]
pytestmark = pytest.mark.browser
INSIDE = """([inner, outer]) => {
  const box = element => element.getBoundingClientRect();
  const {left, top, right, bottom} = box(document.querySelector(outer));
  return [...document.querySelectorAll(inner)].map(box).filter(one => one.width &&
    (one.left < left - 1 || one.right > right + 1 || one.top < top - 1 ||
     one.bottom > bottom + 1)).length; }"""
# Whether a press on the last row's number, in a column, is one on the column.
HIT = """element => { const box = one => one.getBoundingClientRect();
  const {left, width} = box(element);
  const row = box([...document.querySelectorAll(".token")].at(-1));
  const found = document.elementFromPoint(left + width / 2, row.top + row.height / 2);
  return found === element; }"""

# How far the guesses of a telephone stand below the end of the lines.
LACKING = """() => document.querySelector(".last").offsetTop -
  document.querySelector("#column > canvas").offsetHeight"""


def test_back_closes_what_has_opened_and_stays_in_the_page(opened):
    visit = opened("s=0")
    page = visit.page
    page.evaluate("window.stays = true")
    page.locator(".col").nth(4).click()
    page.locator(".headtile").nth(2).click()
    expect(said(visit)).to_contain_text("Head 2 of layer 3")
    page.go_back()
    expect(said(visit)).to_contain_text("Layer 3: to a line")
    page.go_back()
    expect(said(visit)).to_contain_text("Followed:")
    page.go_forward()
    expect(said(visit)).to_contain_text("Layer 3: to a line")
    page.keyboard.press("Escape")  # goes back, too
    page.wait_for_function("history.state.machine.below === 0")
    page.locator("#start").click()
    page.wait_for_function("location.hash === '#tour-1'")
    page.go_back()
    page.wait_for_function("machine.s.touring < 0 && location.hash === '#s=0'")
    assert page.evaluate("window.stays") and visit.errors == []


def test_enter_loads_the_model_and_a_picture_of_another_text_is_said_to_be(opened):
    visit = opened("s=1")
    page, words = visit.page, visit.page.locator("form.own .said")
    page.locator(".tabs .own").click()
    page.get_by_label("Your sentence").fill("My sister drinks __.")
    expect(words).to_contain_text("The drawing still shows “The teacher works")
    expect(page.get_by_label("Compare with")).to_have_value("")
    expect(page.get_by_role("button", name="and run")).to_be_visible()
    page.get_by_label("Your sentence").press("Enter")
    page.wait_for_function("machine.d.tokens.includes('sister')", timeout=PATIENCE)
    expect(words).to_have_text("")
    page.get_by_label("Compare with").fill("My brother drinks __.")
    page.get_by_label("Your sentence").fill("My sister drinks some __.")
    expect(words).to_contain_text("only texts of as many", timeout=PATIENCE)
    page.locator(".models summary").click()
    page.keyboard.press("Escape")
    expect(page.locator(".models .panel")).to_be_hidden()
    page.locator(".models summary").click()
    page.locator("#caption").click()
    expect(page.locator(".models .panel")).to_be_hidden()
    page.get_by_label("Compare with").fill("")
    page.get_by_label("Your sentence").fill("It rains again.")
    page.wait_for_function("machine.d.tokens[machine.s.row] === 'again'")
    assert visit.errors == []


def test_each_column_of_a_head_leads_to_its_numbers_and_each_key_to_its_own(opened):
    visit = opened("s=0&open=4&head=5", size=(1280, 720))
    drawer = visit.page.locator("#about")
    for step in ("scores", "weights", "values"):
        column = visit.page.get_by_label(f"Numbers of the {step}")
        assert column.evaluate(HIT), step
    visit.page.get_by_label("Numbers of the scores").click()
    assert visit.page.evaluate(INSIDE, ["#about td", "#about .numbers"]) == 0
    visit.page.keyboard.press("Escape")
    for piece in ("she", "cup"):
        visit.page.get_by_label(f"Query times key of “{piece}”").click()
        expect(drawer.locator("thead")).to_contain_text(f"key of {piece}")
        visit.page.keyboard.press("Escape")
    expect(said(visit)).to_contain_text("Click a column for its numbers")


def test_on_a_telephone_a_head_opens_in_sight_and_every_button_of_the_tour_is_there(
    opened,
):
    visit = opened("s=0&open=4", size=(390, 844))
    page = visit.page
    page.locator(".tiles button").nth(1).click()
    expect(page.locator(".room canvas").last).to_be_in_viewport(ratio=0.95)
    page.get_by_role("button", name="Back to the layer").click()
    assert state_of(visit)["inHead"] is False
    page.evaluate("location.hash = 'tour-12'")
    expect(page.locator("#card")).to_contain_text("12 of 12")
    assert page.evaluate(INSIDE, ["#card button", "#card"]) == 0


def test_the_arrow_keys_take_the_focus_along(opened):
    visit = opened("s=0")
    focused = "document.activeElement.ariaLabel"
    visit.page.keyboard.press("ArrowRight")
    visit.page.keyboard.press("ArrowRight")
    assert visit.page.evaluate(focused) == "Open layer 0"
    visit.page.keyboard.press("Tab")
    assert visit.page.evaluate(focused).startswith("Open head 0")
    visit.page.keyboard.press("Enter")
    visit.page.keyboard.press("ArrowRight")
    assert visit.page.evaluate(focused).startswith("Open head 1")


def test_a_card_that_is_linked_to_puts_the_pieces_in_their_places(opened):
    visit = opened("tour-1")
    visit.page.evaluate("location.hash = 'tour-2'")
    expect(visit.page.locator("#card")).to_contain_text("2 of 12")
    visit.page.wait_for_function(RUNS)
    tops = visit.page.locator(".token").evaluate_all(
        "all => all.map(token => token.getBoundingClientRect().top)"
    )
    assert tops == sorted(set(tops)) and tops[0] > 100


def test_on_a_telephone_the_lines_go_on_below_an_open_head(opened):
    visit = opened("s=0&open=2", size=(390, 844))
    visit.page.locator(".tiles button").nth(1).click()
    visit.page.wait_for_function(RUNS)
    assert visit.page.evaluate(LACKING) < 10
