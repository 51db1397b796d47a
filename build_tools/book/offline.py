"""Pages that load nothing from other machines.

Notebooks need Bokeh's CDN addresses (Colab has nothing else); pages get the same
files from Bokeh's own wheel. That nothing else comes from outside, and that all plots
are drawn, the tests in the browser see.
"""

import re
import shutil
from html import unescape
from pathlib import Path

BOKEH_LIST = re.compile(r'(?<=js_urls = \[)"https://cdn\.bokeh\.org[^\]]*')
BOKEH_MODEL = re.compile(r'"type":"object","name":"(\w+)"')


def keep_page_offline(app, pagename, templatename, context, doctree):
    """Turn the page's CDN addresses, of all of Bokeh's scripts, into files it needs."""
    body = context.get("body") or ""
    if app.builder.format != "html" or not BOKEH_LIST.search(body):
        return
    import bokeh

    source = Path(bokeh.__file__).parent / "server/static/js"
    target = Path(app.outdir) / "_static/vendor/bokeh"
    target.mkdir(parents=True, exist_ok=True)
    place = context["pathto"]("_static", 1).rstrip("/") + "/vendor/bokeh"
    names = [f"{name}.min.js" for name in bokeh_scripts(body)]
    for name in names:
        shutil.copy(source / name, target)
    urls = ", ".join(f'"{place}/{name}"' for name in names)
    context["body"] = BOKEH_LIST.sub(urls, body)


def bokeh_scripts(body):
    """Return the names of the Bokeh scripts that the plots in a page need."""
    from bokeh import models
    from bokeh.models.widgets import Widget

    used = {getattr(models, name, None) for name in BOKEH_MODEL.findall(unescape(body))}
    widgets = any(isinstance(m, type) and issubclass(m, Widget) for m in used)
    return ["bokeh", "bokeh-widgets"] if widgets else ["bokeh"]
