"""Plots: what is drawn are the numbers, and what cannot be drawn is named."""

import numpy as np
import pytest
from bokeh.models import FactorRange, Whisker
from bokeh.plotting import figure

from helpers import plotting


def sources(plot):
    return [dict(r.data_source.data) for r in plot.renderers]


def test_bars_show_each_value_under_its_name_from_the_top_down():
    plot = plotting.bars(["cat", "dog"], np.array([0.25, 0.5]), "Top", "probability")
    assert isinstance(plot, figure)
    [data] = sources(plot)
    assert (data["name"], data["value"]) == (["cat", "dog"], [0.25, 0.5])
    assert plot.y_range.factors == ["dog", "cat"]  # Bokeh counts from the bottom


def test_bars_with_one_name_twice_stay_two_bars():
    plot = plotting.bars(["the", "the"], [0.2, 0.1], "Top", "probability")
    assert sources(plot)[0]["name"] == ["the", "the (2)"]


def test_intervals_lie_within_the_picture():
    limits = [(-0.1, 0.4), (0.3, 0.9)]
    plot = plotting.bars(["a", "b"], [0.2, 0.5], "Means", "mean", intervals=limits)
    assert plot.x_range.start < -0.1 and plot.x_range.end > 0.9
    [whisker] = plot.select(Whisker)
    assert whisker.source.data["low"] == [-0.1, 0.3]
    assert whisker.source.data["high"] == [0.4, 0.9]


def test_references_are_named_with_their_value():
    plot = plotting.bars(["a"], [1], "t", "v", references=[("chance", 0.25)])
    assert [item.label.value for item in plot.legend[0].items] == ["chance: 0.25"]


def test_a_heat_map_has_a_cell_for_each_pair():
    values = np.arange(6).reshape(2, 3)
    plot = plotting.heat_map(values, "ab", ["the", "cat", "the"], "t", "query", "key")
    data = sources(plot)[0]
    cells = zip(data["row"], data["column"], data["value"], strict=True)
    assert list(cells)[3:] == [("b", "the", 3), ("b", "cat", 4), ("b", "the (2)", 5)]
    assert isinstance(plot.y_range, FactorRange)
    assert plot.y_range.factors == ["b", "a"]  # the first row on top


def test_a_heat_map_of_equal_values_is_drawn():
    plotting.heat_map([[1.0, 1.0]], ["a"], ["b", "c"], "t", "r", "c")
    plotting.heat_map([[float("nan"), 1.0]], ["a"], ["b", "c"], "t", "r", "c")


def test_a_heat_map_that_does_not_fit_its_names_is_refused():
    with pytest.raises(ValueError):
        plotting.heat_map([[1.0, 2.0]], ["a"], ["b"], "t", "r", "c")


def test_lines_differ_in_more_than_colour():
    plot = plotting.lines(
        {"train": ([0, 1], [3, 2]), "test": ([0, 1], [3, 3])}, "t", "step", "loss"
    )
    markers = [r.glyph.marker for r in plot.renderers if hasattr(r.glyph, "marker")]
    assert len(set(markers)) == 2
    labels = [item.label.value for item in plot.legend[0].items]
    assert labels == ["train", "test"]


def test_more_curves_than_looks_are_refused():
    series = {str(i): ([0], [0]) for i in range(6)}
    with pytest.raises(ValueError, match="6 curves"):
        plotting.lines(series, "t", "x", "y")


def test_emphasize_lets_no_html_through():
    assert plotting.emphasize(["<i>", "b"], 1) == "&lt;i&gt; <b>b</b>"
