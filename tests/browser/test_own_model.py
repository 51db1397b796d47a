"""A checkpoint of the reader's own in the machine."""

import pytest
from playwright.sync_api import expect
from transformers import BertConfig

from build_tools.live import own_model
from build_tools.machine.page import PAGE
from helpers.models import load_bert
from tests.browser.accessibility import violations
from tests.browser.machine import load
from tests.browser.visit import PATIENCE
from tests.fixtures import save_random_bert

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def written(bert, folder):
    file = folder / "mine.safetensors"
    file.write_bytes(own_model.packed(bert))
    return file


@pytest.fixture
def own(open_tab, server):
    """The machine with its model loaded, on a sentence of the reader's own."""
    visit = open_tab(f"{server}/{PAGE}")
    load(visit.page)
    visit.page.get_by_label("Compare with").fill("")
    visit.page.get_by_label("Your sentence").fill("My sister drinks __.")
    return visit


def choose(visit, file):
    """Choose a file of the disk; returns where the page answers."""
    if not visit.page.locator(".models .panel").is_visible():
        visit.page.locator(".models summary").click()
    visit.page.locator("#own-model").set_input_files(file)
    return visit.page.locator(".models [role=status]")


def test_the_page_goes_over_to_the_readers_model_and_back(own, tiny, tmp_path, axe):
    file = written(tiny, tmp_path)
    said = choose(own, file)
    expect(said).to_contain_text("2 layers of 4 heads, 32 wide", timeout=PATIENCE)
    expect(said).to_contain_text("1.7 MB, read from your disk, nothing was sent")
    own.page.wait_for_function("machine.d.L === 2 && machine.d.H === 4")
    model = own.page.locator(".models summary")
    expect(model).to_contain_text("tiny-bert")
    assert own.page.locator(".col").count() == 3
    (tmp_path / "cut.bin").write_bytes(file.read_bytes()[:-1000])
    (tmp_path / "text.bin").write_text("No model at all, but a text.")
    for name, words in (("cut", "is not whole"), ("text", "not made for this page")):
        said = choose(own, tmp_path / f"{name}.bin")
        expect(said).to_contain_text(words)
        expect(said).to_contain_text("The model that was here goes on.")
        expect(model).to_contain_text("tiny-bert")
    own.page.get_by_role("button", name="Back to the course model").click()
    expect(model).to_contain_text("the course model")
    own.page.wait_for_function("machine.d.L === 6", timeout=PATIENCE)
    assert own.errors == []
    assert violations(own, axe) == []


def test_without_a_head_the_page_says_what_is_not_shown(
    own, headless_bert_folder, tmp_path
):
    file = written(load_bert(headless_bert_folder, "cpu"), tmp_path)
    said = choose(own, file)
    expect(said).to_contain_text("no head for masked words", timeout=PATIENCE)
    own.page.wait_for_function(
        "machine.d.guesses(machine.d.L, machine.s.row)[0][0] === '?'"
    )
    assert own.errors == []


def test_more_layers_than_can_be_drawn_are_refused(own, tmp_path):
    config = BertConfig(
        num_hidden_layers=13,
        hidden_size=24,
        num_attention_heads=2,
        intermediate_size=24,
    )
    deep = load_bert(save_random_bert(config, tmp_path / "deep"), "cpu")
    said = choose(own, written(deep, tmp_path))
    expect(said).to_contain_text(
        "13 layers; this page draws up to 12", timeout=PATIENCE
    )


def test_opening_a_model_can_be_stopped(own, tiny, tmp_path):
    own.page.route("**/worker.js", lambda route: None)  # never answers
    said = choose(own, written(tiny, tmp_path))
    expect(said).to_contain_text("Opening mine.safetensors")
    own.page.locator(".models").get_by_role("button", name="Stop").click()
    expect(said).to_contain_text("Opening mine.safetensors was stopped.")
    expect(said).to_contain_text("The model that was here goes on.")
    own.page.get_by_label("Your sentence").fill("My brother drinks __.")
    own.page.wait_for_function("machine.d.tokens.includes('brother')", timeout=PATIENCE)
    expect(own.page.locator(".models summary")).to_contain_text("the course model")
