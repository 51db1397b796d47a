"""Pages that load nothing from other machines.

Notebooks need Bokeh's CDN addresses (Colab has nothing else); pages get the same
file from Bokeh's own wheel. That nothing else comes from outside, the tests in the
browser see.
"""

import re
import shutil
from html import unescape
from pathlib import Path

BOKEH_URL = re.compile(
    r"https://cdn\.bokeh\.org/bokeh/release/(bokeh(?:-[a-z]+)?)-\d[\w.]*?\.min\.js"
)
BOKEH_LIST = re.compile(r"(js_urls = \[)([^\]]*)(\])")
BOKEH_FORMULA = re.compile(r'"(?:text|title|axis_label)":"[^"]*(?:\$\$|\\\\[(\[])')
BOKEH_MODEL = re.compile(r'"type":"object","name":"(\w+)"')


def keep_page_offline(app, pagename, templatename, context, doctree):
    """Rewrite the page's CDN addresses."""
    if app.builder.format != "html":
        return
    body = context.get("body") or ""
    if "cdn.bokeh.org" in body:
        components = bokeh_components(body)
        copy_bokeh(components, Path(app.outdir) / "_static")
        static = context["pathto"]("_static", 1).rstrip("/")
        context["body"] = use_local_bokeh(body, components, static)


def bokeh_components(body):
    """Return the names of the Bokeh scripts that the plots in `body` need, in order."""
    from bokeh import models
    from bokeh.models.widgets import TableWidget, Widget

    body = unescape(body)
    used = [getattr(models, name, None) for name in set(BOKEH_MODEL.findall(body))]
    used = [model for model in used if isinstance(model, type)]
    tables = any(issubclass(model, TableWidget) for model in used)
    needs = {
        "bokeh-gl": '"output_backend":"webgl"' in body,
        "bokeh-widgets": tables or any(issubclass(model, Widget) for model in used),
        "bokeh-tables": tables,
        "bokeh-mathjax": bool(BOKEH_FORMULA.search(body)),
    }
    return ["bokeh"] + [name for name, needed in needs.items() if needed]


def copy_bokeh(components, static_folder):
    """Copy those scripts from Bokeh's wheel to `static_folder/vendor/bokeh`."""
    import bokeh

    source = Path(bokeh.__file__).parent / "server" / "static" / "js"
    target = static_folder / "vendor" / "bokeh"
    target.mkdir(parents=True, exist_ok=True)
    for name in components:
        shutil.copy(source / f"{name}.min.js", target)


def use_local_bokeh(body, components, static):
    """Turn Bokeh's CDN addresses into files below `static`, a relative address.

    Notebook outputs list all five of Bokeh's scripts; only `components` stay.
    """

    def shorten(match):
        names = [m[1] for m in BOKEH_URL.finditer(match[2]) if m[1] in components]
        urls = [f'"{static}/vendor/bokeh/{name}.min.js"' for name in names]
        return match[1] + ", ".join(urls) + match[3] if names else match[0]

    body = BOKEH_LIST.sub(shorten, body)
    return BOKEH_URL.sub(lambda m: f"{static}/vendor/bokeh/{m[1]}.min.js", body)
