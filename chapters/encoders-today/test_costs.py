"""The calculator of costs: the page's arithmetic is Python's, in every setting."""

import json
import subprocess
from itertools import product

import pytest

from build_tools.book import assets
from chapters.encoders_today import costs

START = {
    "texts": 1e6,
    "pieces": 24.8,
    "encoder": 10_646_784,
    "writer": 1e9,
    "instruction": 100,
    "answer": 5,
    "speed": 2.1e10,
    "price": 0.5,
    "words": 90_000,
    "padding": 0.375,
    "padding_sorted": 0.05,
}
CHANGES = [
    {},
    {"encoder": costs.BASE, "texts": 3e8},
    {"pieces": 4000, "instruction": 0, "answer": 400, "writer": 7e11},
    {"encoder": 1e10, "writer": 1e8, "speed": 1e15, "price": 30},
    {"texts": 1000, "words": 12.5, "padding": 0, "padding_sorted": 0},
]
SETTINGS = [
    START | change | {"sorted": is_sorted, "kept": kept}
    for change, is_sorted, kept in product(CHANGES, (False, True), (False, True))
]


def in_node(expression):
    """What JavaScript answers to an expression of `on`, for each of the settings."""
    code = f"{costs.ARITHMETIC}; const all = {json.dumps(SETTINGS)};"
    code += f"console.log(JSON.stringify(all.map(on => {expression})))"
    command = [*assets.node_command(), "--eval", code]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def test_the_page_computes_and_says_what_python_does():
    both = in_node("[compared(on), compared(on).map(time)]")
    for on, (found, said) in zip(SETTINGS, both, strict=True):
        assert found == pytest.approx(costs.compared(on), rel=1e-12)
        assert said == list(map(costs.in_words, costs.compared(on)))


def test_an_interface_at_the_price_that_is_said_costs_as_much_as_the_encoder():
    for on, sold in zip(SETTINGS, in_node("sold(on)"), strict=True):
        again = on["answer"] + (0 if on["kept"] else on["instruction"])
        millions = on["texts"] * (on["pieces"] + again) / 1e6
        paid = costs.compared(on)[1] * on["price"]
        assert sold * millions == pytest.approx(paid)


def test_who_takes_longer_is_named_first():
    for on, said in zip(SETTINGS, in_node("says(on)"), strict=True):
        _, encoder, writer = costs.compared(on)
        slower = "writer" if writer > encoder else "encoder"
        assert said.startswith(f"The {slower} takes ")


@pytest.mark.parametrize("sliders", [False, True])
def test_a_box_or_slider_that_moves_computes_anew(sliders):
    layout = costs.cost_calculator(START, sliders=sliders)
    boxes = layout.children[2]
    [update] = boxes.js_property_callbacks["change:active"]
    assert update.code.startswith(costs.ARITHMETIC)
    drawn = update.args["sliders"]
    assert len(drawn) == len(costs.SLIDERS) * sliders
    for name, slider in drawn.items():
        assert slider.js_property_callbacks["change:value"] == [update]
        value = 10**slider.value if name in update.args["powers"] else slider.value
        assert value == pytest.approx(START[name])
