"""Plots: what is drawn are the numbers, and what cannot be drawn is named."""

import math

import numpy as np
import pandas as pd
import pytest
from bokeh.models import FactorRange, Whisker
from bokeh.plotting import figure

from helpers import plotting
from tests.bad_input import one_line


def sources(plot):
    return [dict(r.data_source.data) for r in plot.renderers]


def test_bars_show_each_value_under_its_name_from_the_top_down():
    plot = plotting.bars(["cat", "dog"], np.array([0.25, 0.5]), "Top", "probability")
    assert isinstance(plot, figure)
    [data] = sources(plot)
    assert (data["name"], data["value"]) == (["cat", "dog"], [0.25, 0.5])
    assert plot.y_range.factors == ["dog", "cat"]  # Bokeh counts from the bottom


def test_bars_with_one_name_twice_stay_two_bars():
    plot = plotting.bars(["the", "a", "the"], [0.3, 0.2, 0.1], "Top", "probability")
    assert sources(plot)[0]["name"] == ["the", "a", "the (2)"]


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
    assert plotting.emphasize(["<i>", "b"], 0) == "<b>&lt;i&gt;</b> b"
    for position in (-1, 2, 1.0):
        one_line(ValueError, lambda at=position: plotting.emphasize(["<i>", "b"], at))


BAD = [math.nan, math.inf]


@pytest.mark.parametrize("bad", BAD)
def test_no_plot_is_drawn_of_nan_or_infinity(bad):
    table = pd.DataFrame({"a": [1, bad]})
    for draw in (
        lambda: plotting.bars(["a"], [bad], "t", "v"),
        lambda: plotting.bars(["a"], [1], "t", "v", intervals=[(0, bad)]),
        lambda: plotting.bars(["a"], [1], "t", "v", references=[("b", bad)]),
        lambda: plotting.lines({"a": ([bad], [1])}, "t", "x", "y"),
        lambda: plotting.lines({"a": ([0], [1])}, "t", "x", "y", [("b", bad)]),
        lambda: plotting.layer_lines(table, "t", "y"),
        lambda: plotting.layer_lines(table.fillna(1), "t", "y", [("b", bad)]),
    ):
        assert "nan or infinity" in one_line(ValueError, draw)


def test_nan_is_a_gap_in_a_curve_and_an_empty_cell_in_a_heat_map():
    curve = plotting.lines({"a": ([0, 1, 2], [3, math.nan, 5])}, "t", "x", "y")
    [x, y] = (sources(curve)[0][name] for name in "xy")
    np.testing.assert_array_equal([x, y], [[0, 1, 2], [3, math.nan, 5]])
    cells = plotting.heat_map([[math.nan, 1.0]], ["a"], ["b", "c"], "t", "r", "c")
    np.testing.assert_array_equal(sources(cells)[0]["value"], [math.nan, 1.0])
    for draw in (
        lambda: plotting.lines({"a": ([0], [math.inf])}, "t", "x", "y"),
        lambda: plotting.heat_map([[math.inf]], ["a"], ["b"], "t", "r", "c"),
    ):
        assert "infinity" in one_line(ValueError, draw)


@pytest.mark.parametrize(
    ("names", "values", "intervals"),
    [("ab", [1], None), ("a", [1, 2], None), ("a", [1], [(0, 1)] * 2), ("", [], None)],
)
def test_bars_without_one_value_each_are_refused(names, values, intervals):
    draw = lambda: plotting.bars(names, values, "t", "v", intervals)  # noqa: E731
    assert "give one of each a bar" in one_line(ValueError, draw)


def test_a_curve_without_a_point_is_refused():
    draw = lambda: plotting.lines({"a\nb": ([], [])}, "t", "x", "y")  # noqa: E731
    assert "one point or more" in one_line(ValueError, draw)


def test_the_mean_over_words_leaves_no_word_out():
    table = pd.DataFrame({"mean": [0.2, 0.4], "b": [0.4, 0.8]})
    plot = plotting.layer_lines(table, "t", "y")
    means = [r for r in plot.renderers if r.level == "overlay"]
    assert len(means) == 2  # a line and its dots: a word "mean" is no second mean
    assert np.allclose(means[0].data_source.data["value"], [0.3, 0.6])
    unnumbered = table.set_axis([0.0, math.nan])
    draw = lambda: plotting.layer_lines(unnumbered, "t", "y")  # noqa: E731
    assert "nan or infinity" in one_line(ValueError, draw)


@pytest.mark.parametrize("points", [[[0, 1, 2]], [[0, np.nan]], [[0, 1], [2, 3]]])
def test_points_that_cannot_be_drawn_are_refused(points):
    draw = lambda: plotting.sentence_scatter(points, ["a"], [["x"]], [0], "t")  # noqa: E731
    assert "finite numbers of shape (n, 2)" in one_line(ValueError, draw)


def test_names_of_many_columns_stand_upright_so_that_a_phone_shows_each():
    for n, upright in ((12, False), (13, True)):
        plot = plotting.heat_map(
            [[0.5] * n], ["a"], ["Budapest"] * n, "Capitals", "", ""
        )
        assert (plot.xaxis.major_label_orientation == "vertical") is upright


def test_a_long_title_over_bars_is_broken_where_a_phone_would_cut_it():
    title = "The same three sentences in an English vocabulary"
    lines = plotting.bars(["cat"], [1], title, "").title.text.split("\n")
    assert " ".join(lines) == title and max(map(len, lines)) <= 36
