"""A checkpoint of the reader's own in the box of all steps."""

import pytest
from playwright.sync_api import expect

from build_tools.live import own_model
from helpers.models import load_bert
from tests.browser.accessibility import violations
from tests.browser.live_model import PATIENCE, first_text, load, open_live
from tests.browser.test_live_steps import compared
from tests.fixtures import save_random_bert
from tests.touched_runs import with_eight_bits

pytestmark = [pytest.mark.browser, pytest.mark.slow]
# As the box does it, with the test's own worker.
OPEN = """async () => {
  const page = JSON.parse(document.querySelector("#live-steps").dataset.page);
  const code = new URL(page.code, document.baseURI).href;
  const {connect} = await import(code + "model/client.js");
  const {opened} = await import(code + "model/own.js");
  const [chosen] = document.querySelector("#test-own").files;
  const {parts} = await opened(chosen, page.opens);
  const files = Object.fromEntries(Object.entries(page.files).map(([name, file]) =>
    [name, {...file, url: new URL(file.url, document.baseURI).href}]));
  const own = {...files, model: parts.graph, tokenizer: parts.tokenizer};
  window.live = connect(() => new Worker(code + "model/worker.js", {type: "module"}));
  await window.live.load(page.parts, own, () => {});
}"""
INPUT = """() => document.body.append(Object.assign(
  document.createElement("input"), {type: "file", id: "test-own"}))"""


def written(bert, folder):
    file = folder / "mine.safetensors"
    file.write_bytes(own_model.packed(bert))
    return file


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    """A random BERT Base."""
    from transformers import BertConfig

    folder = save_random_bert(BertConfig(), tmp_path_factory.mktemp("base"))
    return load_bert(folder, "cpu")


def choose(place, file):
    """Choose a file of the disk; returns where the box answers."""
    own = place.locator(".live-own")
    if not own.get_attribute("open"):
        own.locator("summary").click()
    own.locator("input").set_input_files(file)
    return own.locator("[role=status]")


def test_a_random_bert_base_has_the_numbers_of_pytorch(
    open_tab, server, base, tmp_path
):
    visit = open_live(open_tab, server, "steps")
    visit.page.evaluate(INPUT)
    visit.page.locator("#test-own").set_input_files(written(base, tmp_path))
    visit.page.evaluate(OPEN)
    largest = compared(visit, with_eight_bits(base), 4)
    assert max(largest.values()) <= 1e-3, largest


def test_the_box_goes_over_to_the_readers_model_and_back(
    open_tab, server, tiny, tmp_path, axe
):
    visit = open_live(open_tab, server, "steps")
    place = load(visit, "steps")
    first_text(place).fill("My sister drinks [MASK].")
    file = written(tiny, tmp_path)
    said = choose(place, file)
    expect(said).to_contain_text("2 layers of 4 heads, 32 wide", timeout=PATIENCE)
    expect(said).to_contain_text("1.7 MB, read from your disk, nothing was sent")
    expect(place.locator(".live-title")).to_contain_text("(tiny-bert")
    assert first_text(place).input_value() == "My sister drinks [MASK]."
    assert place.get_by_label("Layer", exact=True).locator("option").count() == 2
    assert place.get_by_role("button", name="Link to this text").count() == 1
    (tmp_path / "cut.bin").write_bytes(file.read_bytes()[:-1000])
    (tmp_path / "text.bin").write_text("No model at all, but a text.")
    for name, words in (("cut", "is not whole"), ("text", "not made for this page")):
        said = choose(place, tmp_path / f"{name}.bin")
        expect(said).to_contain_text(words)
        expect(said).to_contain_text("The model that was here goes on.")
        expect(place.locator(".live-title")).to_contain_text("(tiny-bert")
    place.get_by_role("button", name="Back to the course model").click()
    expect(place.locator(".live-title")).to_contain_text("(the course model)")
    layers = place.get_by_label("Layer", exact=True).locator("option")
    expect(layers).to_have_count(6)
    assert visit.errors == []
    assert violations(visit, axe, place="#live-steps") == []


def test_what_no_graph_is_leaves_the_model_that_was_there(
    open_tab, server, tiny, tmp_path
):
    """As a file whose bytes are damaged, or a browser short of memory, would."""
    place = load(open_live(open_tab, server, "steps"), "steps")
    content = bytearray(own_model.packed(tiny))
    start = 8 + int.from_bytes(content[:8], "little")
    content[start:] = bytes(len(content) - start)
    (tmp_path / "zeros.bin").write_bytes(content)
    said = choose(place, tmp_path / "zeros.bin")
    expect(said).to_contain_text("The model that was here goes on.", timeout=PATIENCE)
    first_text(place).fill("My sister drinks [MASK].")
    expect(place.locator(".live-view")).to_contain_text("sister", timeout=PATIENCE)


def test_without_a_head_the_box_says_what_is_not_shown(
    open_tab, server, headless_bert_folder, tmp_path
):
    visit = open_live(open_tab, server, "steps")
    place = load(visit, "steps")
    file = written(load_bert(headless_bert_folder, "cpu"), tmp_path)
    said = choose(place, file)
    expect(said).to_contain_text("no head for masked words", timeout=PATIENCE)
    expect(said).to_contain_text("no head for next sentences")
    place.get_by_role("button", name="15, The guess").click()
    expect(place.locator(".live-view")).to_contain_text("it guesses nothing")
    place.get_by_role("button", name="16, Two").click()
    expect(place.locator(".live-view")).to_contain_text("Guess: none")
    assert visit.errors == []
