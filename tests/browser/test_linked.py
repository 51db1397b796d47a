"""In Chromium: focus or pointer on one of three lights the others, without script."""

import pytest

from chapters.architecture.linked import STEPS, not_printed

pytestmark = pytest.mark.browser
PAGE = "chapters/architecture/index.html"
LIT = """() => [...document.querySelectorAll(".picture:has(fieldset) [data-part]")]
  .filter(part => part.getClientRects().length &&
    getComputedStyle(part).getPropertyValue("--lit"))
  .map(part => [part.dataset.part,
                part.closest("svg, fieldset, .said, .texts").tagName])
"""
CHOSEN = '.picture fieldset [data-part="{}"] input'


def places(key):
    """Where a step is seen when it is lit."""
    return {"svg", "FIELDSET", "P"} | ({"DIV"} if key not in not_printed() else set())


def lit(visit):
    return {tuple(part) for part in visit.page.evaluate(LIT)}


def assert_lit(visit, key):
    assert lit(visit) == {(key, place) for place in places(key)}


@pytest.fixture(scope="module")
def visit(open_for_all, server):
    return open_for_all(f"{server}/{PAGE}")


def test_the_arrow_keys_walk_through_the_layer(visit):
    visit.page.focus(CHOSEN.format(STEPS[0].key))
    visit.page.keyboard.press("Space")
    for step in STEPS:
        assert_lit(visit, step.key)
        visit.page.keyboard.press("ArrowDown")
    assert_lit(visit, STEPS[0].key)  # round again


def test_a_pointer_on_one_lights_the_others_and_a_click_chooses_it(visit):
    before = lit(visit)
    for scope in ("svg ", "fieldset ", ".texts > label"):
        visit.page.hover(f'.picture:has(fieldset) {scope}[data-part="second-norm"]')
        assert_lit(visit, "second-norm")
        visit.page.mouse.move(0, 0)
        assert lit(visit) == before and len({part for part, _ in before}) == 1
    visit.page.click('.texts > label[data-part="widen"]')
    visit.page.mouse.move(0, 0)
    assert_lit(visit, "widen")
    assert visit.page.is_checked(CHOSEN.format("widen"))
