"""Still pictures of the plots of executed chapters, for slides.

Bokeh draws a plot in the reader's browser. Here Chromium draws it once, and the PNG is
described by the plot's title and axes.
"""

import io
import json
import re
from dataclasses import dataclass

from PIL import Image

from build_tools import browser

WIDTH = 600  # narrower than on a page, so that letters are large for the picture
SCALE = 2  # pixels for each of its units
COLOURS = 128
EXECUTED = "application/vnd.bokehjs_exec.v0+json"
ROOT_ID = re.compile(r'<div [^>]*?\bid="([\w-]+)" data-root-id="[^"]+"')
DOCUMENT = re.compile(r"const docs_json = ")


@dataclass(frozen=True)
class Plot:
    """A plot of a page: the id of its place, what draws it, what it shows in words."""

    place: str
    html: str
    script: str
    alt: str


def plots_of(outputs):
    """Return the Plots among the outputs of a cell, in their order."""
    found, html = [], None
    for output in outputs:
        data = output.get("data", {})
        if ROOT_ID.search(data.get("text/html", "")):
            html = data["text/html"]
        elif EXECUTED in data and html:
            script = data["application/javascript"]
            found.append(Plot(ROOT_ID.search(html)[1], html, script, described(script)))
            html = None
    return found


def described(script):
    """Say in words what a plot shows: its title and what its axes count."""
    text = script[DOCUMENT.search(script).end() :].replace(r"\x3c", r"\u003c")
    document = json.JSONDecoder().raw_decode(text)[0]
    titles, axes = [], []
    for model in _models(document):
        attributes = model.get("attributes", {})
        if model["name"] == "Title" and attributes.get("text"):
            titles.append(attributes["text"])
        elif label := attributes.get("axis_label"):
            axes.append(label if isinstance(label, str) else "")
    parts = [f"Plot: {'; '.join(titles) or 'without a title'}."]
    if axes := [label for label in dict.fromkeys(axes) if label]:
        parts.append(f"Axes: {'; '.join(axes)}.")
    return " ".join(parts)


def _models(part):
    """Every model of a document of Bokeh, in its order."""
    if isinstance(part, list):
        for item in part:
            yield from _models(item)
    elif isinstance(part, dict):
        if part.get("type") == "object" and "name" in part:
            yield part
        for item in part.values():
            yield from _models(item)


def draw(plots):
    """Return {place: PNG} of the Plots; SystemExit where there is no Chromium."""
    from bokeh.resources import Resources
    from playwright.sync_api import sync_playwright

    if not plots:
        return {}
    names = ["bokeh", "bokeh-gl", "bokeh-widgets", "bokeh-tables", "bokeh-mathjax"]
    library = "\n".join(Resources(mode="inline", components=names).js_raw)
    pictures = {}
    with sync_playwright() as playwright:
        chromium = browser.launch_chromium(playwright)
        page = chromium.new_page(
            viewport={"width": WIDTH + 40, "height": 1000}, device_scale_factor=SCALE
        )
        for plot in plots:
            page.set_content(
                f'<body style="margin: 0"><div id="plot" style="width: {WIDTH}px">'
                f"{plot.html}</div>"
            )
            page.add_script_tag(content=library)
            page.add_script_tag(content=plot.script)
            page.wait_for_function(
                "() => Bokeh.documents.length && Bokeh.documents.every(d => d.is_idle)"
            )
            shot = page.locator("#plot").screenshot(animations="disabled")
            pictures[plot.place] = smaller(shot)
        chromium.close()
    return pictures


def smaller(png):
    """Return a screenshot of few colours as the bytes of a smaller PNG."""
    kept = io.BytesIO()
    few = Image.open(io.BytesIO(png)).convert("RGB").quantize(COLOURS)
    few.save(kept, "PNG", optimize=True)
    return kept.getvalue()
