"""The places of live widgets in pages: right answers, right addresses, plain text."""

import gzip
import hashlib
import json
import re
from html import unescape
from pathlib import Path
from types import SimpleNamespace

import pytest

from build_tools.live import live_page as page
from build_tools.live import maps, payload
from helpers.plotting import COLORS

LOADS = {
    name: {"url": f"live/{name}-0", "sent": 10**6 * size, "bytes": 10, "sha256": "0"}
    for size, name in enumerate(
        [
            "tokenizer",
            "tokenizers",
            "wasm",
            "ort",
            "model",
            "maps",
            "search",
            "snapshots",
        ],
        start=1,
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

    def write(kind, settings):
        still = {"fields": {"text": None}, "words": "", "output": "<p>answer</p>"}
        context = {
            "body": page.widget(tmp_path, kind, still | {"settings": settings}),
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


def test_the_settings_stay_in_their_attribute(widget):
    text = "\"><script>alert('1')</script>"
    html = widget("tokens", {"first": text})
    assert "<script" not in html and "&lt;script" in html
    assert data_of(html)["settings"]["first"] == text


def test_a_page_without_widgets_loads_nothing_of_them():
    app = SimpleNamespace(builder=SimpleNamespace(format="html"))
    context = {"body": "<p>Text</p>"}
    page.finish_page(app, "x", "page.html", context, None)
    assert context == {"body": "<p>Text</p>"}


def test_a_map_has_the_colours_of_the_plots(bert):
    sentences = [text.split() for text in ("the crane", "a crane ate", "his crane")]
    made = maps.sense_map(bert, ["tool", "bird", "tool"], sentences, [1, 1, 1])
    assert made["colors"] == COLORS[:2] and len(made["points"]) == 3


def test_the_maps_hold_the_courses_own_sentences_alone(monkeypatch):
    monkeypatch.setenv("COARSE_WSD_HOME", "/nowhere")
    with maps.sample_data():
        assert maps.load_coarse_wsd("crane").attrs["source"] == "sample"
    with pytest.raises(FileNotFoundError):
        maps.load_coarse_wsd("crane")


def test_an_answer_is_computed_once_for_the_same_scripts(tmp_path, monkeypatch):
    monkeypatch.setattr(payload, "digest", lambda: "0")
    answers = iter(["first", "second", "third"])

    def asked(mark, key):
        return payload.remembered(tmp_path, mark, key, lambda: next(answers))

    assert [asked("mark", "one"), asked("mark", "one")] == ["first", "first"]
    assert [asked("mark", "two"), asked("mark", "one")] == ["second", "first"]
    assert asked("other scripts", "one") == "third"


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


@pytest.mark.parametrize("backwards", [False, True])
def test_the_order_of_a_folder_changes_no_page(tmp_path, monkeypatch, backwards):
    names = ["maps-1.json", "model-1.onnx", "tokenizer-1.json"]
    folder = tmp_path / "_build/live/static/live"
    paths = [folder / name for name in names]
    folder.mkdir(parents=True)
    for path in paths:
        path.touch()
    found = paths[::-1] if backwards else paths
    monkeypatch.setattr(Path, "iterdir", lambda self: iter(found))
    assert [*payload.places(tmp_path)][:3] == ["maps", "model", "tokenizer"]
