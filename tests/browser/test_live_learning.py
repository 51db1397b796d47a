"""The training that the live page moves through: by keys, and where it cannot load."""

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import LIVE, violations
from tests.browser.live_model import assert_says, load, open_live

pytestmark = pytest.mark.browser


def test_keys_move_through_the_training_and_all_follows(open_tab, server, axe):
    visit = open_live(open_tab, server, "learning")
    place = load(visit, "learning")
    slider = place.get_by_label("Steps of training")
    expect(slider).to_be_focused()
    expect(slider).to_have_attribute("aria-valuetext", "After 0 steps")
    assert_says(place, "After 0 steps. Loss ")
    assert place.locator(".live-heads svg").count() == 8
    shown = ".live-bars", ".live-heads", ".live-curve >> nth=0", ".live-curve >> nth=1"
    parts = [place.locator(part) for part in shown]
    before = [part.inner_html() for part in parts]
    visit.page.keyboard.press("End")
    assert_says(place, "After 2600 steps. Loss ")
    after = [part.inner_html() for part in parts]
    assert not set(before) & set(after)
    visit.page.keyboard.press("ArrowLeft")
    assert_says(place, "After 2400 steps. Loss ")
    said = place.locator(".live-note").inner_text()
    sentence = place.get_by_label("Sentence")
    sentence.select_option(index=4)
    expect(place.locator(".live-label").first).to_contain_text("“shadows”")
    expect(place.locator(".live-note")).not_to_have_text(said)
    place.get_by_role("button", name="Link to this step").click()
    again = load(open_tab(visit.page.url), "learning")
    assert_says(again, "After 2400 steps")
    expect(again.get_by_label("Sentence")).to_have_value("4")
    slider.focus()
    visit.page.keyboard.press("Tab")  # into the maps, which scroll
    assert visit.errors == [] and visit.outside_requests(server) == []
    assert violations(visit, axe, place=LIVE) == []


def test_from_a_folder_a_sentence_says_what_it_needs(chromium, book):
    with chromium.new_context() as context:
        page = context.new_page()
        page.goto((book / "chapters/pretraining/index.html").as_uri())
        place = page.locator("#live-learning")
        assert place.locator(".live-still svg").count() == 8
        assert "make serve" in place.locator(".live-note").inner_text()
