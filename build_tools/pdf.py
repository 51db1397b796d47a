"""The whole book as one PDF, printed by Chromium.

    python -m build_tools.pdf _build/singlehtml/index.html inside-bert.pdf

Print shows the pictures that stand beside the attention views instead of the views
(`helpers/attention_views.py`) and opens what a page hides until it is asked.
"""

import argparse
from pathlib import Path

from build_tools.browser import launch_chromium
from helpers._support.whole_files import whole

OPEN_EVERYTHING = """() => {
  document.querySelectorAll("details").forEach(box => { box.open = true; });
  document.querySelectorAll(".toggle-hidden, .toggle-hidden > *").forEach(
    box => box.classList.remove("toggle-hidden"));
  dispatchEvent(new Event("resize"));
}"""
READY = """() => document.fonts.status === "loaded" &&
  [...document.querySelectorAll(".math")].every(
    math => math.querySelector("mjx-container")) &&
  (window.Bokeh?.documents ?? []).every(plot => plot.is_idle)"""
PATIENCE = 600_000  # ms: all plots and formulas of a book on one page
FOOTER = """<div style="width: 100%; text-align: center; font: 8px sans-serif">
<span class="pageNumber"></span></div>"""


def translate_as_pages_do(app):
    """Let the single page translate what only the pages of the book know.

    Some extensions tell Sphinx how to write their nodes for "html" alone, and Sphinx
    looks no further once another has named "singlehtml".
    """
    handlers = app.registry.translation_handlers
    if "singlehtml" in handlers:
        handlers["singlehtml"] = handlers["html"] | handlers["singlehtml"]


def print_page(page, target):
    """Print an HTML file to a PDF, whole or not at all."""
    from playwright.sync_api import sync_playwright

    with whole(target) as unfinished, sync_playwright() as playwright:
        browser = launch_chromium(playwright)
        tab = browser.new_page(viewport={"width": 800, "height": 1100})
        tab.set_default_timeout(PATIENCE)
        tab.goto(page.resolve().as_uri(), wait_until="load")
        tab.evaluate(OPEN_EVERYTHING)
        tab.wait_for_function(READY)
        tab.pdf(
            path=unfinished,
            format="A4",
            margin=dict.fromkeys(("top", "bottom", "left", "right"), "18mm"),
            print_background=True,
            display_header_footer=True,
            header_template="<span></span>",
            footer_template=FOOTER,
            outline=True,
            tagged=True,
        )
        browser.close()


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m build_tools.pdf")
    parser.add_argument("page", type=Path, help="the book as a single HTML page")
    parser.add_argument("target", type=Path, help="the PDF to write")
    options = parser.parse_args(arguments)
    if not options.page.is_file():
        parser.exit(2, f"{options.page} is missing: run make pdf\n")
    print_page(options.page, options.target)
    print(f"wrote {options.target}")


if __name__ == "__main__":
    main()
