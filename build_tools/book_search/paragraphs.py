"""The paragraphs of the built book, as its reader sees them."""

from dataclasses import dataclass
from html.parser import HTMLParser

# What is no running text, or hides an answer from whoever looks for it.
LEFT_OUT = {
    "admonition-title",
    "cell",
    "dropdown",
    "headerlink",
    "live",
    "live-contest",
    "math-wrapper",
    "reading-time",
    "section-number",
    "solution",
}
EMPTY = {"area", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}
TITLES = {"h1", "h2", "h3", "h4", "h5", "h6", "dt"}  # dt: a term of the glossary
INNER = "exercise-content"  # what all exercises call their section
FEWEST = 8  # words
EXCERPT = 280  # characters


@dataclass(frozen=True)
class Paragraph:
    """A paragraph and where it stands.

    page: its address in the book without `.html`. chapter: the page's title. anchor,
    title: of the section, or of the term that the paragraph explains.
    """

    page: str
    chapter: str
    anchor: str
    title: str
    text: str


def paragraphs_of(html, page):
    """Return the paragraphs of a page's article that have eight words or more."""
    reader = _Article(page)
    reader.feed(html)
    return [p for p in reader.found if len(p.text.split()) >= FEWEST]


def excerpt(text):
    """Return the beginning of a text, cut after a word."""
    if len(text) <= EXCERPT:
        return text
    return text[:EXCERPT].rsplit(" ", 1)[0] + " …"


class _Article(HTMLParser):
    def __init__(self, page):
        super().__init__()
        self.page, self.chapter = page, ""
        self.found = []
        self.open = []  # (tag, whether it is left out)
        self.sections = []  # [anchor, title], the outermost first
        self.block, self.text = None, []

    def handle_starttag(self, tag, attributes):
        if tag in EMPTY or not (self.open or tag == "article"):
            return
        attributes = dict(attributes)
        classes = set((attributes.get("class") or "").split())
        out = bool(classes & LEFT_OUT) or any(out for _, out in self.open[-1:])
        self.open.append((tag, out))
        if tag == "section":
            place = [attributes.get("id", ""), ""]
            inner = place[0] == INNER and self.sections
            self.sections.append(self.sections[-1] if inner else place)
        if not out and (tag == "p" or tag in TITLES):
            self.block, self.text = tag, []
        if tag == "dt" and "id" in attributes:
            self.sections[-1] = [attributes["id"], ""]

    def handle_endtag(self, tag):
        if tag not in [name for name, _ in self.open]:
            return
        while self.open.pop()[0] != tag:
            pass
        if tag == self.block:
            self.end_block(tag, " ".join("".join(self.text).split()))
            self.block = None
        if tag == "section":
            self.sections.pop()

    def end_block(self, tag, text):
        if tag in TITLES:
            self.sections[-1][1] = text
            self.chapter = self.chapter or text
        elif self.sections:
            anchor, title = self.sections[-1]
            self.found.append(Paragraph(self.page, self.chapter, anchor, title, text))

    def handle_data(self, data):
        if self.block and not self.open[-1][1]:
            self.text.append(data)
