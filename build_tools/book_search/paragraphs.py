"""The paragraphs of the built book, as its reader sees them."""

from dataclasses import dataclass

from bs4 import BeautifulSoup

# What is no running text, or hides an answer from whoever looks for it.
LEFT_OUT = (
    ".admonition-title, .cell, .dropdown, .headerlink, .live, .live-size, "
    ".math-wrapper, .reading-time, .findings-count, .section-number, .solution"
)
# dt: a term of the glossary.
BLOCKS = "article :is(p, h1, h2, h3, h4, h5, h6, dt)"
INNER = "exercise-content"  # what all exercises call their section
FEWEST = 8  # words


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
    return [p for p in _paragraphs(html, page) if len(p.text.split()) >= FEWEST]


def _paragraphs(html, page):
    soup = BeautifulSoup(html, "html.parser")
    for part in soup.select(LEFT_OUT):
        part.extract()
    chapter, places = "", {}  # by the id of a section: its anchor and its title
    for block in soup.select(BLOCKS):
        if not (section := block.find_parent(_is_section)):
            continue
        own = section.get("id", "")
        anchor, title = places.get(own, (own, ""))
        text = " ".join(block.get_text().split())
        if block.name == "p":
            yield Paragraph(page, chapter, anchor, title, text)
        else:
            places[own] = block.get("id", anchor), text
            chapter = chapter or text


def _is_section(tag):
    return tag.name == "section" and tag.get("id") != INNER
