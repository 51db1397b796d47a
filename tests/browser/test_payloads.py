"""Scripts in text of others: nothing runs, and the text shows as it is.

One notebook shows the text in each kind of output: plot, attention view, picture,
reply, value and claim. It is executed once and opened twice: as pages of a book show
its outputs, and as a notebook does.
"""

import os
import re
import shutil
from pathlib import Path

import bokeh
import nbformat
import pytest

from build_tools.book import views_to_files
from tests.browser.notebook_page import notebook_page
from tests.browser.visit import Visit
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
from helpers import attention, exercises, glue, glued_text, plotting
from chapters.seeing_attention import views as attention_views
from helpers.plotting import pictures
from helpers.verdicts import claim
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
PLOTS = {
    "bars": "bars(EACH, [n + 1 for n in UP], ALL, ALL, references=[(ALL, 3)])",
    "sentence_scatter": "sentence_scatter([(i, i) for i in UP], [ALL] * N,"
    " [[p, p] for p in EACH], [0] * N, ALL)",
}
VIEWS = {"model_view": "attention_views.model_view(reading(), title=ALL)"}
TEXTS = {
    "check": 'exercises.check("word-senses.1", refuse)',
    "picture": "pictures.draw(pictures.matrices("
    "pictures.Matrix(ALL, [UP], [ALL], EACH), words=ALL))",
    "glue": 'glue("text", ALL, display=False)',
    "glued_text": 'glue("text", ALL, display=False)\nglued_text("So: {text}")',
    "claim": 'claim("name", False, ALL)\nglued_text("{claim:name}So{claim:/name}.")',
}
CASES = (
    {name: f"plotting.show(plotting.{code})" for name, code in PLOTS.items()}
    | VIEWS
    | TEXTS
)
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
SHOWN = f"""() => {{ {EVERYTHING}
  const silent = ["SCRIPT", "STYLE", "TITLE"];
  return everything(document).filter(e => !silent.includes(e.nodeName.toUpperCase()))
    .flatMap(e => [...e.childNodes]).filter(node => node.nodeType === 3)
    .map(node => node.data).join(" ");
}}"""
# Where the marks of the first renderer that can be pointed at lie in the window.
MARKS = """() => {
  const [view] = [...Bokeh.index.roots];
  const hover = view.model.toolbar.tools.filter(tool => tool.type === "HoverTool");
  const {left, top} = view.canvas_view.el.getBoundingClientRect();
  const {x_scale, y_scale} = view.frame;
  return hover.flatMap(tool => {
    const drawn = tool.renderers === "auto" ? view.model.renderers : tool.renderers;
    return drawn.flatMap(({glyph, data_source}) => {
      const column = field => [...data_source.get_column(field)];
      const across = column((glyph.x ?? glyph.right).field);
      const up = column(glyph.y.field);
      const half = glyph.x ? 1 : 2; // a bar starts at 0
      return across.map((x, i) => [
        left + x_scale.compute(typeof x === "number" ? x / half : x),
        top + y_scale.compute(up[i])]);
    });
  });
}"""


@pytest.fixture(scope="session")
def executed():
    """The outputs of each case: {name: list of outputs}, as those of the book."""
    from nbclient import NotebookClient

    cells = [START, *CASES.values()]
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(source) for source in cells]
    )
    env = os.environ | {"BOKEH_RESOURCES": "cdn"}
    client = NotebookClient(notebook, timeout=120, kernel_name="python3")
    client.execute(cwd=str(ROOT), env=env)
    loader, outputs = [], {}
    for name, cell in zip(CASES, notebook.cells[1:], strict=True):
        outputs[name] = cell.outputs
        if name in PLOTS and not loader:  # the first plot brings Bokeh's script
            loader = cell.outputs[:-2]
        elif name in PLOTS:
            outputs[name] = [*loader, *cell.outputs]
    return outputs


@pytest.fixture(scope="session")
def payload_book(executed, book, tmp_path_factory):
    """A small book, with a page for each case; returns its folder."""
    root = tmp_path_factory.mktemp("payloads")
    names = [name for name in CASES if name not in ("glued_text", "claim")]
    (root / "conf.py").write_text(CONF)
    pages = "\n".join(names)
    (root / "index.md").write_text(f"# Cases\n\n```{{toctree}}\n{pages}\n```\n")
    for name in names:
        cells = [
            nbformat.v4.new_markdown_cell("# A case"),
            nbformat.v4.new_code_cell("shown()", outputs=executed[name]),
            nbformat.v4.new_markdown_cell("So: {glue:text}`text`" * (name == "glue")),
        ]
        notebook = nbformat.v4.new_notebook(cells=cells)
        nbformat.write(notebook, root / f"{name}.ipynb")
    pages = root / "pages"
    with sphinx_book(root, pages, conf=root) as app:
        app.build()
    shutil.copytree(
        book / "_static" / "vendor", pages / "_static/vendor", dirs_exist_ok=True
    )
    return pages


@pytest.fixture(scope="session")
def payload_notebook(executed, tmp_path_factory):
    """A page for each case that does with its outputs what a notebook does."""
    folder = tmp_path_factory.mktemp("notebook")
    for name, outputs in executed.items():
        page = notebook_page(outputs)
        (folder / f"{name}.html").write_text(page, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def addresses(payload_book, payload_notebook):
    """Where a server has the pages of each surface."""
    folders = {"book": payload_book, "notebook": payload_notebook}
    servers = {surface: FileServer(folder) for surface, folder in folders.items()}
    yield {surface: server.url for surface, server in servers.items()}
    for server in servers.values():
        server.stop()


@pytest.fixture
def open_case(chromium, addresses):
    """Open a case on a surface; returns the Visit, with dialogs among its errors."""
    with chromium.new_context(viewport={"width": 1280, "height": 1200}) as context:
        context.route(re.compile("^https://"), from_this_machine)
        visit = Visit(context.new_page())
        visit.page.on("dialog", lambda dialog: visit.errors.append(dialog.message))
        visit.page.on("request", lambda request: visit.requests.append(request.url))

        def open_it(name, surface):
            visit.page.goto(f"{addresses[surface]}/{name}.html", wait_until="load")
            return visit

        yield open_it


BOKEH_URL = re.compile(
    r"https://cdn\.bokeh\.org/bokeh/release/(bokeh(?:-[a-z]+)?)-\d[\w.]*?\.min\.js"
)
OPEN = {"Access-Control-Allow-Origin": "*", "Content-Type": "text/javascript"}


def from_this_machine(route):
    """Answer for the servers that a notebook loads its scripts from."""
    url = route.request.url
    if bokeh_script := BOKEH_URL.fullmatch(url):
        folder = Path(bokeh.__file__).parent / "server/static/js"
        return route.fulfill(path=folder / f"{bokeh_script[1]}.min.js", headers=OPEN)
    for address, file in views_to_files.SCRIPTS.items():
        if url.startswith(address):
            path = ROOT / "_build/assets/vendor" / f"{file.removesuffix('.js')}.js"
            return route.fulfill(path=path, headers=OPEN)
    raise AssertionError(f"a request for {url}")


def surfaces(names):
    """(case, surface) for each of `names` on each surface that shows it."""
    in_notebook = dict.fromkeys(("glued_text", "claim"), ["notebook"])
    only = {"glue": ["book"]} | in_notebook
    slow = {"book": [], "notebook": [pytest.mark.slow]}
    return [
        pytest.param(name, surface, marks=slow[surface])
        for name in names
        for surface in only.get(name, ["book", "notebook"])
    ]


def assert_nothing_ran(visit):
    assert visit.page.evaluate(BROKEN_OUT) == []
    assert visit.errors == []
    assert [url for url in visit.requests if "ran.png" in url] == []


def text_of(visit):
    return " ".join(visit.page.evaluate(SHOWN).split())


@pytest.mark.parametrize(("name", "surface"), surfaces(TEXTS))
def test_text_in_what_a_cell_returns_is_text(open_case, name, surface):
    visit = open_case(name, surface)
    visit.page.wait_for_timeout(200)  # for what would load or take the focus
    assert_nothing_ran(visit)
    shown = text_of(visit)
    assert [p for p in PAYLOADS.values() if p not in shown] == []


@pytest.mark.parametrize(("name", "surface"), surfaces(VIEWS))
def test_text_in_an_attention_view_is_text(open_case, name, surface):
    visit = open_case(name, surface)
    assert visit.undrawn_views() == {}
    for frame in visit.views():
        if frame.query_selector("body.model"):
            frame.click('[role="button"][aria-label="Layer 1, head 1"]')
        drawn = " ".join(frame.evaluate(SHOWN).split())
        assert [p for p in PAYLOADS.values() if p not in drawn] == []
    assert_nothing_ran(visit)


@pytest.mark.parametrize(("name", "surface"), surfaces(PLOTS))
def test_text_in_a_plot_and_where_the_mouse_points_is_text(open_case, name, surface):
    visit = open_case(name, surface)
    assert visit.undrawn_plots() == []
    lacking = set(PAYLOADS.values())
    marks = visit.page.evaluate(MARKS)
    for x, y in marks * 10:  # again, where a busy machine shows a text too late
        if lacking:
            visit.page.mouse.move(x, y)
            visit.page.wait_for_timeout(20)
            seen = text_of(visit)
            lacking = {payload for payload in lacking if payload not in seen}
    assert_nothing_ran(visit)
    assert lacking == set()
