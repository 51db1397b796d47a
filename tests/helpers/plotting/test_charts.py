"""Plots: what is drawn are the numbers, and what cannot be drawn is named."""

import math

import numpy as np
import pytest
from bokeh.models import FactorRange, Whisker
from bokeh.plotting import figure

from helpers import plotting
from helpers.plotting import pictures
from tests.bad_input import one_line


def sources(plot):
    return [dict(r.data_source.data) for r in plot.renderers]


def test_bars_show_each_value_under_its_name_from_the_top_down():
    plot = plotting.bars(["cat", "dog"], np.array([0.25, 0.5]), "Top", "probability")
    assert isinstance(plot, figure)
    [data] = sources(plot)
    assert (data["name"], data["value"]) == (["cat", "dog"], [0.25, 0.5])
    assert plot.y_range.factors == ["dog", "cat"]  # Bokeh counts from the bottom
    plot = plotting.bars(["the", "a", "the"], [3, 2, 1], "t", "v", None, [("so", 0.25)])
    assert sources(plot)[0]["name"] == ["the", "a", "the (2)"]
    assert [item.label.value for item in plot.legend[0].items] == ["so: 0.25"]


def test_intervals_lie_within_the_picture():
    limits = [(-0.1, 0.4), (0.3, 0.9)]
    plot = plotting.bars(["a", "b"], [0.2, 0.5], "Means", "mean", intervals=limits)
    assert plot.x_range.start < -0.1 and plot.x_range.end > 0.9
    [whisker] = plot.select(Whisker)
    assert whisker.source.data["low"] == [-0.1, 0.3]
    assert whisker.source.data["high"] == [0.4, 0.9]


def test_a_heat_map_has_a_cell_for_each_pair():
    values = np.arange(6).reshape(2, 3)
    plot = plotting.heat_map(values, "ab", ["the", "cat", "the"], "t", "query", "key")
    data = sources(plot)[0]
    cells = zip(data["row"], data["column"], data["value"], strict=True)
    assert list(cells)[3:] == [("b", "the", 3), ("b", "cat", 4), ("b", "the (2)", 5)]
    assert isinstance(plot.y_range, FactorRange)
    assert plot.y_range.factors == ["b", "a"]  # the first row on top


def test_lines_differ_in_more_than_colour():
    plot = plotting.lines(
        {"train": ([0, 1], [3, 2]), "test": ([0, 1], [3, 3])}, "t", "step", "loss"
    )
    markers = [r.glyph.marker for r in plot.renderers if hasattr(r.glyph, "marker")]
    assert len(set(markers)) == 2
    labels = [item.label.value for item in plot.legend[0].items]
    assert labels == ["train", "test"]


def test_nan_is_a_gap_in_a_curve_and_an_empty_cell_in_a_heat_map():
    curve = plotting.lines({"a": ([0, 1, 2], [3, math.nan, 5])}, "t", "x", "y")
    [x, y] = (sources(curve)[0][name] for name in "xy")
    np.testing.assert_array_equal([x, y], [[0, 1, 2], [3, math.nan, 5]])
    cells = plotting.heat_map([[math.nan, 1.0]], ["a"], ["b", "c"], "t", "r", "c")
    np.testing.assert_array_equal(sources(cells)[0]["value"], [math.nan, 1.0])


NAN, INF = math.nan, math.inf
POINT = ([0], [0])


@pytest.mark.parametrize(
    ("draw", "said"),
    [
        (lambda: plotting.bars(["a"], [INF], *"tx"), "nan or infinity"),
        (lambda: plotting.bars(["a"], [1], *"tx", [(0, NAN)]), "nan or infinity"),
        (lambda: plotting.bars("ab", [1], *"tx"), "give one of each a bar"),
        (lambda: plotting.lines({"a": ([NAN], [1])}, *"txy"), "nan or infinity"),
        (lambda: plotting.lines({"a": ([], [])}, *"txy"), "one point or more"),
        (lambda: plotting.lines(dict.fromkeys("abcdef", POINT), *"txy"), "6 curves"),
        (lambda: plotting.heat_map([[INF]], ["a"], ["b"], *"txy"), "infinity"),
        (lambda: plotting.heat_map([[1, 2]], ["a"], ["b"], *"txy"), ""),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_one_line(draw, said):
    assert said in one_line(ValueError, draw)


def test_a_curve_leaves_out_what_has_no_place_and_refuses_nothing():
    marks = [(0, 3), (NAN, 2), (3, 1)]
    lost = {"lost": ([0], [NAN])}
    curves = {"loss": (range(4), [3.0, NAN, INF, 1.0])} | lost
    picture = pictures.curve(curves, "x", marks=marks)
    alone = {"loss": ([0, 3], [3, 1]), "lost": ([], [])}
    assert picture == pictures.curve(alone, "x", marks=marks[::2])
    assert "nan" not in picture and "inf" not in picture
    assert "finite" in one_line(ValueError, lambda: pictures.curve(lost, "x"))
    far = {"a": (INF, 1)}
    arrows = one_line(ValueError, lambda: pictures.arrows(far, ("x", "y"), "x"))
    assert "arrow a: nan or infinity" in arrows


def test_a_number_that_rounds_to_zero_has_no_sign():
    drawn = pictures.Matrix("A", [[-0.04, -0.06]], form=".1f").svg("x")
    assert ">0.0<" in drawn and ">−0.1<" in drawn
