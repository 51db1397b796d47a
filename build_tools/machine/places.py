"""The machine's places in the book: the directives `{machine}` and `{machine-front}`.

`{machine}` names the sentences and stands around the steps, each with its words and its
code; its page shows a still that leads to the machine. `{machine-front}` is the picture
of the front page. When all pages are written, so is the machine's own (`page`).
"""

from html import escape
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective

from build_tools.book.templates import rendered
from build_tools.live import drawing
from build_tools.machine import page

KEY = "machine"  # of a page's metadata: its pairs of sentences
STILL, FRONT = "<!--machine-->", "<!--machine-front-->"
PICTURES = {STILL: "machine-still.html", FRONT: "machine-front.html"}
COUNTED = "no one two three four five six seven eight nine ten eleven twelve".split()


class Machine(SphinxDirective):
    """A still of the machine, and the steps that the page tells."""

    has_content = True
    option_spec = {"pairs": directives.unchanged_required}

    def run(self):
        lines = self.options["pairs"].split(";")
        pairs = [[text.strip() for text in line.split(" / ")] for line in lines]
        if any(len(pair) != 2 for pair in pairs):
            raise self.error("pairs are written as: text / other; text / other")
        self.env.metadata[self.env.docname][KEY] = pairs
        self.env.temp_data[KEY] = 0
        told = nodes.Element()
        self.state.nested_parse(self.content, self.content_offset, told)
        return [nodes.raw("", STILL, format="html"), *told.children]


class Step(SphinxDirective):
    """A step of the machine: its name, its title, its words and its code."""

    required_arguments = 2
    final_argument_whitespace = True
    has_content = True

    def run(self):
        name, title = self.arguments
        self.env.temp_data[KEY] += 1
        link = (
            f'<a class="headerlink" href="#step-{name}" title="Link to this step">#</a>'
        )
        told = nodes.Element()
        self.state.nested_parse(self.content, self.content_offset, told)
        before = (
            f'<div class="machine-step" id="step-{name}" data-step="{name}">'
            f"<h2>{self.env.temp_data[KEY]} · {escape(title)}{link}</h2>"
        )
        before, after = (
            nodes.raw("", html, format="html") for html in (before, "</div>")
        )
        return [before, *told.children, after]


class Front(SphinxDirective):
    """The picture of the front page."""

    def run(self):
        return [nodes.raw("", FRONT, format="html")]


def pairs_of(env):
    """Return the page of the steps and its pairs; None where there is no such page."""
    found = [(name, told[KEY]) for name, told in env.metadata.items() if KEY in told]
    return found[0] if found else None


def put_into_page(app, pagename, templatename, context, doctree):
    """Put the picture of the machine where a page has a place for it."""
    body = context.get("body") or ""
    if app.builder.format != "html" or not (STILL in body or FRONT in body):
        return
    found = pairs_of(app.env)
    told = {}
    if found:
        pairs = {"pairs": found[1]}
        told = drawing.remembered(app.srcdir, drawing.MACHINE, pairs)["stills"]
    told |= {
        "to": context["pathto"](page.PAGE, 1),
        "start": context["pathto"]("chapters/using-this-course"),
        "counted": COUNTED,
    }
    for place, name in PICTURES.items():
        if place in body:
            body = body.replace(place, rendered(name, **told))
    context["body"] = body
    app.add_css_file("machine.css")


def write_page(app, exception):
    """At the end of a build: write the machine's own page."""
    if exception or app.builder.name != "html" or not (found := pairs_of(app.env)):
        return
    name, pairs = found
    book = Path(app.outdir)
    told = page.told_steps((book / f"{name}.html").read_text("utf-8"), name)
    page.write(app.srcdir, book, pairs, name, told)


def setup(app):
    """Connect it to Sphinx; called by the extension of the book."""
    for name, kind in (("machine", Machine), ("machine-step", Step)):
        app.add_directive(name, kind)
    app.add_directive("machine-front", Front)
    app.connect("html-page-context", put_into_page, priority=835)
    app.connect("build-finished", write_page, priority=600)
