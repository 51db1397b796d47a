"""WCAG 2.1 A and AA on every page, as axe-core finds them."""

import pytest

pytestmark = pytest.mark.browser

RULES = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"],
    "resultTypes": ["violations"],
}
# What other projects draw, and what their next release may mend: Bokeh's toolbar
# buttons, the theme's own controls outside of the article, and the roles that
# docutils gives to a list of references.
ARTICLE = {
    "include": [["article, #main-content"]],
    "exclude": [[".bk-Toolbar"], [".citation-list"], [".header-article"]],
}

CONTRAST = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}
# Code has thousands of coloured words in a dozen colours: one of each is kept,
# for the contrast of each word alone takes axe longer than all the rest.
ONE_OF_EACH_COLOUR = """() => {
  const seen = new Set();
  for (const word of document.querySelectorAll("pre span")) {
    const look = getComputedStyle(word), place = getComputedStyle(word.closest("pre"));
    const kind = [look.color, look.backgroundColor, look.fontWeight,
                  place.backgroundColor].join();
    if (seen.has(kind)) word.replaceWith(...word.childNodes);
    seen.add(kind);
  }
}"""


@pytest.fixture(scope="session")
def axe():
    from axe_playwright_python.base import AXE_SCRIPT

    return AXE_SCRIPT


def violations(visit, axe, frame=None, place=None, rules=RULES):
    visit.page.wait_for_timeout(500)  # the theme looks for what scrolls every 300 ms
    frame = frame or visit.page
    frame.evaluate(ONE_OF_EACH_COLOUR)
    frame.evaluate(axe)
    script = "([place, rules]) => axe.run(place ?? document, rules)"
    found = frame.evaluate(script, [place, rules])["violations"]
    return [
        f"{v['id']}: {node['html'][:160]} {node.get('failureSummary', '')[:300]}"
        for v in found
        for node in v["nodes"]
    ]


def test_page_is_accessible(open_tab, server, page_name, axe):
    visit = open_tab(f"{server}/{page_name}")
    visit.undrawn_plots()
    assert violations(visit, axe, place=ARTICLE) == []


@pytest.mark.slow
def test_page_has_contrast_in_dark_mode(open_tab, server, page_name, axe):
    visit = open_tab(f"{server}/{page_name}", colours="dark")
    visit.undrawn_plots()
    assert violations(visit, axe, place=ARTICLE, rules=CONTRAST) == []


def test_views_are_accessible(open_tab, server, view_page, axe):
    visit = open_tab(f"{server}/{view_page}")
    visit.undrawn_views()
    for frame in visit.views():
        assert violations(visit, axe, frame) == []
