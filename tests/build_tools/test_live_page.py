"""The places of live widgets in pages: right answers, right addresses, plain text."""

import json
import re
from html import unescape
from types import SimpleNamespace

import pytest

from build_tools.book.templates import rendered
from build_tools.live import live_page as page
from build_tools.live import maps, payload

NAMES = "tokenizer tokenizers wasm ort model maps search snapshots".split()
LOADS = {
    name: {"url": f"live/{name}-0", "sent": 10**6 * size, "bytes": 10, "sha256": "0"}
    for size, name in enumerate(NAMES, start=1)
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


def test_what_the_machines_script_is_told_cannot_end_its_element():
    words = "</script><b>"
    told = {"code": "", "steps": "", "told": "", "still": {"words": words, "svg": ""}}
    html = rendered("page.html", **told, page={"text": words})
    assert words not in html
    text = html.split('id="machine-page">')[1].split("</script>")[0]
    assert json.loads(text) == {"text": words}


def test_a_page_names_what_a_widget_loads_and_its_size(widget):
    data = data_of(html := widget("masked", {"text": "A [MASK]."}))
    assert data["files"]["model"]["url"] == "../_static/live/model-0"
    assert data["code"] == f"../_static/{payload.code_folder()}/"
    assert data["settings"] == {"text": "A [MASK]."}
    assert "loads 15.0 MB" in html  # all but the maps


def test_the_settings_stay_in_their_attribute(widget):
    text = "\"><script>alert('1')</script>"
    html = widget("tokens", {"first": text})
    assert "<script" not in html and "&lt;script" in html
    assert data_of(html)["settings"]["first"] == text


def test_the_maps_hold_the_courses_own_sentences_alone(monkeypatch):
    monkeypatch.setenv("COARSE_WSD_HOME", "/nowhere")
    with maps.SAMPLE:
        assert maps.load_coarse_wsd("crane").attrs["source"] == "sample"
    with pytest.raises(FileNotFoundError):
        maps.load_coarse_wsd("crane")
