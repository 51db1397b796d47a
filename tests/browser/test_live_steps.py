"""Step by step in Chromium: the numbers of PyTorch, and a way through by the keyboard.

Differences are relative to the largest absolute value of a tensor.
"""

import numpy as np
import pytest
from playwright.sync_api import expect

from build_tools.live.graph import LONGEST, OF_A_LAYER
from tests.browser.live_model import (
    PATIENCE,
    ask,
    assert_says,
    connect,
    first_text,
    live_place,
    load,
    open_live,
)
from tests.browser.test_live_model import ODD, sentences
from tests.live_tensors import read_by_head, tensors
from tests.touched_runs import with_eight_bits

pytestmark = pytest.mark.browser
STEPS = 16


@pytest.fixture(scope="module")
def rounded(bert):
    return with_eight_bits(bert)


def off(found, expected):
    """The largest difference, relative to the largest value."""
    found, expected = np.ravel(found), np.ravel(expected)
    assert found.shape == expected.shape
    return float(np.abs(found - expected).max() / np.abs(expected).max())


def short_sentences(bert):
    """Those that the live page reads whole."""
    texts = sentences()[len(ODD) :]
    return [text for text in texts if len(bert.tokenizer(text).tokens()) <= LONGEST]


def compared(visit, bert, n):
    """Return the largest difference of each tensor."""
    largest = {}
    for text in short_sentences(bert)[:n]:
        [answer] = ask(visit, [["steps", text, "", None]])
        found, told = answer["tensors"], tensors(bert, text)
        for name in OF_A_LAYER:
            for number, values in enumerate(told.pop(name)):
                told[f"{name}_{number}"] = values
        last = told["states"][-1, answer["piece"]]
        told["transformed"], logits = read_by_head(bert, last)
        best = bert.tokenizer.convert_ids_to_tokens(int(logits.argmax()))
        assert answer["guesses"][-1][0][0] == best, text
        assert found.keys() == told.keys()
        for name, values in told.items():
            kind = name.split("_")[0]
            largest[kind] = max(largest.get(kind, 0), off(found[name], values))
    return largest


@pytest.fixture
def visit(open_tab, server):
    visit = open_live(open_tab, server, "steps")
    connect(visit)
    return visit


def test_every_tensor_is_pytorchs_on_the_same_weights(visit, rounded):
    largest = compared(visit, rounded, 8)
    assert max(largest.values()) <= 1e-3, largest


def test_the_way_through_by_keys_and_by_choice(open_tab, server):
    visit = open_live(open_tab, server, "steps")
    static = live_place(visit, "steps").locator(".live-step h2").all_inner_texts()
    assert len(static) == STEPS
    place = load(visit, "steps")
    title, keys = place.locator(".live-step h2"), visit.page.keyboard
    seen = [title.inner_text()]
    place.get_by_role("button", name="Forward", exact=True).focus()
    for _ in range(STEPS - 1):
        keys.press("ArrowRight")
        seen.append(title.inner_text())
    assert seen == static
    keys.press("ArrowRight")
    expect(title).to_have_text(static[-1])
    keys.press("Home")
    expect(title).to_have_text(static[0])
    place.get_by_role("button", name="6, Scores").click()
    expect(title).to_have_text(static[5])
    expect(place.locator("[aria-current=step]")).to_have_text("6")
    shown = place.locator(".live-view table")
    before = shown.text_content()
    place.get_by_label("Layer", exact=True).select_option("0")
    expect(shown).not_to_have_text(before)
    before = shown.text_content()
    place.get_by_label("Head", exact=True).select_option("3")
    expect(shown).not_to_have_text(before)
    before = shown.text_content()
    place.get_by_label("Piece", exact=True).select_option("2")
    expect(shown).not_to_have_text(before, timeout=PATIENCE)
    assert visit.errors == []


def test_two_sentences_are_laid_over_each_other(open_tab, server):
    visit = open_live(open_tab, server, "steps")
    place = load(visit, "steps")
    place.get_by_role("button", name="16, Two sentences").click()
    expect(place.locator(".live-view")).to_contain_text("Guess: ")
    place.get_by_label("Second text").fill("Too short.")
    said = place.locator(".live-view")
    expect(said).to_contain_text("the same number", timeout=PATIENCE)
    place.get_by_label("Second text").fill("")
    expect(said).to_contain_text("Type a second sentence", timeout=PATIENCE)
    first_text(place).fill(" ")
    assert_says(place, "Type a text first")


def test_a_picture_can_be_kept_and_the_state_shared(open_tab, server):
    visit = open_live(open_tab, server, "steps")
    place = load(visit, "steps")
    place.get_by_role("button", name="5, A query").click()
    with visit.page.expect_download() as download:
        place.get_by_role("button", name="Save this picture").click()
    svg = download.value.path().read_text(encoding="utf-8")
    assert svg.startswith("<svg") and "http://www.w3.org/2000/svg" in svg
    assert svg.count("<title>") == 36
    place.get_by_label("Layer", exact=True).select_option("1")
    place.get_by_role("button", name="Link to this text").click()
    assert "step=products" in visit.page.url and "layer=1" in visit.page.url
    again = load(open_tab(visit.page.url), "steps")
    expect(again.locator(".live-step h2")).to_contain_text("A query times a key")
    expect(again.get_by_label("Layer", exact=True)).to_have_value("1")
