"""The machine's places in the book, and what its page takes from there."""

import json
from types import SimpleNamespace

import pytest

from build_tools.machine import page, readings


def test_a_text_with_another_number_of_pieces_is_told_in_one_line(
    tmp_path, monkeypatch
):
    problem = {"problem": "“a” and “b” have different numbers of pieces"}
    node = SimpleNamespace(ask=lambda **_: problem)
    monkeypatch.setattr(readings.drawing, "NODE", node)
    monkeypatch.setattr(readings.payload, "places", lambda root: {})
    with pytest.raises(readings.ExtensionError, match="different numbers of pieces"):
        readings.made(tmp_path, [["a", "b"]])
    assert not list(tmp_path.rglob("machine-*"))


def test_what_the_script_is_told_cannot_end_its_element():
    told = page.in_html({"text": "</script><b>"})
    assert "<" not in told and json.loads(told) == {"text": "</script><b>"}
