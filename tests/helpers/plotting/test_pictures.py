"""Pictures: numbers that are drawn, words for who sees none, a slider that is still."""

import math
import re
from unittest import mock
from xml.etree import ElementTree

import pytest
from bs4 import BeautifulSoup

from chapters.attention.same_sense import same_and_other
from helpers.plotting.pictures import (
    Matrix,
    arrows,
    curve,
    matrices,
    slide,
)

HOSTILE = 'a<b> & "c"'
SVG = "{http://www.w3.org/2000/svg}"
FRAMES = [(f"It is at {i}.", f"<svg><title>{i}</title></svg>") for i in range(3)]


def shown(display, *given, **named):
    """What a notebook shows, as elements of HTML."""
    with mock.patch("IPython.display.display") as show:
        display(*given, **named)
    [[[page], _]] = show.call_args_list
    return BeautifulSoup(page.data, "html.parser").div


def parsed(picture):
    return ElementTree.fromstring(f"<div>{picture}</div>")


def texts(tree):
    return [text.text for text in tree.iter(f"{SVG}text")]


def boxes(tree):
    return list(tree.iter(f"{SVG}rect"))


def dashed(tree):
    return [bool(box.get("stroke-dasharray")) for box in boxes(tree)]


def depth(box):
    """How much of the hue is mixed into a cell, in percent."""
    return int(re.search(r"(\d+)%", box.get("style"))[1])


EVERY_KIND = {
    "small cells": matrices(
        Matrix("title", [[0.5] * 12], ["row"], [HOSTILE] * 12, cell=20, form=""),
        words=HOSTILE,
    ),
    "matrices": matrices(
        Matrix(HOSTILE, [[1, math.nan]], [HOSTILE], ["x", "y"]),
        HOSTILE,
        Matrix("B", [[1]]),
        Matrix("", [[1]]),
        words=HOSTILE,
    ),
    "arrows": arrows(
        {HOSTILE: (1, 1), "other": (0, 0)},
        (HOSTILE, "y"),
        HOSTILE,
        before={HOSTILE: (2, 0), "other": (0, 0)},
        title=HOSTILE,
    ),
    "curve": curve(
        {HOSTILE: ([0, 1], [1, 0]), "b": ([0, 1], [0, 1])},
        HOSTILE,
        HOSTILE,
        (HOSTILE, "y"),
        [(0, 1), (1, 0)],
    ),
    "cosines": same_and_other({HOSTILE: ([1.0], [0.5])}, HOSTILE),
}
each_kind = pytest.mark.parametrize("picture", EVERY_KIND.values(), ids=EVERY_KIND)


@each_kind
def test_every_picture_has_its_words_and_lets_no_html_through(picture):
    drawings = list(parsed(picture).iter(f"{SVG}svg"))
    assert drawings[0].get("aria-label") == drawings[0][0].text == HOSTILE
    for drawing in drawings:
        assert drawing.get("role") == "img" and drawing.get("aria-label")


def test_what_xml_cannot_hold_is_shown_as_a_sign_in_its_place():
    odd = "a\x00\x0b\x1f\ud800\uffffb"
    drawing = parsed(same_and_other({odd: ([1.0], [0.5])}, odd)).find(f"{SVG}svg")
    told = "a\ufffd\ufffd\ufffd\ufffd\ufffdb"
    assert drawing.get("aria-label") == told and told in texts(drawing)


@each_kind
def test_a_part_fits_a_phone_and_no_letter_is_smaller_than_11_pixels(picture):
    drawn = parsed(picture).iter(f"{SVG}text")
    sizes = [float(text.get("font-size")) for text in drawn]
    assert sizes and min(sizes) >= 11
    for drawing in parsed(picture).iter(f"{SVG}svg"):
        assert float(drawing.get("width")) <= 345


def test_a_hidden_place_is_dashed_and_carries_no_number():
    table = parsed(matrices(Matrix("", [[0.25, math.nan, -math.inf]]), words="w"))
    assert texts(table) == ["0.25"]
    assert dashed(table) == [False, True, True]
    assert [box.get("fill") == "none" for box in boxes(table)] == [False, True, True]


def test_the_further_from_low_the_darker_and_high_makes_two_tables_comparable():
    def depths(values, **scale):
        table = parsed(matrices(Matrix("", [values], **scale), words="w"))
        return [depth(box) for box in boxes(table)]

    assert depths([0, 1, 2]) == [0, 28, 55]
    assert depths([0.8, 0.9, 1.0], low=0.8) == [0, 28, 55]
    assert depths([-1, 1]) == [55, 55]
    assert depths([0.1, 0.5], high=1) == [6, 28]
    assert depths([3], high=1) == [55]
    assert depths([0, 0]) == [0, 0]


def test_an_arrow_that_turned_shows_where_it_stood_and_one_without_length_is_a_dot():
    stood = {"bank": (1, 1), "the": (0, 0)}
    still = arrows(stood, ("x", "y"), "w", before=stood)
    turned = arrows(stood | {"bank": (2, 0)}, ("x", "y"), "w", before=stood)
    assert ("stroke-dasharray" in still, "stroke-dasharray" in turned) == (False, True)
    assert still.count("<circle") == 1


@pytest.mark.parametrize("start", [0, 2])
def test_without_a_script_a_slider_shows_and_says_its_start(start):
    frames = [(HOSTILE, "<svg></svg>"), *FRAMES]
    box = shown(slide, HOSTILE, frames, start)
    said = [words for words, _ in frames]
    assert box.label.text.strip() == HOSTILE
    assert [frame["data-said"] for frame in box(class_="frame")] == said
    hidden = [frame.has_attr("hidden") for frame in box(class_="frame")]
    assert hidden == [i != start for i in range(4)]
    assert box.output.text == said[start]
    assert box.label.has_attr("hidden")  # no handle that moves nothing
    at = [box.input[name] for name in ("min", "value", "max")]
    assert at == ["0", str(start), "3"]


def test_no_two_sliders_of_a_page_share_an_id_and_each_script_knows_its_own():
    sliders = [shown(slide, "step:", FRAMES, start) for start in (0, 1, 1)]
    names = [box["id"] for box in sliders]
    assert len(set(names)) == 3
    for name, box in zip(names, sliders, strict=True):
        assert re.findall(r'getElementById\("(.+?)"\)', box.script.text) == [name]
