"""What helps a reader on a page: how long it is, and what its terms mean.

The first mention of a glossary term in the running text of a chapter leads to the
glossary and tells the definition to whoever points at it. Chapters need no markup.
"""

import re

from docutils import nodes
from sphinx.util.nodes import make_refnode

GLOSSARY = "chapters/glossary"
# Where a term is marked up otherwise, or stands among what is not running text.
ELSEWHERE = (
    nodes.literal,
    nodes.reference,
    nodes.title,
    nodes.caption,
    nodes.table,
    nodes.math,
    nodes.Admonition,
    nodes.citation,
)


def add_to_chapter(app, doctree, docname):
    """Put the reading time under the title; link terms to the glossary."""
    if docname.startswith("chapters/"):
        minutes = app.env.metadata[docname].get("wordcount", {}).get("minutes")
        if title := doctree.next_node(nodes.title):
            text = f"{minutes} minutes to read; cells and exercises take longer."
            line = nodes.paragraph("", text, classes=["reading-time"])
            if docname != GLOSSARY and minutes:
                title.parent.insert(title.parent.index(title) + 1, line)
        if docname != GLOSSARY:
            link_terms(app, doctree, docname)


def link_terms(app, doctree, docname):
    """Make a link of each term's first mention in the paragraphs of a page."""
    places = app.env.get_domain("std").data["terms"]
    if not places:
        return
    definitions = definitions_of(app)
    names = sorted(places, key=len, reverse=True)
    mention = re.compile(
        rf"(?<![\w-])({'|'.join(map(re.escape, names))})(?=s?(?![\w-]))", re.IGNORECASE
    )
    linked = set()
    for text in list(doctree.findall(nodes.Text)):
        if not is_running_text(text):
            continue
        parts, end = [], 0
        for found in mention.finditer(text):
            term = found[0].lower()
            if term in linked:
                continue
            linked.add(term)
            target, label = places[term]
            word = nodes.inline("", found[0], classes=["glossary-term"])
            link = make_refnode(app.builder, docname, target, label, word)
            link["reftitle"] = definitions.get(label, "")
            parts += [nodes.Text(text[end : found.start()]), link]
            end = found.end()
        if parts:
            text.parent.replace(text, [*parts, nodes.Text(text[end:])])


def is_running_text(text):
    """Whether a Text node lies in a paragraph outside of boxes, links and code."""
    node, in_paragraph = text.parent, False
    while node is not None and not isinstance(node, nodes.document):
        if isinstance(node, ELSEWHERE) or {"exercise", "solution"} & set(
            node.get("classes", [])
        ):
            return False
        in_paragraph = in_paragraph or isinstance(node, nodes.paragraph)
        node = node.parent
    return in_paragraph


def definitions_of(app):
    """Return the definition of each glossary term by its label, read once."""
    if not hasattr(app, "glossary_definitions"):
        glossary = app.env.get_doctree(GLOSSARY)
        app.glossary_definitions = {
            label: " ".join(item[-1].astext().split())
            for item in glossary.findall(nodes.definition_list_item)
            for term in item.findall(nodes.term)
            for label in term["ids"]
        }
    return app.glossary_definitions
