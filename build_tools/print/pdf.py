"""The whole book as one PDF, printed by Chromium.

    python -m build_tools.print.pdf _build/singlehtml/index.html inside-bert.pdf

Print shows the pictures that stand beside the attention views instead of the views
(`helpers/attention/views.py`) and opens what a page hides until it is asked. A title
page and the contents come first. Each chapter is printed on a named page of CSS, whose
head says the chapter's title. The book is printed twice: what the contents say is read
from the first print.
"""

import argparse
import io
import re
import tomllib
from datetime import UTC, datetime
from html import escape
from pathlib import Path

import yaml

from build_tools.book.site import Site
from build_tools.browser import launch_chromium
from build_tools.console import say
from helpers.whole_files import replace

ROOT = Path(__file__).resolve().parents[2]
TEXT_LICENCE = re.compile(r"\[([^\]]+)\]\(")

OPEN_EVERYTHING = """() => {
  document.querySelectorAll("details").forEach(box => {
    box.removeAttribute("name"); // of one name only one is open
    box.open = true;
  });
  document.querySelectorAll(".toggle-hidden, .toggle-hidden > *").forEach(
    box => box.classList.remove("toggle-hidden"));
  dispatchEvent(new Event("resize"));
}"""
READY = """() => document.fonts.status === "loaded" &&
  [...document.querySelectorAll(".math")].every(
    math => math.querySelector("mjx-container")) &&
  (window.Bokeh?.documents ?? []).every(plot => plot.is_idle)"""
# Headings get places of their own: the chapters of a single page share names such as
# "summary". The front page's own text is a chapter too, in a box beside those it holds:
# else its page's name would come back between two chapters, on an empty page. So would
# that of the empty places before the chapters, which links lead to.
CHAPTERS = """() => {
  const book = document.querySelector("article > section");
  const front = document.createElement("div");
  front.id = "front-page";
  book.before(front);
  const isText = part => !part.classList.contains("toctree-wrapper");
  front.append(...[...book.children].filter(isText));
  const title = heading => {
    const copy = heading.cloneNode(true);
    copy.querySelectorAll(".headerlink").forEach(link => link.remove());
    return copy.textContent.trim().replace(/\\s+/g, " ");
  };
  let places = 0;
  const entry = part => {
    const heading = part.querySelector(":scope > :is(h1, h2, h3)");
    heading.id = `print-${places += 1}`;
    return {id: heading.id, title: title(heading)};
  };
  const chapters = [front, ...book.querySelectorAll(".toctree-wrapper > section")];
  return chapters.map((chapter, number) => {
    chapter.style.page = `chapter-${number}`;
    while (chapter.previousElementSibling?.matches("span"))
      chapter.prepend(chapter.previousElementSibling);
    const sections = chapter.querySelectorAll(
      ":scope > section[id]:has(> :is(h2, h3))");
    return {...entry(chapter), sections: [...sections].map(entry)};
  });
}"""
ADD_FRONT = """([style, front]) => {
  document.head.insertAdjacentHTML("beforeend", `<style>${style}</style>`);
  const book = document.querySelector("article");
  book.insertAdjacentHTML("afterbegin", front);
  for (let box = book; box !== document.body; box = box.parentElement)
    for (const beside of box.parentElement.children)
      if (beside !== box) beside.classList.add("beside-print"); // menus, own contents
}"""
FILL_IN = """pages => document.querySelectorAll("#print-contents a").forEach(link => {
  link.lastElementChild.textContent = pages[link.hash.slice(1)]; })"""
PATIENCE = 600_000  # ms: all plots and formulas of a book on one page

STYLE = """
@page { size: A4; margin: 18mm;
  @top-left { font: 8pt sans-serif; color: #444 }
  @bottom-center { content: counter(page); font: 8pt sans-serif } }
@page title-page { @bottom-center { content: none } }
@page contents { @top-left { content: "Contents" } }
.beside-print { display: none !important }
#front-page > h1 { display: block !important } /* the theme prints it elsewhere */
#print-title { page: title-page; padding-top: 60mm; text-align: center }
#print-title .title { font-size: 32pt; font-weight: bold; margin: 0 }
#print-title .subtitle { font-size: 16pt; margin: 4mm 0 25mm }
#print-title .licence { margin-top: 25mm }
#print-contents { page: contents; font-size: 9.5pt; line-height: 1.35 }
#print-contents .heading { font-size: 20pt; font-weight: bold }
#print-contents ul { list-style: none; margin: 0; padding: 0 }
#print-contents ul ul { padding-left: 6mm }
#print-contents > ul > li { margin-top: 2mm }
#print-contents > ul > li > a { font-weight: bold; break-after: avoid }
#print-contents a { color: inherit; display: flex; gap: 4mm; text-decoration: none }
#print-contents a :last-child { flex: none; margin-left: auto; text-align: right;
  width: 10mm }
"""


def translate_as_pages_do(app):
    """Let the single page translate what only the pages of the book know.

    Some extensions tell Sphinx how to write their nodes for "html" alone, and Sphinx
    looks no further once another has named "singlehtml".
    """
    handlers = app.registry.translation_handlers
    if "singlehtml" in handlers:
        handlers["singlehtml"] = handlers["html"] | handlers["singlehtml"]


def title_page(today):
    """Return the title page in HTML; all it says stands in the project's own files."""
    book = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    licence = (ROOT / "LICENSE-TEXT.md").read_text(encoding="utf-8")
    address = escape(Site.read(ROOT).book)
    link = f'\n<p><a href="{address}">{address}</a></p>' if address else ""
    subtitle = cited["title"].removeprefix(book["title"]).lstrip(": ")
    day = f"{today.day} {today:%B %Y}"
    return f"""<div id="print-title">
<p class="title">{escape(book["title"])}</p>
<p class="subtitle">{escape(subtitle[:1].upper() + subtitle[1:])}</p>
<p>{escape(book["author"])}</p>
<p>Version {escape(project["project"]["version"])}, built on {day}</p>{link}
<p class="licence">Text and figures: {escape(TEXT_LICENCE.search(licence)[1])}<br>
Code: {escape(cited["license"])}</p></div>"""


def contents(chapters):
    """Return the contents in HTML, with room for the numbers of the pages."""

    def entry(part):
        title = f"<span>{escape(part['title'])}</span>"
        return f'<a href="#{escape(part["id"])}">{title}<span>0</span></a>'

    lines = [
        f"<li>{entry(chapter)}<ul>"
        + "".join(f"<li>{entry(section)}</li>" for section in chapter["sections"])
        + "</ul></li>"
        for chapter in chapters
    ]
    heading = '<p class="heading">Contents</p>'
    return f'<div id="print-contents">{heading}<ul>{"".join(lines)}</ul></div>'


def _with_sections(chapter):
    return [chapter, *chapter["sections"]]


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
        chapters = tab.evaluate(CHAPTERS)
        front = title_page(datetime.now(UTC)) + contents(chapters)
        tab.evaluate(ADD_FRONT, [STYLE + running_heads(chapters), front])
        tab.evaluate(OPEN_EVERYTHING)
        tab.wait_for_function(READY)
        pages = pages_of(_printed(tab))
        for part in (part for chapter in chapters for part in _with_sections(chapter)):
            if part["id"] not in pages:
                raise SystemExit(f"error: {part['title']!r} is on no page of the print")
        tab.evaluate(FILL_IN, pages)
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
