"""No page grows over what a reader can take in one sitting."""

import pytest

from build_tools.book.dependencies import name_of
from build_tools.book.execution import executable_pages
from build_tools.book.page_sizes import above, measure
from build_tools.notebooks import exporter, kept

LIST = "build-status"  # of all findings; nobody reads it through
PAGES = [page for page in executable_pages(exporter.ROOT) if name_of(page) != LIST]
each_page = pytest.mark.parametrize("page", PAGES, ids=name_of)


@each_page
def test_a_page_keeps_below_the_ceilings(page):
    size = measure(page, exporter.ROOT)
    assert {what: size[what] for what in above(size)} == {}, "see make pages"


@pytest.mark.parametrize("page", exporter.chapters(), ids=name_of)
def test_the_notebook_says_the_minutes_of_the_built_page(page):
    minutes = kept.in_notebook(page, exporter.ROOT).minutes
    built = kept.minutes_of_built(page, exporter.ROOT)
    assert minutes == built, "make notebooks, after make book"
