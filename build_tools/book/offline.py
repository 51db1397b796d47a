"""Pages that load nothing from other machines.

Notebooks need Bokeh's CDN addresses (Colab has nothing else); pages get the same
file from Bokeh's own wheel. An outside address that a page would still load is
a warning, and warnings fail the build.
"""

import re
import shutil
from html import unescape
from pathlib import Path

from bs4 import BeautifulSoup
from sphinx.util import logging

LOGGER = logging.getLogger(__name__)

BOKEH_URL = re.compile(
    r"https://cdn\.bokeh\.org/bokeh/release/(bokeh(?:-[a-z]+)?)-\d[\w.]*?\.min\.js"
)
BOKEH_LIST = re.compile(r"(js_urls = \[)([^\]]*)(\])")
BOKEH_FORMULA = re.compile(r'"(?:text|title|axis_label)":"[^"]*(?:\$\$|\\\\[(\[])')
BOKEH_MODEL = re.compile(r'"type":"object","name":"(\w+)"')

OUTSIDE = re.compile(r"(?:https?:)?//", re.IGNORECASE)
# In a script only a whole string can be an address that it loads; a sentence of
# the data that mentions one is none.
SCRIPT_STRING = re.compile(r"""(["'])((?:https?:)?//[^"'\s\\]+)\1""")
LOADABLE_FILE = re.compile(
    r"//[^/]+/.*\.(?:m?js|css|woff2?|[to]tf|png|jpe?g|gif|svg|webp)(?:[?#]|$)"
)
CDN_HOST = re.compile(r"//(?:[\w-]+\.)*(?:cdn|cdnjs|jsdelivr|unpkg|googleapis|esm)\.")
STYLE_URL = re.compile(r"""(?:url\(\s*|@import\s+)["']?((?:https?:)?//[^"')\s;]+)""")
LOADING_ATTRIBUTES = {
    "src", "srcset", "data", "poster", "background", "xlink:href",
}  # fmt: skip
LOADING_HREF_TAGS = {"image", "use", "feimage"}
LOADING_RELATIONS = {
    "stylesheet", "preload", "modulepreload", "prefetch", "preconnect",
    "dns-prefetch", "icon", "manifest", "apple-touch-icon",
}  # fmt: skip


def keep_page_offline(app, pagename, templatename, context, doctree):
    """Rewrite the page's CDN addresses; warn of every outside one that is left."""
    if app.builder.format != "html":
        return
    body = context.get("body") or ""
    if "cdn.bokeh.org" in body:
        components = bokeh_components(body)
        copy_bokeh(components, Path(app.outdir) / "_static")
        static = context["pathto"]("_static", 1).rstrip("/")
        body = context["body"] = use_local_bokeh(body, components, static)
    warn_of(pagename, outside_addresses(body) + outside_files(context))


def warn_of(pagename, addresses):
    """Warn of each outside address that a page would load."""
    for address in sorted(set(addresses)):
        LOGGER.warning(
            "%s would load %s from another machine: keep the file in the book",
            pagename,
            address,
            type="offline",
            subtype="address",
        )


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


def outside_files(context):
    """Return outside addresses among a page's script and style files."""
    found = []
    for file in [*context.get("script_files", []), *context.get("css_files", [])]:
        found.append(str(getattr(file, "filename", file) or ""))
        inline = getattr(file, "attributes", {}).get("body")
        found += script_addresses(str(inline or ""))
    return [address for address in found if OUTSIDE.match(address)]


def outside_addresses(html):
    """Return, in order, the addresses on other machines that `html` would load."""
    soup = BeautifulSoup(html, "html.parser", multi_valued_attributes=None)
    return [address for tag in soup.find_all(True) for address in _loaded_by(tag)]


def script_addresses(script):
    """Return the outside addresses that look like something a script loads."""
    strings = [match[2] for match in SCRIPT_STRING.finditer(script.replace(r"\/", "/"))]
    return [s for s in strings if LOADABLE_FILE.search(s) or CDN_HOST.search(s)]


def _loaded_by(tag):
    """Yield what an element loads from other machines; a link to click is no load."""
    for name, value in tag.attrs.items():
        if name == "style":
            yield from STYLE_URL.findall(value)
        elif name == "srcdoc":
            yield from outside_addresses(value)
        elif name == "srcset":
            addresses = (part.split()[0] for part in value.split(",") if part.split())
            yield from filter(OUTSIDE.match, addresses)
        elif name in LOADING_ATTRIBUTES or name == "href" and _href_loads(tag):
            yield from filter(OUTSIDE.match, [value.strip()])
    if tag.name == "style":
        yield from STYLE_URL.findall(tag.get_text())
    elif tag.name == "script":
        yield from script_addresses(tag.get_text())


def _href_loads(tag):
    relations = set(tag.get("rel", "").lower().split())
    return tag.name in LOADING_HREF_TAGS or (
        tag.name == "link" and bool(LOADING_RELATIONS & relations)
    )
