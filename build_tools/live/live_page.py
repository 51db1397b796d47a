"""The directive `{live} masked` and its like: a widget's place in a page.

The page holds what the widget draws for its own text. `live/entry.js`, the only script
that such a page loads of itself, offers to load the rest.
"""

import json
import shutil
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

from build_tools.book.templates import rendered
from build_tools.live import drawing, payload
from build_tools.live.drawing import BOOK, STATIC
from build_tools.live.widgets import WIDGETS

MARK = 'data-live="'


LATE = {}  # kind -> what gives the place of a widget that is drawn once all is written


class Live(SphinxDirective):
    """A live widget; its options are the texts that it shows first."""

    required_arguments = 1
    option_spec = {
        name: directives.unchanged_required
        for widget in WIDGETS.values()
        for name in (*widget.texts, *widget.more)
    } | {"choose": directives.flag}

    def run(self):
        kind = self.arguments[0]
        if kind not in WIDGETS:
            raise self.error(f"no live {kind}; there are {', '.join(WIDGETS)}")
        choices = {"choose": True} if "choose" in self.options else {}
        values = {k: v for k, v in self.options.items() if k != "choose"}
        root = Path(self.env.srcdir)
        self.env.metadata[self.env.docname]["live"] = digest()
        if WIDGETS[kind].late:
            self.env.metadata[self.env.docname]["book search"] = True
            return [nodes.raw("", LATE[kind](values), format="html")]
        also = values.pop("also", "").split(";") if "also" in values else []
        try:
            still, *others = (
                drawing.remembered(root, kind, values | choices | text)
                for text in [{}, *({"text": text.strip()} for text in also)]
            )
        except ExtensionError as error:
            raise self.error(str(error)) from None
        return [nodes.raw("", widget(root, kind, still, others=others), format="html")]


def widget(root, kind, still, more_files=(), others=()):
    """Return the widget's HTML as it stands in the page.

    still: as `drawing.still` has it. more_files: {name: file} that belong to the book
    and not to the model. others: stills of further texts; the page shows one at a time.
    """
    known = WIDGETS[kind]
    loads = payload.manifest(root) | dict(more_files)
    data = payload.page_data(STATIC, known.parts, loads) | {
        "scripts": [
            path.relative_to(payload.SCRIPTS).as_posix() for path in payload.scripts()
        ],
        "serviceWorker": f"{STATIC}../{payload.SERVICE_WORKER}",
        "book": BOOK,
        "settings": still["settings"],
        "fields": still["fields"],
    }
    return rendered(
        "widget.html",
        kind=kind,
        known=known,
        still=still,
        others=others,
        size=data["bytes"],
        data=json.dumps(data, ensure_ascii=False),
    )


def finish_page(app, pagename, templatename, context, doctree):
    """Give the widgets of a page their addresses and their first script."""
    body = context.get("body") or ""
    if app.builder.format != "html" or MARK not in body:
        return
    static = context["pathto"]("_static", 1).rstrip("/")
    context["body"] = body.replace(STATIC, f"{static}/")
    app.add_js_file(f"{payload.code_folder()}/entry.js", loading_method="defer")
    app.add_css_file(f"{payload.code_folder()}/live.css")


def digest():
    """What changes with the files that a live page loads."""
    return f"{payload.digest()} {drawing.digest()}"


def with_other_files(app, env, added, changed, removed):
    """Return the live pages that were read when other files were to be loaded."""
    now = digest()
    return [page for page, m in env.metadata.items() if m.get("live", now) != now]


def add_to_book(app):
    """Make the files that live pages load, and put them into the book.

    Sphinx would copy them too, but nothing where no page is out of date, and it deletes
    no earlier model, which is as large as this one.
    """
    made, book = payload.make(Path(app.srcdir)), Path(app.outdir)
    shutil.rmtree(book / "_static/live", ignore_errors=True)
    shutil.copytree(made / "static", book / "_static", dirs_exist_ok=True)
    shutil.copytree(made / "root", book, dirs_exist_ok=True)


def setup(app):
    """Connect the live page to Sphinx; called by the extension of the book."""
    app.add_directive("live", Live)
    app.connect("env-get-outdated", with_other_files)
    app.connect("builder-inited", add_to_book)
    app.connect("html-page-context", finish_page, priority=840)
    app.connect("build-finished", lambda *_: drawing.NODE.stop(), priority=900)
