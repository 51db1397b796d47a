"""Sphinx's builder of EPUBs, with a cover, a title page and the properties of files."""

import re
import shutil
from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.builders.epub3 import Epub3Builder

from build_tools import browser
from build_tools.book.offline import keep_page_offline
from build_tools.book.views_to_files import move_to_files
from build_tools.notebooks.buttons import lead_to_notebook

STYLE = Path(__file__).with_name("style")
COVER, TITLE_PAGE = "_images/cover.png", "title.xhtml"
PICTURE = "chapters/course-in-one-picture.svg"
# What belongs to a site and its theme: extensions, and steps of our own.
OF_A_SITE = {"sphinx_book_theme", "pydata_sphinx_theme", "sphinxext", "sphinx_comments"}
STEPS_OF_A_SITE = {lead_to_notebook, keep_page_offline, move_to_files}
ITEM = re.compile(r'(<item id="[^"]*" href="([^"]*)" media-type="[^"]*") ?/>')
ACCESSIBLE = """
    <meta property="schema:accessMode">textual</meta>
    <meta property="schema:accessMode">visual</meta>
    <meta property="schema:accessModeSufficient">textual</meta>
    <meta property="schema:accessibilityFeature">alternativeText</meta>
    <meta property="schema:accessibilityFeature">MathML</meta>
    <meta property="schema:accessibilityFeature">readingOrder</meta>
    <meta property="schema:accessibilityFeature">structuralNavigation</meta>
    <meta property="schema:accessibilityFeature">tableOfContents</meta>
    <meta property="schema:accessibilityHazard">none</meta>
    <meta property="schema:accessibilitySummary">Every figure and every plot is \
described in words, and formulas are MathML.</meta>"""
HEAD = """<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" lang="en" xml:lang="en"><head>
<title>{title}</title><link rel="stylesheet" href="_static/book.css"/></head>"""
TITLE = """<body class="title-page"><h1>{title}</h1><p>{description}</p><p>{author}</p>
<p>© {copyright}, {author}. Text and figures: CC BY 4.0; code: MIT.</p>
<p>The cells of this edition have run; to change them, or to type a sentence of your \
own, open the course {place}.</p></body></html>
"""
COVER_PAGE = """<body style="margin: 0; width: 600px; height: 900px; color: #fff;
background: #0b3954; font-family: sans-serif; text-align: center">
<h1 style="margin: 0; padding: 40px 0 6px; font-size: 58px">{title}</h1>
<p style="margin: 0; font-size: 19px">{description}</p>
<div style="width: 410px; margin: 24px auto 14px">{picture}</div>
<p style="margin: 0; font-size: 17px">{author}</p></body></html>"""


class Epub(Epub3Builder):
    """Sphinx's builder, which also says which files hold formulas and drawings."""

    name = "epub"
    html_tag = Epub3Builder.html_tag.replace(">", ' lang="en" xml:lang="en">')

    def get_toc(self):
        super().get_toc()
        pages = [entry for entry in self.refnodes if "#" not in entry["refuri"]]
        self.refnodes = [e for page in pages for e in self.with_sections(page)]

    def with_sections(self, page):
        """Return the entries of a page, with its number, and of its sections."""
        name = page["refuri"].removesuffix(self.out_suffix)
        if name not in self.env.tocs:
            return [page]
        number = self.env.toc_secnumbers.get(name, {}).get("")
        start = f"{'.'.join(map(str, number))}. " if number else ""
        own = page | {"text": f"{start}{page['text']}"}
        [first, *_] = self.env.tocs[name].findall(nodes.list_item)
        links = [part for part in first.findall(nodes.reference) if _depth(part) == 2]
        return [own] + [
            {
                "level": page["level"] + 1,
                "refuri": page["refuri"] + self.fix_fragment("", link["anchorname"]),
                "text": escape(link.astext()),
            }
            for link in links
        ]

    def build_content(self):
        self.write_cover()
        super().build_content()
        content = Path(self.outdir, "content.opf")
        named = ITEM.sub(self.with_properties, content.read_text(encoding="utf-8"))
        named = named.replace("\n  </metadata>", f"{ACCESSIBLE}\n  </metadata>")
        content.write_text(named, encoding="utf-8")

    def write_cover(self):
        """Write the picture of the cover and the page after it."""
        named = {
            name: escape(str(self.config[f"epub_{name}"]))
            for name in ("title", "description", "author", "copyright")
        }
        address = escape(self.config.html_baseurl)
        link = f'at <a href="{address}">{address}</a>'
        named["place"] = link if address else "in a browser"
        page = (HEAD + TITLE).format(**named)
        Path(self.outdir, TITLE_PAGE).write_text(page, encoding="utf-8")
        picture = Path(self.srcdir, PICTURE).read_text(encoding="utf-8")
        cover = Path(self.outdir, COVER)
        cover.parent.mkdir(parents=True, exist_ok=True)
        cover.write_bytes(draw_cover(COVER_PAGE.format(**named, picture=picture)))

    def with_properties(self, item):
        """Return a found item of the manifest with what its file holds."""
        found = ["cover-image"] if item[2] == COVER else []
        page = Path(self.outdir, item[2])
        if page.suffix == ".xhtml" and page.is_file():
            text = page.read_text(encoding="utf-8")
            for name, tag in (("mathml", "<math"), ("svg", "<svg")):
                found += [name] if tag in text else []
        return f'{item[1]} properties="{" ".join(found)}"/>' if found else item[0]

    def toc_metadata(self, level, navpoints):
        """Name the book in the older contents by its identifier, as in the newer."""
        known = super().toc_metadata(level, navpoints)
        return known | {"uid": escape(self.config.epub_identifier)}


def _depth(link):
    """Return how many lists of the contents a link lies in."""
    lists = 0
    while link := link.parent:
        lists += isinstance(link, nodes.bullet_list)
    return lists


def draw_cover(page):
    """Return the cover as a PNG; SystemExit where there is no Chromium."""
    from playwright.sync_api import sync_playwright

    from build_tools.print.plots import smaller

    with sync_playwright() as playwright:
        chromium = browser.launch_chromium(playwright)
        tab = chromium.new_page(
            viewport={"width": 600, "height": 900}, device_scale_factor=2
        )
        tab.set_content(page)
        shot = tab.screenshot()
        chromium.close()
    return smaller(shot)


def configure(app, config):
    """Say what the book is called; other builders do not look."""
    config.epub_basename = "inside-bert"
    config.epub_title = config.html_title
    config.epub_description = "A course on BERT made of executable chapters"
    config.epub_author = config.epub_contributor = config.author
    config.epub_publisher, config.epub_copyright = config.author, config.copyright
    config.epub_language, config.epub_show_urls = "en", "no"
    config.epub_identifier = config.html_baseurl or config.epub_basename
    config.epub_uid, config.epub_use_index = "BookId", False
    config.epub_tocdepth, config.epub_tocdup = 2, False
    config.epub_tocscope = "includehidden"  # Jupyter Book hides its list of pages
    config.epub_pre_files = [(TITLE_PAGE, "Title page")]
    config.epub_cover = (COVER, "")
    config.epub_css_files, config.version = ["book.css"], config.version or "1"


def start_afresh(app):
    """Forget an earlier EPUB, and keep what only a site needs out of this one.

    Sphinx deletes nothing, and packs whatever lies in the folder.
    """
    if app.builder.name != "epub":
        return
    shutil.rmtree(app.outdir, ignore_errors=True)
    Path(app.outdir).mkdir(parents=True)
    app.config.html_static_path[:] = [str(STYLE)]
    app.config.html_extra_path[:] = []
    for listener in list(app.events.listeners["html-page-context"]):
        handler = listener.handler
        module = handler.__module__.split(".")[0]
        if module in OF_A_SITE or handler in STEPS_OF_A_SITE:
            app.disconnect(listener.id)
