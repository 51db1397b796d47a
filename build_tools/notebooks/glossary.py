"""The terms that a notebook mentions, for a cell at its end.

Pages tell a definition to whoever points at a term. In a notebook it is plain text: not
every interface says which attributes of HTML it keeps, and a touch screen has no hover.
"""

from markdown_it import MarkdownIt

from build_tools.book.terms import is_meant, mention_of, read_glossary


def of(cells, root):
    """Return the terms in the running text of cells as Markdown; "" without any."""
    terms, found = read_glossary(root), set()
    if not terms:
        return ""
    mention = mention_of(terms)
    for cell in cells:
        if cell.cell_type == "markdown" or "glued" in cell.metadata.get("tags", []):
            for text in paragraphs(cell.source):
                named = {match[0].lower() for match in mention.finditer(text)}
                found |= {term for term in named if is_meant(term, text)}
    rows = ["- **{}**: {}".format(*terms[term]) for term in sorted(found)]
    return "\n".join(["## Terms", "", *rows]) if rows else ""


def paragraphs(text):
    """Yield the words of each paragraph, without code, links and tables."""
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    for before, token in zip(tokens, tokens[1:], strict=False):
        if before.type == "paragraph_open":
            yield "".join(_words(token.children))


def _words(children):
    links = 0
    for part in children:
        links += part.nesting if part.type.startswith("link") else 0
        if not links and part.type in ("text", "softbreak"):
            yield part.content or " "
