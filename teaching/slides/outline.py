"""What a chapter shows, in its order: headings, prose, boxes, figures and outputs."""

import re
from dataclasses import dataclass
from html import unescape

from build_tools.book import glued_values
from build_tools.notebooks.markdown import Converter, split_options
from build_tools.print.pictures import pictures_of
from build_tools.print.plots import plots_of
from helpers import filled

LINK = re.compile(r"(?<!!)\[((?:\\.|[^\]\\])*)\]\([^)\s]*\)")
HEADING = re.compile(r"(#{1,3}) (.+)")
FORMULA = re.compile(r"\$\$.+\$\$\.?", re.S)
FENCED = re.compile(r"^`{3}\w*\n(.*?)^`{3}$", re.M | re.S)
STYLE = re.compile(r"<style.*?</style>", re.S)
TABLE = re.compile(r'<table[^>]*class="dataframe".*?</table>', re.S)
VIEW = re.compile(
    r'<div class="attention-view"><iframe title="([^"]*)".*?'
    r"(<svg.*?</svg>)<p>(.*?)</p>",
    re.S,
)
ENDS = ("Quiz", "Exercises")  # the slides have their own
NOT_SHOWN = {"remove-cell", "remove-output"}


@dataclass
class Block:
    """A part of a page.

    kind: heading, prose, formula, box, figure, text, table, plot or view. text: what
    it says, as Markdown; of a table its HTML. title: of a box. alt: of a picture.
    source: a figure's path, a Plot, or the SVG of a view, which is one of attention or
    a picture that a cell has drawn. glued: whether the run has put something into the
    text.
    """

    kind: str
    text: str = ""
    title: str = ""
    alt: str = ""
    source: object = None
    glued: bool = False


class Reader(Converter):
    """Reads a page part by part, as the export to notebooks does."""

    def blocks(self, text, values):
        """Yield the Blocks of a cell of text, with the values of the run."""
        for kind, part in self.parts(text):
            if kind == "block":
                yield from self._block(*part, values)
            elif kind in ("markdown", "glued"):
                yield from _prose(_plain(kind, part, values), kind == "glued")

    def _directive(self, token):
        name, _, title = token.info.strip()[1:].partition("}")
        if name in ("admonition", "figure"):
            yield "block", (name, title.strip(), token.content)
        elif name == "math":
            yield from super()._directive(token)
        # Exercises, notes and widgets are for whoever reads, not for a screen.

    def _block(self, name, title, content, values):
        options, content = split_options(content)
        inner = [(k, _plain(k, t, values)) for k, t in self.parts(content)]
        text = FENCED.sub(_in_line, "\n\n".join(t.strip() for _, t in inner))
        if name == "figure":
            svg, alt = self.path.parent / title, " ".join(options["alt"].split())
            yield Block("figure", text, alt=alt, source=svg)
        else:
            title = LINK.sub(r"\1", self._roles(title, False))
            computed = any(kind == "glued" for kind, _ in inner)
            yield Block("box", text, title, glued=computed)


def _plain(kind, text, values):
    """Fill what the run has glued, and drop links: slides stand alone."""
    text = filled(text, values) if kind == "glued" else text
    return LINK.sub(r"\1", text).strip()


def _in_line(found):
    """Return the lines of a block of code as code in the text, which has no blocks."""
    return " ".join(
        f"`{line.strip()}`" for line in found[1].split("\n") if line.strip()
    )


def _prose(text, computed):
    if found := HEADING.fullmatch(text):
        yield Block("heading", found[2], title=found[1])
    elif FORMULA.fullmatch(text):
        yield Block("formula", text)
    elif text and not text.startswith(("---", "<!--", "|")):
        yield Block("prose", text, glued=computed)


def outline(page, notebook, root):
    """Return the Blocks of a page up to its quiz, with the outputs of its run."""
    reader, values = Reader(page, root, ""), glued_values.values_of(notebook)
    blocks = []
    for cell in notebook.cells:
        tags = set(cell.metadata.get("tags", []))
        if cell.cell_type == "markdown":
            blocks += reader.blocks(cell.source, values)
        elif cell.cell_type == "code" and not tags & NOT_SHOWN:
            blocks += _outputs(cell.outputs)
        for at, block in enumerate(blocks):
            if block.kind == "heading" and block.text in ENDS:
                return blocks[:at]
    return blocks


def _outputs(outputs):
    yield from (Block("plot", alt=plot.alt, source=plot) for plot in plots_of(outputs))
    for output in outputs:
        data = output.get("data", {})
        html = STYLE.sub("", data.get("text/html", ""))
        if found := VIEW.search(html):
            alt = unescape(f"{found[1]}. {' '.join(found[3].split())}")
            yield Block("view", alt=alt, source=found[2])
        elif pictures := pictures_of(html):
            yield from (Block("view", alt=p.alt, source=p.svg) for p in pictures)
        elif found := TABLE.search(html):
            yield Block("table", " ".join(found[0].split()))
        elif text := output.get("text", "").rstrip():
            yield Block("text", text)
        elif not html and (text := data.get("text/plain", "").rstrip()):
            if "scrapbook" not in output.get("metadata", {}):
                yield Block("text", text)
