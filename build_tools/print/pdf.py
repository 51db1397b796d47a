"""The whole book as one PDF, printed by Chromium.

    python -m build_tools.print.pdf _build/singlehtml/index.html inside-bert.pdf

Print shows the pictures that stand beside the attention views instead of the views
(`chapters/seeing-attention/views.py`) and opens what a page hides until it is asked. A
title page and the contents come first. Each chapter is printed on a named page of CSS,
whose head says the chapter's title. The book is printed twice: what the contents say is
read from the first print.
"""

import argparse
import io
import re
from datetime import UTC, datetime
from pathlib import Path

import yaml

from build_tools.book.site import Site
from build_tools.book.templates import rendered
from build_tools.browser import launch_chromium
from build_tools.console import say
from helpers.whole_files import replace

ROOT = Path(__file__).resolve().parents[2]
TEXT_LICENCE = re.compile(r"\[([^\]]+)\]\(")

PATIENCE = 600_000  # ms: all plots and formulas of a book on one page
SCRIPT, STYLE = (Path(__file__).with_name(f"print.{kind}") for kind in ("js", "css"))


def translate_as_pages_do(app):
    """Let the single page translate what only the pages of the book know.

    Some extensions tell Sphinx how to write their nodes for "html" alone, and Sphinx
    looks no further once another has named "singlehtml".
    """
    handlers = app.registry.translation_handlers
    if "singlehtml" in handlers:
        handlers["singlehtml"] = handlers["html"] | handlers["singlehtml"]


def front(today, chapters):
    """Return title page and contents in HTML, with room for the numbers of the pages.

    All that the title page says stands in the project's own files.
    """
    book = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    licence = (ROOT / "LICENSE-TEXT.md").read_text(encoding="utf-8")
    site = Site.read(ROOT)
    return rendered(
        "print.html",
        title=book["title"],
        subtitle=cited["title"].removeprefix(book["title"]).lstrip(": "),
        author=book["author"],
        version=site.tag.removeprefix("v"),
        day=f"{today.day} {today:%B %Y}",
        address=site.book,
        text_licence=TEXT_LICENCE.search(licence)[1],
        code_licence=cited["license"],
        chapters=chapters,
    )


def running_heads(chapters):
    """Return the CSS that says a chapter's title at the head of its pages."""
    return "\n".join(
        f"@page chapter-{number} {{ @top-left {{ content: {_css(title)} }} }}"
        for number, title in enumerate(chapter["title"] for chapter in chapters)
    )


def _css(text):
    """Return a text as a string of CSS that may stand in a page of HTML."""
    return '"' + re.sub(r'["\\<]', lambda sign: f"\\{ord(sign[0]):x} ", text) + '"'


def pages_of(pdf):
    """Return the number of the page of each place that the PDF's links lead to."""
    from pypdf import PdfReader

    reader = PdfReader(io.BytesIO(pdf))
    places = reader.named_destinations.items()
    return {
        name.removeprefix("/"): reader.get_destination_page_number(place) + 1
        for name, place in places
    }


def print_page(page, target):
    """Print an HTML file to a PDF, whole or not at all."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = launch_chromium(playwright)
        tab = browser.new_page(viewport={"width": 800, "height": 1100})
        tab.set_default_timeout(PATIENCE)
        tab.goto(page.resolve().as_uri(), wait_until="load")
        tab.add_script_tag(path=SCRIPT)
        chapters = tab.evaluate("readChapters()")
        style = STYLE.read_text("utf-8") + running_heads(chapters)
        told = [style, front(datetime.now(UTC), chapters)]
        tab.evaluate("told => addFront(told)", told)
        tab.evaluate("openEverything()")
        tab.wait_for_function("isReady()")
        pages = pages_of(_printed(tab))
        parts = [part for c in chapters for part in [c, *c["sections"]]]
        for part in parts:
            if part["id"] not in pages:
                raise SystemExit(f"error: {part['title']!r} is on no page of the print")
        tab.evaluate("pages => setNumbers(pages)", pages)
        pdf = _printed(tab)
        browser.close()
    if pages_of(pdf) != pages:
        raise SystemExit("error: the numbers in the contents moved the pages")
    replace(target, pdf)


def _printed(tab):
    return tab.pdf(
        prefer_css_page_size=True, print_background=True, outline=True, tagged=True
    )


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m build_tools.print.pdf")
    parser.add_argument("page", type=Path, help="the book as a single HTML page")
    parser.add_argument("target", type=Path, help="the PDF to write")
    options = parser.parse_args(arguments)
    if not options.page.is_file():
        parser.exit(2, f"{options.page} is missing: run make pdf\n")
    print_page(options.page, options.target)
    say(f"wrote {options.target}")


if __name__ == "__main__":
    main()
