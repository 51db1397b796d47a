"""The machine's places in the book, and what its page takes from there."""

import json
from types import SimpleNamespace

import pytest
from sphinx.errors import ExtensionError

from build_tools.book.templates import rendered
from build_tools.live import drawing


def test_a_text_with_another_number_of_pieces_is_told_in_one_line(
    tmp_path, monkeypatch
):
    told = [{"problem": "“a” and “b” have different numbers of pieces"}, {"n": 1}]
    node = SimpleNamespace(ask=lambda **_: told.pop(0))
    monkeypatch.setattr(drawing, "NODE", node)
    monkeypatch.setattr(drawing.payload, "places", lambda root: {})
    asked = tmp_path, drawing.MACHINE, {"pairs": [["a", "b"]]}
    with pytest.raises(ExtensionError, match="different numbers of pieces"):
        drawing.remembered(*asked)
    assert drawing.remembered(*asked) == {"n": 1}  # a problem is not kept
    assert drawing.remembered(*asked) == {"n": 1} and told == []


def test_what_the_script_is_told_cannot_end_its_element():
    words = "</script><b>"
    still = {"words": words, "svg": "<svg></svg>"}
    told = {"code": "", "steps": "", "told": "", "still": still}
    html = rendered("page.html", **told, page={"text": words})
    assert words not in html
    text = html.split('id="machine-page">')[1].split("</script>")[0]
    assert json.loads(text) == {"text": words}
