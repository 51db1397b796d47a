"""A checkpoint of the reader's own in the box of all steps."""

import numpy as np
import pytest
from playwright.sync_api import expect

from build_tools.live import own_model
from helpers.models import load_bert
from tests.browser.accessibility import violations
from tests.browser.live_model import PATIENCE, ask, first_text, load, open_live
from tests.browser.test_live_model import ODD, sentences
from tests.fixtures import save_random_bert
from tests.live_tensors import tensors
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


def compared(visit, bert, texts):
    """Return the largest difference of each tensor, relative to its largest value."""
    largest = {}
    for text in texts:
        questions = [[task, text] for task in ("attention", "mean")]
        attention, mean, steps = ask(visit, [*questions, ["steps", text, "", None]])
        found = {"attention": attention["weights"], "mean": mean["vector"]}
        found |= {name: steps["tensors"][name] for name in ("query", "key", "value")}
        told = tensors(bert, text)
        told["mean"] = told["states"][-1].mean(axis=0)
        for name, values in found.items():
            away = np.abs(values - told[name].ravel()).max() / np.abs(told[name]).max()
            largest[name] = max(largest.get(name, 0), float(away))
    return largest


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
    bert = with_eight_bits(base)
    texts = sentences()[len(ODD) :][:4]
    largest = compared(visit, bert, texts)
    assert max(largest.values()) <= 1e-3, largest
    hidden = "A cat sat on the [MASK]."
    [[found]] = ask(visit, [["masked", hidden]])
    [expected] = bert.predict_masked(hidden)
    assert [row["piece"] for row in found] == [piece for piece, _ in expected]


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
    piece = place.get_by_label("Piece", exact=True)
    expect(piece).to_contain_text("sister", timeout=PATIENCE)


def test_without_a_head_the_box_says_what_is_not_shown(
    open_tab, server, headless_bert_folder, tmp_path
):
    visit = open_live(open_tab, server, "steps")
    place = load(visit, "steps")
    file = written(load_bert(headless_bert_folder, "cpu"), tmp_path)
    said = choose(place, file)
    expect(said).to_contain_text("no head for masked words", timeout=PATIENCE)
    expect(said).to_contain_text("no head for next sentences")
    step = place.locator(".live-step:visible")
    for name in ("guesses", "layers"):
        visit.page.evaluate(f"location.hash = 'step-{name}'")
        expect(step).to_contain_text("?")
    assert visit.errors == []


def test_the_pages_sentences_are_read_by_the_readers_model(
    open_tab, server, tiny, tmp_path
):
    visit = open_live(open_tab, server, "steps")
    place = load(visit, "steps")
    said = choose(place, written(tiny, tmp_path))
    expect(said).to_contain_text("2 layers of 4 heads", timeout=PATIENCE)
    sentence = place.get_by_label("Sentence", exact=True)
    chosen = sentence.locator("option").last
    text = chosen.inner_text()
    sentence.select_option(chosen.get_attribute("value"))
    expect(first_text(place)).to_have_value(text)
    expect(sentence).to_have_value("own", timeout=PATIENCE)
    layers = place.get_by_label("Layer", exact=True).locator("option")
    expect(layers).to_have_count(2)
    visit.page.evaluate("location.hash = 'step-adds'")
    expect(place.locator(".live-step:visible")).to_contain_text("is not computed")
    assert visit.errors == []
