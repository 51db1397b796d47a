"""The built book, a server for it and a headless Chromium."""

import os
from contextlib import contextmanager
from pathlib import Path

import pytest

from build_tools import browser
from build_tools.machine.page import PAGE
from tests.browser.machine import RUNS
from tests.browser.visit import PATIENCE, open_page
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


@contextmanager
def tabs(chromium):
    contexts = []

    def open_in(url, size=(1280, 900), routes=None, **look):
        viewport = dict(zip(("width", "height"), size, strict=True))
        contexts.append(chromium.new_context(viewport=viewport, **look))
        for pattern, answer in (routes or {}).items():
            contexts[-1].route(pattern, answer)
        return open_page(contexts[-1], url)

    yield open_in
    for context in contexts:
        context.close()


@pytest.fixture
def open_tab(chromium):
    """Open addresses in fresh browser contexts of a given look."""
    with tabs(chromium) as open_in:
        yield open_in


@pytest.fixture(scope="module")
def open_for_all(chromium):
    """As `open_tab`, for what all tests of a file look at."""
    with tabs(chromium) as open_in:
        yield open_in


@pytest.fixture
def opened(open_tab, server):
    """Open the machine at a state, in a window; nothing moves unless asked to."""

    def open_at(state="", size=(1440, 900), motion="reduce", place=server, **look):
        address = f"{place}/{PAGE}#{state}"
        visit = open_tab(address, size, reduced_motion=motion, **look)
        visit.page.wait_for_function(RUNS, timeout=PATIENCE)
        return visit

    return open_at
