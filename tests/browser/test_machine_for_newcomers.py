"""What a newcomer does with the machine, and what must not puzzle."""

import pytest
from playwright.sync_api import expect

from tests.browser.machine import RUNS, begin_to_load, said, state_of
from tests.browser.visit import PATIENCE

pytestmark = pytest.mark.browser
MODEL = "**/live/model-*"
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


def test_a_failed_download_leaves_the_machine_and_enter_loads_the_model(opened):
    visit = opened("s=1")
    page = visit.page
    page.route(MODEL, lambda route: route.abort())
    words = begin_to_load(page)
    expect(words).to_contain_text("Is the network there?", timeout=PATIENCE)
    page.locator(".tabs button").nth(4).click()
    page.wait_for_function("machine.d.tokens.includes('plays')")
    page.unroute(MODEL)
    page.locator(".tabs button").nth(1).click()
    page.locator(".tabs .own").click()
    errors = len(visit.errors)
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
    assert len(visit.errors) == errors


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
    visit = opened("s=0&open=2", size=(390, 844))
    page = visit.page
    page.locator(".tiles button").nth(1).click()
    page.wait_for_function(RUNS)
    assert page.evaluate(LACKING) < 10  # the lines go on below it
    expect(page.locator(".room canvas").last).to_be_in_viewport(ratio=0.95)
    page.get_by_role("button", name="Back to the layer").click()
    assert state_of(visit)["inHead"] is False
    page.evaluate("location.hash = 'tour-12'")
    expect(page.locator("#card")).to_contain_text("12 of 12")
    assert page.evaluate(INSIDE, ["#card button", "#card"]) == 0
