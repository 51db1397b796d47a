"""What a notebook shows where no other machine answers, or answers late."""

import os
import re

import nbformat
import pytest

from tests.browser.notebook_page import notebook_page
from tests.browser.test_payloads import from_this_machine
from tests.file_server import FileServer

pytestmark = pytest.mark.browser
CELLS = [
    "import numpy as np\nfrom helpers import plotting",
    'plotting.show(plotting.bars(["cat", "dog"], [3, 5], "Pets", "how many"))',
    'plotting.show(plotting.lines({"a": ([0, 1], [1, 2])}, "A", "x", "y"))',
    """from helpers.attention import Reading
from chapters.seeing_attention.views import head_view
weights = np.full((1, 2, 3, 3), 1 / 3, "float32")
special, one = np.array([True, False, True]), np.zeros(3, int)
head_view(Reading(["[CLS]", "a", "[SEP]"], weights, special, one, one))""",
]
DRAWN = """() => [...document.querySelectorAll("[data-root-id]")].filter(
  place => place.firstElementChild?.shadowRoot?.querySelector("canvas")
    || place.firstElementChild?.shadowRoot?.childElementCount).length === 2"""
# The class says that the frame has waited: while a page is parsed, its style is not
# there yet and every part has a height.
PICTURE = ".attention-view.undrawn > svg"
IS_SHOWN = """name =>
  document.querySelector(name)?.getBoundingClientRect().height > 20"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the page of a notebook: two charts and an attention view."""
    from nbclient import NotebookClient

    cells = [nbformat.v4.new_code_cell(source) for source in CELLS]
    notebook = nbformat.v4.new_notebook(cells=cells)
    # The book's pages take their scripts from elsewhere; tests of pages say so.
    own = {name: v for name, v in os.environ.items() if name != "BOKEH_RESOURCES"}
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute(env=own)
    folder = tmp_path_factory.mktemp("alone")
    outputs = [output for cell in notebook.cells for output in cell.outputs]
    (folder / "index.html").write_text(notebook_page(outputs), encoding="utf-8")
    return folder


@pytest.fixture
def opened(chromium, folder):
    """Open the page where `answer` takes the requests to other machines."""
    server, contexts, asked = FileServer(folder), [], []

    def open_it(answer):
        def noted(route):
            asked.append(route.request.url)
            answer(route)

        contexts.append(chromium.new_context())
        contexts[-1].route(re.compile("^https://"), noted)
        page = contexts[-1].new_page()
        page.goto(f"{server.url}/index.html", wait_until="commit")
        return page, asked

    yield open_it
    for context in contexts:
        context.close()
    server.stop()


def test_without_an_answer_charts_are_drawn_and_views_have_their_picture(opened):
    page, asked = opened(lambda route: route.abort())
    page.wait_for_function(DRAWN, timeout=20_000)
    page.wait_for_function(IS_SHOWN, arg=PICTURE, timeout=20_000)
    assert not page.evaluate(IS_SHOWN, ".attention-view > iframe")
    assert page.locator(".late").is_visible()
    assert not [url for url in asked if "bokeh" in url]


def test_a_view_whose_libraries_come_late_replaces_its_picture(opened):
    requests = []
    page, _ = opened(requests.append)
    page.wait_for_function(DRAWN, timeout=20_000)
    page.wait_for_function(IS_SHOWN, arg=PICTURE, timeout=20_000)
    for address in ("require.min.js", "d3.min.js", "jquery.min.js"):
        while not (waiting := [r for r in requests if address in r.request.url]):
            page.wait_for_timeout(50)
        from_this_machine(waiting[0])
    page.wait_for_function(IS_SHOWN, arg=".attention-view > iframe", timeout=20_000)
    assert not page.evaluate(IS_SHOWN, ".attention-view > svg")
    assert not page.locator(".late").is_visible()
