"""No page grows over what a reader can take in one sitting."""

from functools import cache

import pytest

from build_tools.book import page_sizes
from build_tools.book.dependencies import name_of
from build_tools.book.execution import executable_pages
from build_tools.notebooks import exporter, kept

LIST = "build-status"  # of all findings; nobody reads it through
PAGES = [page for page in executable_pages(exporter.ROOT) if name_of(page) != LIST]


@cache
def measured(page):
    return page_sizes.measure(page, exporter.ROOT)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_page_keeps_below_the_ceilings(page):
    size = measured(page)
    above = {what: size[what] for what in page_sizes.above(size)}
    assert above == {}, "see make pages"


@pytest.mark.parametrize("page", exporter.chapters(), ids=name_of)
def test_the_notebook_says_the_minutes_of_the_built_page(page):
    minutes = kept.in_notebook(page, exporter.ROOT).minutes
    built = {part: measured(page)[f"{part} minutes"] for part in minutes}
    assert minutes and minutes == built, "make notebooks, after make book"
