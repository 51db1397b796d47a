"""The built book, a server for it and a headless Chromium."""

import os
from pathlib import Path

import pytest

from build_tools import browser
from tests.browser.visit import open_page
from tests.file_server import FileServer

BOOK = Path(__file__).resolve().parents[2] / "_build" / "html"


def pages_of_the_book():
    """Return the pages' addresses within the book, or just the first if unbuilt."""
    pages = [path.relative_to(BOOK) for path in BOOK.rglob("*.html")]
    pages = [page.as_posix() for page in pages if page.parts[0] != "_static"]
    return sorted(pages) or ["index.html"]


def pytest_generate_tests(metafunc):
    if "page_name" in metafunc.fixturenames:
        metafunc.parametrize("page_name", pages_of_the_book())


@pytest.fixture
def first_view_page(book):
    """The address, within the book, of one page that holds views."""
    for page in pages_of_the_book():
        if 'class="attention-view"' in (book / page).read_text():
            return page
    pytest.fail("no page of the book has an attention view")


@pytest.fixture(scope="session")
def book():
    """The folder of the built book."""
    if not (BOOK / "index.html").is_file():
        pytest.fail("there is no book in _build/html: run `make book`", pytrace=False)
    return BOOK


@pytest.fixture(scope="session")
def server(book):
    """The address of a local server of the book."""
    files = FileServer(book)
    yield files.url
    files.stop()


@pytest.fixture(scope="session")
def chromium_path():
    """Where Chromium is; without one, skip loudly or (in CI) fail."""
    path = browser.chromium_path()
    if path is None:
        if os.environ.get("REQUIRE_TOOLS"):
            pytest.fail(browser.MISSING, pytrace=False)
        pytest.skip(f"BROWSER TESTS SKIPPED: {browser.MISSING}")
    return path


@pytest.fixture(scope="session")
def chromium(chromium_path):
    """A running headless Chromium."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = browser.launch_chromium(playwright)
        yield running
        running.close()


@pytest.fixture(scope="session")
def axe():
    """The script of axe-core."""
    from axe_playwright_python.base import AXE_SCRIPT

    return AXE_SCRIPT


@pytest.fixture
def open_tab(chromium):
    """Open addresses in fresh browser contexts of a given look."""
    contexts = []

    def open_in(url, width=1280, colours="light", routes=None):
        context = chromium.new_context(
            viewport={"width": width, "height": 900}, color_scheme=colours
        )
        contexts.append(context)
        for pattern, answer in (routes or {}).items():
            context.route(pattern, answer)
        return open_page(context, url)

    yield open_in
    for context in contexts:
        context.close()
