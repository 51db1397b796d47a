"""Marks on lines: one for each value, at its place, and names."""

import re
from xml.etree import ElementTree

import pytest

from chapters.sentence_embeddings.strips import strips


def centres(picture):
    return [float(x) for x in re.findall(r'<circle cx="([\d.]+)"', picture)]


def test_marks_lie_where_their_values_are_and_none_outside_the_line():
    low, middle, high, outside = centres(
        strips({"row": [0, 5, 10, 99]}, "w", "n", 0, 10)
    )
    assert low < middle < high == outside
    assert middle - low == pytest.approx(high - middle)


def test_a_row_has_its_name_and_the_mark_that_is_named_its_own():
    picture = strips({"a<b": [1], "c": [2]}, "said", "n", named={"c": (2, "two")})
    texts = [text.text for text in ElementTree.fromstring(picture).iter()]
    assert {"a<b", "c", "two", "said"} <= set(texts)
