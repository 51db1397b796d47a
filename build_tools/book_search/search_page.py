"""Puts the search into its page when all pages are written: only then are they known.

The directive leaves two comments and nothing between them: the theme's search reads
what a directive writes, and would find the widget's answer. A written page gets there
an empty widget; at the end of a build it is filled with the address of what it loads
and with its answer to its own question.
"""

import hashlib
import json
import re
import shutil
from functools import partial
from html import escape, unescape
from pathlib import Path

from build_tools.book.templates import rendered
from build_tools.book_search import by_words
from build_tools.book_search.paragraphs import paragraphs_of
from build_tools.live import drawing, live_page, payload
from helpers.whole_files import replace

KEPT = "_build/.book-search"
PLACE = re.compile(r"<!--book-search (.*?)-->.*?<!--/book-search-->", re.DOTALL)
# Lists, and tools.
NO_TEXT = {"chapters/references", "chapters/build-status", "chapters/other-models"}
NOTHING = {"fields": {"text": None}, "words": "", "output": ""}
UNKNOWN = {"url": "", "sent": 0, "bytes": 0, "sha256": ""}


def place(kind, settings):
    """Return the HTML that the directive leaves in a page."""
    told = escape(json.dumps(settings | {"kind": kind}))
    return f"<!--book-search {told}--><!--/book-search-->"


def put_into_page(app, pagename, templatename, context, doctree):
    """Put the widgets, which know nothing yet, into the places of a page."""
    body = context.get("body") or ""
    if app.builder.format == "html" and PLACE.search(body):
        context["body"] = filled(Path(app.srcdir), body, lambda *_: NOTHING, UNKNOWN)


def filled(root, text, still_of, file, size=""):
    """Return HTML with its places filled.

    still_of: (kind, text) -> what `drawing.still` returns. file: what the widget loads.
    size: HTML that says how much that is.
    """

    def content(found):
        settings = json.loads(unescape(found[1]))
        kind = settings.pop("kind")
        still = {"settings": settings} | still_of(kind, settings["text"])
        html = live_page.widget(root, kind, still, {"search": file})
        return (
            f"<!--book-search {found[1]}-->{html}{size if kind == 'search' else ''}"
            "<!--/book-search-->"
        )

    return PLACE.sub(content, text)


def fill(app, exception):
    """At the end of a build: search the pages, and fill the places in them."""
    if exception or app.builder.name != "html":
        return
    root, book = Path(app.srcdir), Path(app.outdir)
    by_words.find_own_words(book)
    metadata = app.env.metadata
    names = [name for name, data in metadata.items() if data.get("book search")]
    if not names or (app.only_page and app.only_page not in names):
        return
    # Imported late: they load PyTorch, which takes seconds.
    from build_tools.book_search import index, vectors

    paragraphs = paragraphs_in(root, book)
    raw = vectors.vectors_of([p.text for p in paragraphs], root / KEPT)
    known = index.index_of(paragraphs, raw)
    file = written(book, index.packed(known))

    def still_of(kind, text):
        words = by_words.ask_theme(book, [text])[0] if kind == "search" else None
        return drawing.remembered(root, kind, {"text": text}, {"search": file}, words)

    described = payload.described(f"search/{file.name}", file)
    n, width = known.vectors.shape
    size = rendered("search-size.html", n=n, width=width, size=described["sent"])
    for name in names:
        page, up = book / f"{name}.html", "../" * name.count("/")
        text = page.read_text("utf-8")
        made = filled(root, text, still_of, described, size)
        made = made.replace(drawing.BOOK, up).replace(drawing.STATIC, f"{up}_static/")
        if made != text:
            replace(page, made.encode())


def paragraphs_in(root, book):
    """Return the paragraphs of a built book; a page that is the same is not read."""
    twins = [book / "index.md", *book.glob("chapters/**/*.md")]
    names = {twin.relative_to(book).with_suffix("").as_posix() for twin in twins}
    found = []
    for name in sorted(names - NO_TEXT):
        text = PLACE.sub("", (book / f"{name}.html").read_text("utf-8"))
        mark = hashlib.sha256(text.encode()).hexdigest()
        found += payload.kept(root, _read, name, mark, text=text)
    return found


def _read(name, mark, text):
    return paragraphs_of(text, name)


def written(book, content):
    """Write the file of the search into the book, in the place of an earlier one."""
    mark = hashlib.sha256(content).hexdigest()[:16]
    file = book / "_static/search" / f"search-{mark}.json.gz"
    shutil.rmtree(file.parent, ignore_errors=True)
    file.parent.mkdir(parents=True)
    file.write_bytes(content)
    return file


def setup(app):
    """Connect the search to Sphinx; called by the extension of the book."""
    for kind in ("search", "book"):
        live_page.LATE[kind] = partial(place, kind)
    app.connect("html-page-context", put_into_page, priority=830)
    app.connect("build-finished", fill)
