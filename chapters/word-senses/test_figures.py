"""A plot that moves: where its marks lie in each layer, and what carries its slider."""

import numpy as np
import pytest
from bokeh.models import CustomJS

from chapters.word_senses.figures import layer_planes, layer_scatter, own_nearest
from helpers import plotting

SENSES = ["river", "money", "river"]
POINTS = np.arange(18.0).reshape(3, 3, 2)  # (layers, n, 2)
SENTENCES = [["a", "bank"]] * 3
WORDS = ["a heap", "two <heaps>", "apart"]


def drawn(points=POINTS, words=WORDS):
    return layer_scatter(points, SENSES, SENTENCES, [1] * 3, "Banks", words)


def test_each_mark_knows_its_place_in_each_layer_and_starts_in_the_last():
    plot = drawn().children[0]
    money, river = (r.data_source.data for r in plot.renderers)
    for layer, points in enumerate(POINTS):
        for marks, rows in ((money, [1]), (river, [0, 2])):
            at = [marks[f"x{layer}"], marks[f"y{layer}"]]
            assert np.array_equal(np.transpose(at), points[rows])
    assert (river["x"], river["y"]) == (river["x2"], river["y2"])


def test_all_layers_are_drawn_in_one_unit_and_fit():
    small = drawn(np.stack([POINTS[0] / 100, POINTS[2]]), WORDS[:2]).children[0]
    for axis, far in ((small.x_range, 16), (small.y_range, 17)):
        assert axis.start < -far and axis.end > far
        assert axis.end < 1.2 * far


def test_words_are_said_as_text_and_there_is_one_for_each_layer():
    _, slider, said = drawn().children
    assert (slider.start, slider.end, slider.value, slider.step) == (0, 2, 2, 1)
    [script] = slider.js_property_callbacks["change:value"]
    assert isinstance(script, CustomJS)
    assert script.args["words"] == ["a heap", "two &lt;heaps&gt;", "apart"]
    assert said.text == "apart"


def test_planes_do_not_hang_on_the_length_of_a_layer_s_vectors():
    states = np.random.default_rng(0).normal(size=(12, 1, 5))
    one, ten = layer_planes(np.concatenate([states, 10 * states], axis=1))
    assert np.allclose(one, ten, atol=1e-6)


def test_a_plane_is_turned_to_the_next_where_the_wide_direction_is_another():
    flat = np.random.default_rng(0).normal(size=(50, 2))
    one, two = layer_planes(np.stack([flat * [3, 2], flat * [2, 3]], axis=1))
    assert np.linalg.norm(one - two) < 0.5 * np.linalg.norm(one)


def test_neighbours_of_one_place_count_in_shares():
    apart = np.array([[0, 0], [0, 1], [9, 0], [9, 1]])
    assert own_nearest(apart, ["a", "a", "b", "b"]) == 4
    assert own_nearest(apart, ["a", "b", "a", "b"]) == 0
    heap = np.zeros((5, 2))  # each has all the others nearest
    assert own_nearest(heap, ["a", "a", "a", "b", "b"]) == 2


@pytest.fixture
def published(monkeypatch):
    """What is sent to a fresh notebook that carries its scripts."""
    sent = []
    monkeypatch.setattr(plotting, "_loaded", set())
    monkeypatch.delenv("BOKEH_RESOURCES", raising=False)
    monkeypatch.setattr(
        "bokeh.io.notebook.publish_display_data", lambda data, **_: sent.append(data)
    )
    return sent


def test_a_notebook_gets_the_script_of_sliders_once_and_only_with_a_slider(published):
    def scripts():
        sent = [data.get("application/javascript", "") for data in published]
        published.clear()
        return sum(len(script) > 1_000_000 for script in sent), sum(
            100_000 < len(script) < 1_000_000 for script in sent
        )

    bars = plotting.bars(["a"], [1], "Bars", "")
    plotting.show(bars)
    assert scripts() == (1, 0)  # Bokeh
    plotting.show(drawn())
    assert scripts() == (0, 1)  # its widgets
    plotting.show(drawn())
    plotting.show(bars)
    assert scripts() == (0, 0)
