"""The places of live widgets in pages: right answers, right addresses, plain text."""

import gzip
import hashlib
import json
import re
from html import unescape
from types import SimpleNamespace

import numpy as np
import pytest

from build_tools.live import answers, maps, merges, page, payload
from build_tools.live.widgets import WIDGETS
from helpers.attention import heads_off
from helpers.plotting import COLORS

LOADS = {
    name: {"url": f"live/{name}-0", "sent": 10**6 * size, "bytes": 10, "sha256": "0"}
    for size, name in enumerate(
        ["tokenizer", "tokenizers", "wasm", "ort", "model", "maps", "search"], start=1
    )
}


@pytest.fixture
def widget(tmp_path, monkeypatch):
    """Write a widget into a page; returns the page's HTML."""
    monkeypatch.setattr(payload, "manifest", lambda root: LOADS)
    added = []
    app = SimpleNamespace(
        builder=SimpleNamespace(format="html"),
        add_js_file=lambda name, **options: added.append(name),
        add_css_file=added.append,
    )

    def write(kind, settings, answer="<p>answer</p>"):
        context = {
            "body": page.widget(tmp_path, kind, settings, answer),
            "pathto": lambda name, resource: f"../{name}",
        }
        page.finish_page(app, "chapters/x", "page.html", context, None)
        assert [name.rsplit("/")[-1] for name in added] == ["entry.js", "live.css"]
        return context["body"]

    return write


def data_of(html):
    return json.loads(unescape(re.search('data-page="([^"]*)"', html)[1]))


def test_a_page_names_what_a_widget_loads_and_its_size(widget):
    data = data_of(html := widget("masked", {"text": "A [MASK]."}))
    assert data["files"]["model"]["url"] == "../_static/live/model-0"
    assert data["code"] == f"../_static/{payload.code_folder()}/"
    assert data["settings"] == {"text": "A [MASK]."}
    assert "loads 15.0 MB" in html  # all but the maps


def test_what_needs_no_model_loads_nothing(widget):
    html = widget("merges", {"text": "a b", "rule": "ratio"})
    assert "Type your own</button>" in html and "course model" not in html


@pytest.mark.parametrize(("kind", "size"), [("tokens", "3.0"), ("senses", "21.0")])
def test_the_size_is_that_of_the_widgets_own_files(widget, kind, size):
    assert f"loads {size} MB" in widget(kind, {"word": "field"})


def test_a_file_is_described_by_what_it_unpacks_to(tmp_path):
    content = b"code " * 1000
    (tmp_path / "a.wasm.gz").write_bytes(gzip.compress(content))
    (tmp_path / "a.onnx").write_bytes(content)
    packed = payload.described("a", tmp_path / "a.wasm.gz")
    plain = payload.described("b", tmp_path / "a.onnx")
    assert packed["sha256"] == plain["sha256"] == hashlib.sha256(content).hexdigest()
    assert packed["bytes"] == plain["bytes"] == plain["sent"] == 5000
    assert packed["sent"] == (tmp_path / "a.wasm.gz").stat().st_size < 5000


@pytest.mark.parametrize("kind", WIDGETS)
def test_each_kind_has_a_script_and_what_it_draws_with(widget, kind):
    data = data_of(widget(kind, {"word": "field"}))
    assert f"widgets/{kind}.js" in data["scripts"]
    assert data["look"] == WIDGETS[kind].look
    assert set(WIDGETS[kind].texts) <= set(data["fields"])


def test_colours_are_those_of_the_plots(widget):
    assert data_of(widget("senses", {"word": "field"}))["look"]["colors"] == COLORS


def test_a_link_may_choose_the_words_that_the_page_has(widget):
    one = data_of(widget("senses", {"word": "field"}))["fields"]
    assert one == {"text": None, "word": ["field"]}
    every = WIDGETS["senses"].fields({"word": "crane", "choose": True})
    assert {"crane", "field", "seal"} < set(every["word"])


def test_the_settings_stay_in_their_attribute(widget):
    text = "\"><script>alert('1')</script>"
    html = widget("tokens", {"first": text})
    assert "<script" not in html
    assert data_of(html)["settings"]["first"] == text


def test_a_page_without_widgets_loads_nothing_of_them():
    app = SimpleNamespace(builder=SimpleNamespace(format="html"))
    context = {"body": "<p>Text</p>"}
    page.finish_page(app, "x", "page.html", context, None)
    assert context == {"body": "<p>Text</p>"}


def test_the_answers_before_loading_are_the_course_models(bert):
    text = "The [MASK] barked."
    [[(piece, share), *_]] = bert.predict_masked(text)
    assert f">{piece}<" in answers.masked(bert, text)
    assert f"{100 * share:.1f} %" in answers.masked(bert, text)
    share = bert.predict_next("One.", "Two.")
    assert f"{100 * share:.1f} %" in answers.next_sentence(bert, "One.", "Two.")
    table = answers.tokens(bert, "The cat.", "It sat.")
    pieces = re.findall("<td>(.*?)</td>", table)[: table.count("<td>") // 4]
    assert pieces == bert.tokenizer("The cat.", "It sat.").tokens()
    assert "Layer " in answers.attention(bert, "A cat sat.")


def test_the_board_shows_first_what_each_layers_heads_do(bert):
    text = "The [MASK] barked."
    html = answers.board(bert, text)
    lines = re.findall("<tr>(.*?)</tr>", html)
    assert len(lines) == 1 + bert.n_layers
    [[(piece, before), *_]] = bert.predict_masked(text)
    assert f"“{piece}”" in lines[0]
    with heads_off(bert, [(2, head) for head in range(bert.n_heads)]):
        [[(best, share), *_]] = bert.predict_masked(text)
        [rows] = bert.predict_masked(text, top=1000)
    layer, first, shown, change = re.findall("<t[hd].*?>(.*?)</t[hd]>", lines[3])
    assert (layer, first, shown) == ("layer 2", best, f"{100 * share:.1f} %")
    after = dict(rows)[piece]
    odds = [np.log(p / (1 - p)) for p in (before, after)]
    assert float(change.replace("−", "-")) == pytest.approx(odds[1] - odds[0], abs=0.01)


def test_no_text_of_an_answer_is_html(bert):
    text = "<b>field</b> & field"
    shown = [
        answers.tokens(bert, text),
        answers.masked(bert, f"{text} [MASK]"),
        answers.next_sentence(bert, text, text),
        answers.attention(bert, text),
        answers.board(bert, f"{text} [MASK]"),
        answers.senses(bert, text, "field", small_map(bert)),
        merges.merges(None, text),
    ]
    for html in shown:
        assert "<b>" not in html and "&lt;" in html


def small_map(bert):
    texts = ["the <b> field", "a field of corn", "his field"]
    sentences = [text.split() for text in texts]
    return maps.sense_map(bert, ["<b>", "farm", "farm"], sentences, [2, 1, 1])


def test_a_sentence_of_the_map_lies_where_the_map_has_it(bert):
    from helpers.embeddings import embed_words

    sense_map = small_map(bert)
    vector = embed_words(bert, ["a field of corn".split()], [1], (-1,), "float32")[0]
    at, cosines = maps.place(vector, sense_map)
    np.testing.assert_allclose(at, sense_map["points"][1]["at"], atol=1e-3)
    assert cosines.argmax() == sense_map["senses"].index("farm")


def test_the_map_of_the_word_field_has_its_eight_sentences():
    senses, sentences, positions = maps.eight_fields()
    assert len(senses) == 8
    rows = zip(sentences, positions, strict=True)
    assert {words[at] for words, at in rows} == {"field"}


def test_the_maps_hold_the_courses_own_sentences_alone(monkeypatch):
    monkeypatch.setenv("COARSE_WSD_HOME", "/nowhere")
    with maps.sample_data():
        assert maps.load_coarse_wsd("crane").attrs["source"] == "sample"
    with pytest.raises(FileNotFoundError):
        maps.load_coarse_wsd("crane")


def test_a_payload_that_cannot_be_made_leaves_nothing(tmp_path, monkeypatch):
    def contents():
        raise ValueError("too large")

    monkeypatch.setattr(payload, "digest", lambda: "0")
    monkeypatch.setattr(payload, "contents", contents)
    with pytest.raises(ValueError, match="too large"):
        payload.made_data(tmp_path)
    assert [*tmp_path.iterdir()] == []
    monkeypatch.setattr(payload, "contents", lambda: {"model.onnx": b"1"})
    [model] = payload.made_data(tmp_path).iterdir()
    assert model.parent.name == "data-0" and model.read_bytes() == b"1"
    assert [*tmp_path.iterdir()] == [model.parent]


def test_an_answer_is_computed_once(tmp_path, monkeypatch):
    monkeypatch.setattr(payload, "digest", lambda: "0")
    for _ in range(2):
        answer = payload.remembered(tmp_path, "key", lambda: "first")
        assert answer == "first"
        monkeypatch.setattr(payload, "as_json", None)


def test_a_build_that_copies_nothing_leaves_the_files_of_the_last_one(
    tmp_path, monkeypatch
):
    made, copied = tmp_path / "live/static/live", tmp_path / "html/_static/live"
    for folder in (made / "code-2", copied / "code-1", copied / "code-2"):
        folder.mkdir(parents=True)
    for file in (
        made / "model-2.onnx",
        copied / "model-1.onnx",
        copied / "model-2.onnx",
    ):
        file.touch()
    monkeypatch.setattr(payload, "make", lambda root: tmp_path / "live")
    config = SimpleNamespace(html_static_path=[], html_extra_path=[])
    app = SimpleNamespace(srcdir=tmp_path, outdir=tmp_path / "html", config=config)
    page.add_to_book(app)
    assert {path.name for path in copied.iterdir()} == {"code-2", "model-2.onnx"}
