"""What a notebook shows of the outputs of its cells, as a page."""

import json
from pathlib import Path

import bokeh
from markdown_it import MarkdownIt

from build_tools.book import offline, views_to_files

ROOT = Path(__file__).resolve().parents[2]


def notebook_page(outputs):
    """Return HTML that does with the outputs what a notebook does, in their order."""
    parts = []
    for data in (output.get("data", {}) for output in outputs):
        if script := data.get("application/javascript"):
            quoted = json.dumps(script).replace("<", "\\u003c")
            parts.append(f"<script>(0, eval)({quoted})</script>")
        elif "text/markdown" in data:
            parts.append(MarkdownIt("commonmark").render(data["text/markdown"]))
        else:
            parts.append(data.get("text/html", ""))
    return "<!doctype html><meta charset=utf-8><body>" + "".join(parts)


OPEN = {"Access-Control-Allow-Origin": "*", "Content-Type": "text/javascript"}


def from_this_machine(route):
    """Answer for the servers that a notebook loads its scripts from."""
    url = route.request.url
    if bokeh_script := offline.BOKEH_URL.fullmatch(url):
        folder = Path(bokeh.__file__).parent / "server/static/js"
        return route.fulfill(path=folder / f"{bokeh_script[1]}.min.js", headers=OPEN)
    for address, file in views_to_files.SCRIPTS.items():
        if url.startswith(address):
            path = ROOT / "_build/assets/vendor" / f"{file.removesuffix('.js')}.js"
            return route.fulfill(path=path, headers=OPEN)
    raise AssertionError(f"a request for {url}")
