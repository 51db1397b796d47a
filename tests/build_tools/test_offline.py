"""Pages load the scripts of their plots from the book."""

from types import SimpleNamespace

import pytest

from build_tools.book import offline

CDN = "https://cdn.bokeh.org/bokeh/release"
LOADER = f"""<script>const js_urls = ["{CDN}/bokeh-3.9.2.min.js",
 "{CDN}/bokeh-gl-3.9.2.min.js", "{CDN}/bokeh-widgets-3.9.2.min.js",
 "{CDN}/bokeh-tables-3.9.2.min.js", "{CDN}/bokeh-mathjax-3.9.2.min.js"];</script>"""
SCATTER = '<script>docs_json = {"type":"object","name":"Scatter"}</script>'


def write_page(tmp_path, body):
    """Put a fake page through the extension; return its body afterwards."""
    app = SimpleNamespace(
        builder=SimpleNamespace(format="html"), outdir=str(tmp_path / "html")
    )
    context = {
        "body": body,
        "pathto": lambda name, resource: f"../{name}",
    }
    offline.keep_page_offline(app, "chapters/fake", "page.html", context, None)
    return context["body"]


def test_a_plot_loads_only_bokeh_itself_from_the_book(tmp_path):
    body = write_page(tmp_path, LOADER + SCATTER)
    assert 'js_urls = ["../_static/vendor/bokeh/bokeh.min.js"]' in body
    copied = tmp_path / "html/_static/vendor/bokeh"
    assert [path.name for path in copied.iterdir()] == ["bokeh.min.js"]


def test_a_table_gets_the_scripts_that_it_needs(tmp_path):
    tag = f'<script src="{CDN}/bokeh-3.9.2.min.js"></script>'
    table = SCATTER.replace("Scatter", "DataTable")
    body = write_page(tmp_path, LOADER + tag + table)
    assert '<script src="../_static/vendor/bokeh/bokeh.min.js"></script>' in body
    for name in ("bokeh", "bokeh-widgets", "bokeh-tables"):
        assert f'"../_static/vendor/bokeh/{name}.min.js"' in body
        assert (tmp_path / f"html/_static/vendor/bokeh/{name}.min.js").stat().st_size
    assert "bokeh-gl" not in body


@pytest.mark.parametrize(
    ("attribute", "components"),
    [
        ('"output_backend":"webgl"', ["bokeh", "bokeh-gl"]),
        ('"axis_label":"$$x^2$$"', ["bokeh", "bokeh-mathjax"]),
        ('"title":"\\\\(x\\\\)"', ["bokeh", "bokeh-mathjax"]),
        ('"text":"costs $5"', ["bokeh"]),
    ],
)
def test_what_a_plot_asks_for_beside_models(attribute, components):
    assert offline.bokeh_components(attribute) == components
