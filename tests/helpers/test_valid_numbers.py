"""Numbers that no plot, view or example can hold: a right result, or one line."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers import grammar, plotting, senses
from helpers.attention import heads_off, read_attention
from helpers.attention.patterns import pattern_targets
from helpers.attention.views import head_view, model_view
from helpers.exercises import capstone as reports
from helpers.masking import collate_pairs, sentence_pair
from helpers.models import load_bert
from tests.bad_input import answered, one_line

NOT_FINITE = [math.nan, math.inf, -math.inf]
NO_WHOLE_NUMBERS = [0.0, 1.5, math.nan, None, "0", [0]]
many = settings(max_examples=60, derandomize=True, deadline=None, database=None)
floats = st.lists(st.floats(), min_size=1, max_size=4)


@pytest.fixture(scope="module")
def tiny(tiny_bert_folder):
    return load_bert(tiny_bert_folder, "cpu")


@pytest.fixture
def reading(tiny):
    return read_attention(tiny, "the crane rose", "it fell")


def drawn(plot):
    """The numbers of a plot's first glyph, by column."""
    return plot.renderers[0].data_source.data


@many
@given(values=floats)
def test_bars_are_the_values_or_refused(values):
    names = range(len(values))
    plot = answered(lambda: plotting.bars(names, values, "t", "v"), ValueError)
    assert (plot is not None) == all(map(math.isfinite, values))
    assert plot is None or drawn(plot)["value"] == values


@pytest.mark.parametrize("bad", NOT_FINITE)
def test_intervals_and_references_of_nan_are_refused(bad):
    draws = [
        lambda: plotting.bars(["a"], [1], "t", "v", intervals=[(0, bad)]),
        lambda: plotting.bars(["a"], [1], "t", "v", references=[("b", bad)]),
        lambda: plotting.lines({"a": ([0], [1])}, "t", "x", "y", [("b", bad)]),
        lambda: plotting.layer_lines(pd.DataFrame({"a": [1]}), "t", "y", [("b", bad)]),
    ]
    for draw in draws:
        assert "nan or infinity" in one_line(ValueError, draw)


@pytest.mark.parametrize(
    ("names", "values", "intervals"),
    [("ab", [1], None), ("a", [1, 2], None), ("a", [1], [(0, 1)] * 2), ("", [], None)],
)
def test_bars_without_one_value_each_are_refused(names, values, intervals):
    draw = lambda: plotting.bars(names, values, "t", "v", intervals)  # noqa: E731
    assert "give one of each a bar" in one_line(ValueError, draw)


@many
@given(xs=floats, ys=floats)
def test_lines_are_the_points_with_gaps_or_refused(xs, ys):
    plot = answered(lambda: plotting.lines({"a": (xs, ys)}, "t", "x", "y"), ValueError)
    fits = len(xs) == len(ys) and all(map(math.isfinite, xs))
    assert (plot is not None) == (fits and not any(map(math.isinf, ys)))
    if plot:
        assert drawn(plot)["x"] == xs
        assert np.array_equal(drawn(plot)["y"], ys, equal_nan=True)


def test_a_curve_without_a_point_is_refused():
    draw = lambda: plotting.lines({"a\nb": ([], [])}, "t", "x", "y")  # noqa: E731
    assert "one point or more" in one_line(ValueError, draw)


@many
@given(values=floats)
def test_cells_are_the_values_or_refused(values):
    columns = range(len(values))
    draw = lambda: plotting.heat_map([values], ["r"], columns, "t", "r", "c")  # noqa: E731
    plot = answered(draw, ValueError)
    assert (plot is not None) == (not any(map(math.isinf, values)))
    if plot:
        assert np.array_equal(drawn(plot)["value"], values, equal_nan=True)


def test_the_mean_over_words_leaves_no_word_out():
    table = pd.DataFrame({"mean": [0.2, 0.4], "b": [0.4, 0.8]})
    plot = plotting.layer_lines(table, "t", "y")
    means = [r for r in plot.renderers if r.level == "overlay"]
    assert len(means) == 2  # a line and its dots: a word "mean" is no second mean
    assert np.allclose(means[0].data_source.data["value"], [0.3, 0.6])
    for bad in NOT_FINITE:
        broken = table.replace(0.8, bad)
        draw = lambda t=broken: plotting.layer_lines(t, "t", "y")  # noqa: E731
        assert "nan or infinity" in one_line(ValueError, draw)
    unnumbered = table.set_axis([0.0, math.nan])
    draw = lambda: plotting.layer_lines(unnumbered, "t", "y")  # noqa: E731
    assert "nan or infinity" in one_line(ValueError, draw)


@pytest.mark.parametrize("draw", [head_view, model_view])
@pytest.mark.parametrize("bad", NOT_FINITE)
def test_attention_of_nan_is_refused(reading, draw, bad):
    reading.attention[1, 0, 2, 1] = bad
    assert "nan or infinity" in one_line(ValueError, lambda: draw(reading))


@pytest.mark.parametrize("number", NO_WHOLE_NUMBERS)
def test_a_layer_or_head_that_is_no_whole_number_is_refused(tiny, reading, number):
    def off(*place):
        with heads_off(tiny, [place]):
            raise AssertionError("nothing to switch off")

    for call in (
        lambda: head_view(reading, layer=number),
        lambda: head_view(reading, heads=[number]),
        lambda: off(number, 0),
        lambda: off(0, number),
    ):
        assert "whole numbers" in one_line(ValueError, call)


def test_heads_from_a_generator_are_switched_off(tiny):
    before = tiny.predict_masked("the [MASK] rose")
    with heads_off(tiny, ((layer, 0) for layer in range(tiny.n_layers))):
        assert tiny.predict_masked("the [MASK] rose") != before


@pytest.mark.parametrize("places", [[0], [99] * 8, [0.5] * 8, ["a"] * 8])
def test_predictors_that_do_not_fit_are_refused(reading, places):
    assert len(reading.tokens) == 8
    one_line(ValueError, lambda: pattern_targets(reading, (), places))


@pytest.mark.parametrize(
    "pairs", [[], [([1.5], [2], True)], [([1], ["a"], True)], [([1], [math.nan], True)]]
)
def test_pairs_that_are_none_are_refused(tiny, pairs):
    one_line(ValueError, lambda: collate_pairs(pairs, tiny.tokenizer))


def test_a_pair_may_have_an_empty_part(tiny):
    batch = collate_pairs([([], [7], True)], tiny.tokenizer)
    assert batch["input_ids"].tolist() == [[101, 102, 7, 102]]


@pytest.mark.parametrize("room", [math.nan, 8.5, None, "8", 3, -1])
def test_a_room_that_is_none_is_refused(room):
    documents = [[[1], [2]], [[3], [4]]]
    draw = lambda: sentence_pair(documents, np.random.default_rng(0), room)  # noqa: E731
    assert "4 pieces or more" in one_line(ValueError, draw)


def test_a_document_without_a_sentence_is_named():
    def draw():
        for seed in range(20):
            sentence_pair([[[1], [2]], []], np.random.default_rng(seed))

    assert "holds no sentence" in one_line(ValueError, draw)


@pytest.mark.parametrize("words", [math.inf, math.nan, 2.5, "many", None])
def test_a_count_of_words_that_is_none_is_refused(words):
    call = lambda: grammar.generate(words=words)  # noqa: E731
    assert "give a whole number" in one_line(ValueError, call)


@pytest.mark.parametrize("correct", [[0, 1, math.nan], [math.inf], [None], ["a"]])
def test_an_interval_of_no_numbers_is_refused(correct):
    one_line(ValueError, lambda: senses.bootstrap_interval(correct))


def test_an_interval_is_one_of_differences_and_ties_too():
    low, high = senses.bootstrap_interval([-1.0, 0.0, 0.5, 1.0] * 10)
    assert -1 <= low < 0.125 < high <= 1


@pytest.mark.parametrize("part", reports.PARTS)
@pytest.mark.parametrize("junk", [math.nan, [math.nan], {"scores": [math.nan]}, "\x00"])
def test_a_report_of_nonsense_is_not_yet_complete(part, junk):
    [row] = [row for row in reports.check_report({part: junk}).rows if row[0] == part]
    assert row[1] == "not yet"
