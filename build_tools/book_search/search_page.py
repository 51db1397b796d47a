"""Puts the search into its page when all pages are written: only then are they known.

The directive leaves two comments and nothing between them: the theme's search reads
what a directive writes, and would find the widget's answer. A page gets there what the
last build has found. At the end of a build it is filled anew, with the address of what
the widget loads and its answer to its own question. What has not changed since the last
build is not computed again.
"""

import hashlib
import json
import re
from dataclasses import astuple
from functools import partial
from html import escape, unescape
from pathlib import Path

from build_tools.book_search import paragraphs
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


def fill_from_last_build(app, pagename, templatename, context, doctree):
    """Fill the places of a page with what is known; most pages have none."""
    body = context.get("body") or ""
    if app.builder.format == "html" and PLACE.search(body):
        context["body"] = filled(Path(app.srcdir), body, known_in(Path(app.srcdir)))


def known_in(root):
    file = root / KEPT / "found.json"
    return json.loads(file.read_text("utf-8")) if file.is_file() else {}


def filled(root, text, known):
    """Return HTML with its places filled. known: as from `searched`; or nothing yet."""

    def content(found):
        settings = settings_in(found[1])
        kind, text = settings.pop("kind"), settings["text"]
        nothing = NOTHING | {"settings": settings}
        still = known.get("stills", {}).get(f"{kind} {text}", nothing)
        load = {"search": known.get("file", UNKNOWN)}
        size = known.get("size", "") if kind == "search" else ""
        return (
            f"<!--book-search {found[1]}-->"
            f"{live_page.widget(root, kind, still, load)}{size}"
            "<!--/book-search-->"
        )

    return PLACE.sub(content, text)


def mend_theme_search(app, exception):
    """At the end of a build, before the search of the theme is asked."""
    if not exception and app.builder.name == "html":
        from build_tools.book_search import by_words

        by_words.find_own_words(Path(app.outdir))


def fill(app, exception):
    """At the end of a build: search the pages, and fill the places in them."""
    if exception or app.builder.name != "html" or app.only_page:
        return
    metadata = app.env.metadata
    names = [name for name, data in metadata.items() if data.get("book search")]
    if not names:
        return
    root, book = Path(app.srcdir), Path(app.outdir)
    pages = {name: book / f"{name}.html" for name in names}
    texts = {name: file.read_text("utf-8") for name, file in pages.items()}
    asked = [settings_in(found) for t in texts.values() for found in PLACE.findall(t)]
    read = [name for name in sorted(app.env.found_docs) if name not in NO_TEXT]
    known = searched(root, book, read, [(s["kind"], s["text"]) for s in asked])
    for name, text in texts.items():
        up = "../" * name.count("/")
        made = filled(root, text, known)
        made = made.replace(drawing.BOOK, up).replace(drawing.STATIC, f"{up}_static/")
        if made != text:
            replace(pages[name], made.encode())


def settings_in(comment):
    return json.loads(unescape(comment))


def searched(root, book, names, questions):
    """Return {file, stills, size} for the pages, kept until they change.

    questions: (kind of widget, text). file: as `payload.described` has it, put into the
    book. stills: {kind and text: as `drawing.still` has it}. size: HTML.
    """
    found = paragraphs_in(root, book, names)
    key = digest(root, book, found, questions)
    kept = root / KEPT / "found.json"
    known = known_in(root)
    name = known.get("file", UNKNOWN)["url"]
    if known.get("key") == key and (root / KEPT / Path(name).name).is_file():
        put(root, book, name)
        return known
    known = {"key": key} | computed(root, book, found, questions)
    replace(kept, payload.as_json(known))
    return known


def paragraphs_in(root, book, names):
    """Return the paragraphs of the built pages; a page that is the same is not read."""
    file = root / KEPT / "pages.json"
    known = json.loads(file.read_text("utf-8")) if file.is_file() else {}
    pages = {}
    for name in names:
        text = PLACE.sub("", (book / f"{name}.html").read_text("utf-8"))
        mark = hashlib.sha256(text.encode()).hexdigest()
        before = known.get(name)
        if before is None or before["digest"] != mark:
            found = paragraphs.paragraphs_of(text, name)
            before = {"digest": mark, "paragraphs": [astuple(p) for p in found]}
        pages[name] = before
    file.parent.mkdir(parents=True, exist_ok=True)
    replace(file, payload.as_json(pages))
    return known_paragraphs(file)


def known_paragraphs(file):
    """Return the paragraphs that a build has left in a file; [] where there is none."""
    pages = json.loads(file.read_text("utf-8")) if file.is_file() else {}
    rows = [row for page in pages.values() for row in page["paragraphs"]]
    return [paragraphs.Paragraph(*row) for row in rows]


def digest(root, book, found, questions):
    """What changes with anything that the search shows."""
    own = sorted(Path(__file__).parent.glob("*.*"))
    own += [book / "searchindex.js"]
    text = json.dumps([[astuple(p) for p in found], questions])
    marks = payload.digest(), drawing.digest()
    return payload.digest_of([p for p in own if p.is_file()], *marks, text)


def computed(root, book, found, questions):
    """Search the paragraphs for the questions of the page."""
    # Imported late: they load PyTorch, which takes seconds.
    from build_tools.book_search import by_words, vectors
    from build_tools.book_search import index as book_index

    raw = vectors.vectors_of([p.text for p in found], root / KEPT)
    index = book_index.index_of(found, raw)
    content = book_index.packed(index)
    mark = hashlib.sha256(content).hexdigest()[:16]
    url = f"live/search-{mark}.json.gz"
    for stale in (root / KEPT).glob("search-*"):
        stale.unlink()
    replace(root / KEPT / Path(url).name, content)
    put(root, book, url)
    file = root / KEPT / Path(url).name
    found_words = by_words.ask_theme(book, [text for _, text in questions])
    stills = {
        f"{kind} {text}": drawn(root, kind, text, file, words)
        for (kind, text), words in zip(questions, found_words, strict=True)
    }
    return {
        "file": payload.described(url, file),
        "stills": stills,
        "size": size_told(index, content),
    }


def drawn(root, kind, text, file, words):
    """Return what a widget shows first, from the file that it will load."""
    found = {"terms": words.terms, "found": [vars(result) for result in words.found]}
    found = found if kind == "search" else None
    return drawing.still(root, kind, {"text": text}, {"search": file}, found)


def size_told(index, content):
    """Say what the widget loads beside the model."""
    n, width = index.vectors.shape
    return (
        f'<p class="live-size">Beside the model the widget loads {n:,} paragraphs, a '
        f"vector of {width} whole numbers from −127 to 127 for each, and what places a "
        f"question among them: {live_page.megabytes(len(content))}, compressed.</p>"
    )


def put(root, book, url):
    """Copy the file of the search into the book, in the place of an earlier one."""
    target = book / "_static" / url
    for stale in target.parent.glob("search-*"):
        if stale != target:
            stale.unlink()
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes((root / KEPT / target.name).read_bytes())


def setup(app):
    """Connect the search to Sphinx; called by the extension of the book."""
    for kind in ("search", "book"):
        live_page.LATE[kind] = partial(place, kind)
    app.connect("html-page-context", fill_from_last_build, priority=830)
    app.connect("build-finished", mend_theme_search, priority=400)
    app.connect("build-finished", fill)
