"""What every built page must hold or must not, without a browser."""

from pathlib import Path

import pytest

from build_tools.offline import outside_addresses

BOOK = Path(__file__).resolve().parents[2] / "_build" / "html"


@pytest.fixture(scope="module")
def pages():
    """The text of every page of the built book, by its address."""
    if not (BOOK / "index.html").is_file():
        pytest.fail("there is no book in _build/html: run `make book`", pytrace=False)
    paths = [path.relative_to(BOOK) for path in BOOK.rglob("*.html")]
    return {
        path.as_posix(): (BOOK / path).read_text(encoding="utf-8")
        for path in paths
        if path.parts[0] != "_static"
    }


def test_no_page_loads_from_another_machine(pages):
    loads = {name: outside_addresses(text) for name, text in pages.items()}
    assert {name: found for name, found in loads.items() if found} == {}


def test_every_file_that_a_page_asks_bokeh_to_load_is_there(pages):
    for name, text in pages.items():
        if "vendor/bokeh/" in text:
            assert (BOOK / "_static/vendor/bokeh/bokeh.min.js").is_file(), name


def test_no_page_shows_a_warning_or_a_traceback_of_its_run(pages):
    shown = [n for n, text in pages.items() if 'class="output stderr' in text]
    failed = [n for n, text in pages.items() if 'class="output traceback' in text]
    assert shown == []
    assert failed == []
