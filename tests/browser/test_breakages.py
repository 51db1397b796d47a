"""The browser tests themselves: each finds what was broken on purpose."""

import pytest

from build_tools.book.dependencies import name_of
from helpers.exercises.chapters import chapter_named
from tests.browser.accessibility import ARTICLE, violations
from tests.browser.visit import UNDRAWN_PLOTS, open_page

pytestmark = pytest.mark.browser

PAGE = f"chapters/{name_of(chapter_named('word-senses').page)}/index.html"


END = "</article>"
BROKEN = """<img src="https://cdn.example/x.png"><img src="figures/gone.svg">
<select><option>one</option></select><div style="width:3000px">x</div>
<style>pre .s2, pre .k { color: #ccc !important }</style><script>gone()</script>"""


@pytest.fixture
def spoiled(chromium, server, book):
    """Open the page on word senses after a change of its text."""
    with chromium.new_context() as context:

        def open_spoiled(old, new):
            text = (book / PAGE).read_text(encoding="utf-8")
            assert old in text
            body, kind = text.replace(old, new), "text/html; charset=utf-8"
            context.route(
                f"**/{PAGE}", lambda r: r.fulfill(body=body, content_type=kind)
            )
            return open_page(context, f"{server}/{PAGE}")

        yield open_spoiled


def test_what_is_broken_is_found(spoiled, server, axe):
    visit = spoiled(END, BROKEN + END)
    assert visit.outside_requests(server) == ["https://cdn.example/x.png"]
    assert visit.overflow() > 0
    found = str(violations(visit, axe, place=ARTICLE))
    assert "select-name" in found and "color-contrast" in found
    errors = str(visit.errors)
    assert "status of 404" in errors and "gone is not defined" in errors


def test_bokeh_without_its_loader_is_found(spoiled):
    visit = spoiled("vendor/bokeh/bokeh.min.js", "vendor/bokeh/gone.min.js")
    assert visit.page.evaluate("() => !window.Bokeh")
    assert visit.page.evaluate(UNDRAWN_PLOTS)
