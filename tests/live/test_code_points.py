"""The page cuts every character as Python does, whatever its browser's Unicode."""

import json

import pytest
from tokenizers import Tokenizer

from build_tools.live import code_points, payload

MORE = ((0x3400, 0xA000), (0xAC00, 0xD7A4), (0xE000, 0xF900), (0x20000, 0x32000))
TAGS = (0xE0000, 0xE1000)


@pytest.fixture(scope="module")
def page():
    """The tokenizer of the page."""
    return json.loads(payload.tokenizer())


def test_every_character_between_two_letters_is_cut_as_in_python(node, page, tokenizer):
    blocks = (*code_points.BLOCKS, *MORE, TAGS)
    points = [point for block in blocks for point in range(*block)]
    given = {"tokenizer": page, "points": points}
    found = node(code_points.SCRIPT, given=given)["found"]
    python = Tokenizer.from_str(tokenizer.backend_tokenizer.to_str())
    python.no_truncation()
    python.no_padding()
    cut = python.encode_batch(
        [f"a{chr(point)}b" for point in points], add_special_tokens=False
    )
    expected = [" ".join(one.tokens) for one in cut]
    assert len(found) == len(points) > 200_000
    pairs = zip(points, found, expected, strict=True)
    assert [f"{point:x}" for point, ours, theirs in pairs if ours != theirs] == []


def test_a_character_that_no_version_has_yet_is_a_letter(page):
    first, *_ = page["normalizer"]["normalizers"]
    assert first["content"] == code_points.LETTER
    assert "\u0378-\u0379" in first["pattern"]["Regex"]
