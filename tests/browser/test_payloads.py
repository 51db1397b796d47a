"""Scripts in text of others: nothing runs, and the text shows as it is.

One page of a book shows the text in each kind of output: plot, attention view, picture,
reply and value. What a claim shows of it: tests/helpers/test_filled.py.
"""

import os
import shutil
from pathlib import Path

import nbformat
import pytest

from tests.file_server import FileServer
from tests.sphinx_book import sphinx_book

pytestmark = pytest.mark.browser

ROOT = Path(__file__).resolve().parents[2]
PAYLOADS = {
    "script": "<script>top.ran='script'</script>",
    "image": "<img src=/ran.png onerror=top.ran='image'>",
    "end of script": "</script><script>top.ran='end'</script>",
    "END OF SCRIPT": "</SCRIPT ><img src=/ran.png onerror=top.ran='END'>",
    "comment": "<!--<script>",
    "double quote": "\"autofocus tabindex=0 onfocus=top.ran='double' x=\"",
    "single quote": "'autofocus tabindex=0 onfocus=top.ran=\"single\" x='",
    "attribute": '"><svg onload=top.ran=1>',
    "link": "<a href=\"javascript:top.ran='link'\">x</a>",
    "markdown": "[x](javascript:top.ran='link') ![x](/ran.png)",
    "template": "${top.ran='template'} {{top.ran='braces'}} @x{safe}",
    "formula": "$$\\href{javascript:top.ran='formula'}{x}$$",
}
START = f"""
import numpy as np
from helpers import attention, exercises, glue, plotting
from helpers.attention import views as attention_views
from helpers.plotting import pictures
EACH = {list(PAYLOADS.values())!r}
ALL = " ".join(EACH)
N = len(EACH)
UP = list(range(N))
def reading():
    even = np.full((2, 2, N, N), 1 / N, np.float32)
    plain = np.zeros(N, int)
    return attention.Reading(EACH, even, plain > 0, plain, np.arange(N))
def refuse(labels):
    raise RuntimeError(ALL)
"""
CASES = {
    "bars": "plotting.show(plotting.bars(EACH, [n + 1 for n in UP], ALL, ALL, "
    "references=[(ALL, 3)]))",
    "scatter": "plotting.show(plotting.sentence_scatter([(i, i) for i in UP], "
    "[ALL] * N, [[p, p] for p in EACH], [0] * N, ALL, axes=(ALL, ALL)))",
    "view": "attention_views.model_view(reading(), title=ALL)",
    "check": 'exercises.check("word-senses.1", refuse)',
    "picture": "pictures.draw(pictures.matrices("
    "pictures.Matrix(ALL, [UP], [ALL], EACH), words=ALL))",
    "glue": 'glue("text", ALL, display=False)',
}
CONF = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
from build_tools.book import views_to_files
from build_tools.book import offline
extensions = ["myst_nb"]
nb_execution_mode = "off"
smartquotes = False
html_theme = "basic"
suppress_warnings = ["mystnb.unknown_mime_type"]
def setup(app):
    app.connect("html-page-context", views_to_files.move_to_files, priority=850)
    app.connect("html-page-context", offline.keep_page_offline, priority=900)
"""
# Everything in the page, in its frames of the same origin and in shadow roots.
EVERYTHING = """function everything(root) {
  return [...root.querySelectorAll("*")].flatMap(element => [element,
    ...(element.shadowRoot ? everything(element.shadowRoot) : []),
    ...(element.contentDocument ? everything(element.contentDocument) : [])]);
}"""
BROKEN_OUT = f"""() => {{ {EVERYTHING}
  const bad = everything(document).filter(element =>
    [...element.attributes].some(({{name, value}}) =>
      (name.startsWith("on") && value.includes("ran"))
      || (name === "href" && value.trim().startsWith("javascript:"))
      || (name === "src" && value.includes("ran.png")))
    || (element.localName === "script" && /^\\s*top\\.ran/.test(element.textContent)));
  return [...bad.map(element => element.outerHTML), ...(top.ran ? [top.ran] : [])];
}}"""
SHOWN = f"""place => {{ {EVERYTHING}
  const silent = ["SCRIPT", "STYLE", "TITLE"];
  return everything(place ?? document)
    .filter(e => !silent.includes(e.nodeName.toUpperCase()))
    .flatMap(e => [...e.childNodes]).filter(node => node.nodeType === 3)
    .map(node => node.data).join(" ");
}}"""


@pytest.fixture(scope="module")
def page(book, tmp_path_factory):
    """The address of the page that shows them all."""
    from nbclient import NotebookClient

    root = tmp_path_factory.mktemp("payloads")
    code = [nbformat.v4.new_code_cell(source) for source in (START, *CASES.values())]
    notebook = nbformat.v4.new_notebook(cells=code)
    client = NotebookClient(notebook, timeout=120, kernel_name="python3")
    client.execute(cwd=str(ROOT), env=os.environ | {"BOKEH_RESOURCES": "cdn"})
    title, value = "# Cases", "So: {glue:text}`text`"
    cells = [nbformat.v4.new_markdown_cell(source) for source in (title, value)]
    notebook.cells = [cells[0], *code, cells[1]]
    nbformat.write(notebook, root / "index.ipynb")
    (root / "conf.py").write_text(CONF)
    with sphinx_book(root, root / "pages", conf=root) as app:
        app.build()
    vendor = root / "pages/_static/vendor"
    shutil.copytree(book / "_static/vendor", vendor, dirs_exist_ok=True)
    server = FileServer(root / "pages")
    yield f"{server.url}/index.html"
    server.stop()


def lacking(place, script=SHOWN):
    """The texts that a part of the page does not show."""
    shown = " ".join(place.evaluate(script).split())
    return [payload for payload in PAYLOADS.values() if payload not in shown]


def test_text_of_others_is_text_wherever_it_is_shown(open_tab, page):
    visit = open_tab(page)
    visit.page.on("dialog", lambda dialog: visit.errors.append(dialog.message))
    assert visit.undrawn_plots() == [] and visit.undrawn_views() == {}
    [view] = visit.views()
    view.click('[role="button"][aria-label="Layer 1, head 1"]')
    assert lacking(view) == []
    outputs = visit.page.locator(".cell_output")
    for name, number in (("check", 3), ("picture", 4)):
        assert lacking(outputs.nth(number)) == [], name
    assert lacking(visit.page.get_by_text("So: ").first) == []
    assert visit.page.evaluate(BROKEN_OUT) == []
    assert [e for e in visit.errors if "favicon" not in e] == []
    assert [url for url in visit.requests if "ran.png" in url] == []
