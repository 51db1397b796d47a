"""Attention views: the frame, the picture for print and the summary in words."""

import html
import json
import re

import numpy as np
import pytest

from chapters.seeing_attention.views import head_view, model_view
from tests.bad_input import one_line

SRCDOC = re.compile(r'srcdoc="([^"]*)"')


def document(view):
    return html.unescape(SRCDOC.search(view.data)[1])


def data(view):
    """What the script of a view is given to draw."""
    text = document(view)
    start = text.index("const params = ") + len("const params = ")
    return json.JSONDecoder().raw_decode(text, start)[0]


@pytest.mark.parametrize("draw", [head_view, model_view])
def test_a_view_holds_the_weights_once_in_three_digits(reading, draw):
    view = draw(reading)
    drawn = np.array(data(view)["attention"][0]["attn"])
    np.testing.assert_allclose(drawn, reading.attention, atol=0.0005)
    assert not re.search(r"\d\.\d{4}", document(view))
    assert document(view).count('"attention":[') == 1


def test_a_pair_can_be_shown_direction_by_direction(reading):
    reading.segments = np.array([0, 0, 1, 1, 1])
    view = head_view(reading)
    assert len(data(view)["attention"]) == 5
    assert 'aria-label="Attention between"' in document(view)


def test_the_view_starts_at_the_layer_and_heads_asked_for(reading):
    view = head_view(reading, layer=np.int64(1), heads=[np.int64(2)])
    assert (data(view)["layer"], data(view)["heads"]) == (1, [2])
    assert "Layer 1, head 2: the strongest links between words are a → b 1.00" in (
        view.data
    )
    assert "[CLS] and [SEP] get 0 %" in view.data
    reading.tokens[1:4] = "?!."  # no two words are left
    assert "Layer 0, mean of 3 heads: [CLS] and [SEP] get" in head_view(reading).data


def test_the_picture_for_print_holds_the_links_of_the_head_shown(reading):
    view = head_view(reading, layer=1, heads=[2])
    [path] = re.findall(r'<path d="([^"]*)" stroke-opacity="1"', view.data)
    ends = [int(y) for y in re.findall(r"L254 (\d+)", path)]
    assert len(ends) == 5 and len(set(ends)) == 1  # all five to one token


def test_the_summary_of_a_model_counts_its_heads(reading):
    text = model_view(reading).data
    assert "2 layers of 3 heads" in text
    counts = re.search(r"by number of heads: ([^<]*)\.</p>", text)[1]
    assert sum(map(int, re.findall(r" in (\d+)", counts))) == 6


@pytest.mark.parametrize("wrong", [2, -1, float("nan"), None, "0"])
def test_a_layer_or_head_that_is_not_there_is_named_in_one_line(reading, wrong):
    for options in ({"layer": wrong}, {"heads": [5 if wrong == 2 else wrong]}):
        said = one_line(ValueError, lambda o=options: head_view(reading, **o))
        assert "no layer" in said or "no such heads" in said
    assert "no such heads" in one_line(ValueError, lambda: head_view(reading, heads=[]))


@pytest.mark.parametrize("draw", [head_view, model_view])
def test_a_text_too_long_for_a_view_is_refused_before_it_is_written(
    reading, draw, monkeypatch
):
    monkeypatch.setattr("chapters.seeing_attention.views.MOST", 2 * 3 * 5 * 5)
    assert "iframe" in draw(reading).data
    monkeypatch.setattr("chapters.seeing_attention.views.MOST", 2 * 3 * 5 * 5 - 1)
    message = one_line(ValueError, lambda: draw(reading))
    assert "5 pieces; a view of 2 layers of 3 heads holds up to 4" in message
