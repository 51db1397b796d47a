"""The machine alone, in `_static/boxes`, and in its page the line that shows it.

When all pages are written, the machine is cut out of its page. Alone it loads live.css
and entry.js and nothing of the theme; its addresses count from that page. The line
stands only in a book that is published.
"""

import re
import shutil
from html import escape
from pathlib import Path

from build_tools.live.live_page import MARK
from helpers.whole_files import replace

FOLDER = "_static/boxes"
BOX = re.compile(r'<section class="live" id="live-(steps)".*?</section>', re.DOTALL)
LINE = re.compile(r'<details class="live-embed">.*?</details>', re.DOTALL)
NAME = re.compile(r'class="live-title">([^<]*)')
TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)
CODE = re.compile(r'src="([^"]*)entry\.js')
FILES = r'"[^"]*/(?:machine|sentences-\w+)\.(?:js|css)'  # of the machine
SCRIPTS = re.compile(rf"<(?:script|link) [^>]*={FILES}[^>]*>(?:</script>)?")


def write(app, exception):
    """At the end of a build: cut the machine out, and put the line into it."""
    if exception or app.builder.name != "html":
        return
    book, address = Path(app.outdir), app.config.html_baseurl
    shutil.rmtree(book / FOLDER, ignore_errors=True)
    for name in sorted(app.env.found_docs):
        file = book / f"{name}.html"
        page = file.read_text("utf-8") if file.is_file() else ""
        if MARK not in page:
            continue
        for box in BOX.finditer(page):
            alone = book / address_of(name, box[1])
            alone.parent.mkdir(parents=True, exist_ok=True)
            replace(alone, box_alone(page, name, box).encode())
        told = BOX.sub(lambda box: with_line(box, name, address), page)  # noqa: B023
        if told != page:
            replace(file, told.encode())


def address_of(name, kind):
    """Where the box of a page is, from the root of the book."""
    return f"{FOLDER}/{name.replace('/', '-')}-{kind}.html"


def box_alone(page, name, box):
    """Return the page of one box."""
    up, title = "../" * name.count("/"), TITLE.search(page)[1]
    title = " &#8212; ".join(dict.fromkeys(title.strip().split(" &#8212; ")))
    code = CODE.search(page)[1]
    styles = f"{code}live.css", f"{up}_static/custom.css", f"{code}alone.css"
    links = "".join(f'<link rel="stylesheet" href="{style}">' for style in styles)
    scripts = "".join(SCRIPTS.findall(page))
    return (
        f'<!doctype html><html lang="en" data-content_root="{up or "./"}"><head>'
        f'<meta charset="utf-8"><title>{NAME.search(box[0])[1].strip()}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<base href="../../{name}.html" target="_blank">{links}{scripts}'
        f'<script defer src="{code}entry.js"></script></head><body>'
        f"<main>{LINE.sub('', box[0])}"
        f'<p>From <a href="{Path(name).name}.html">{title}</a></p></main>'
        "</body></html>\n"
    )


def with_line(box, name, address):
    """Return a box with the line that shows it on another site, if there is one."""
    if not address:
        return box[0]
    line = (
        f'<iframe src="{address}{address_of(name, box[1])}" '
        f'title="{NAME.search(box[0])[1].strip()}" width="100%" height="600" '
        'style="border: 0" loading="lazy"></iframe>'
    )
    told = (
        '<details class="live-embed"><summary>Show this box on your site</summary>'
        f'<textarea readonly rows="4" aria-label="One line of HTML">{escape(line)}'
        "</textarea></details></section>"
    )
    return LINE.sub("", box[0]).removesuffix("</section>") + told


def setup(app):
    """Connect it to Sphinx; called by the extension of the book."""
    app.connect("build-finished", write, priority=600)  # the search: 500
