"""The browser tests themselves: each finds what was broken on purpose."""

import pytest

from build_tools.book.dependencies import name_of
from helpers.exercises.chapters import chapter_named
from tests.browser.accessibility import ARTICLE, violations
from tests.browser.visit import open_page

pytestmark = pytest.mark.browser

PAGE = f"chapters/{name_of(chapter_named('word-senses').page)}/index.html"


@pytest.fixture
def spoiled(chromium, server, book):
    """Open the page on word senses after a change of its text."""
    contexts = []

    def open_spoiled(old, new):
        text = (book / PAGE).read_text(encoding="utf-8")
        assert old in text
        context = chromium.new_context()
        contexts.append(context)
        context.route(
            f"**/{PAGE}",
            lambda route: route.fulfill(
                body=text.replace(old, new), content_type="text/html; charset=utf-8"
            ),
        )
        return open_page(context, f"{server}/{PAGE}")

    yield open_spoiled
    for context in contexts:
        context.close()


def test_an_unspoilt_page_passes(spoiled, server):
    visit = spoiled("<article", "<article")
    assert visit.undrawn_plots() == visit.errors == []
    assert visit.outside_requests(server) == []


def test_bokeh_without_its_loader_is_found(spoiled):
    visit = spoiled("vendor/bokeh/bokeh.min.js", "vendor/bokeh/gone.min.js")
    assert visit.settled("() => ['wait']", seconds=1)
    assert visit.page.evaluate("() => !window.Bokeh")
    visit.settled = lambda script: visit.page.evaluate(script)  # without the patience
    assert visit.undrawn_plots()


def test_an_address_on_another_machine_is_found(spoiled, server):
    visit = spoiled("</article>", '<img src="https://cdn.example/x.png"></article>')
    assert visit.outside_requests(server) == ["https://cdn.example/x.png"]


def test_a_missing_image_is_found(spoiled):
    visit = spoiled("</article>", '<img src="figures/gone.svg"></article>')
    visit.page.wait_for_timeout(300)
    assert any("404" in error for error in visit.errors)


def test_a_select_without_a_label_is_found(spoiled, axe):
    select = "<select><option>one</option></select></article>"
    visit = spoiled("</article>", select)
    place = {"include": [["article > select"]]}
    assert any("select-name" in v for v in violations(visit, axe, place=place))


def test_code_in_a_pale_colour_is_found(spoiled, axe):
    pale = "<style>pre .s2, pre .k { color: #ccc !important }</style></article>"
    found = violations(spoiled("</article>", pale), axe, place=ARTICLE)
    assert any("color-contrast" in violation for violation in found)


def test_a_page_that_is_too_wide_is_found(spoiled):
    visit = spoiled("</article>", '<div style="width:3000px">x</div></article>')
    assert visit.overflow() > 0


def test_a_script_that_fails_is_found(spoiled):
    visit = spoiled("</article>", "<script>gone()</script></article>")
    assert any("gone is not defined" in error for error in visit.errors)
