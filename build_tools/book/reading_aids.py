"""What helps a reader on a page: how long it takes, what its terms and figures are.

The first mention of a glossary term in the running text of a chapter leads to the
glossary and tells the definition to whoever points at it; a figure that the build
computed says so. Chapters need no markup.
"""

from pathlib import Path

from docutils import nodes
from myst_nb.sphinx_ import NbMetadataCollector
from sphinx.util.nodes import make_refnode

from build_tools.book import findings, other_models, reading_time
from build_tools.book.terms import GLOSSARY, is_meant, mention_of

NOT_WRITTEN = {"exercise", "solution", "pasted-text"}
# No page to read through, so no minutes.
LISTS = {GLOSSARY, "chapters/references", "chapters/build-status", other_models.PAGE}
MINUTES = '<p class="reading-time">(minutes)'
COMPUTED = '<span class="pasted-text"'
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
    """Put the time that a page takes under its title, and how many findings it has at
    its end; link terms to the glossary."""
    if docname.startswith("chapters/") and docname != GLOSSARY:
        title = doctree.next_node(nodes.title)
        page = Path(app.env.doc2path(docname))
        if title and docname not in LISTS:
            text = "(minutes)"
            if ran := NbMetadataCollector.get_exec_data(app.env, docname):
                text += f" Its cells ran in {ran['runtime']:.0f} seconds."
            line = nodes.paragraph("", text, classes=["reading-time"])
            title.parent.insert(title.parent.index(title) + 1, line)
            if found := findings.in_words(page, Path(app.srcdir)):
                count = nodes.paragraph("", found, classes=["findings-count"])
                title.parent += count
        link_terms(app, doctree, docname)


def say_minutes(app, pagename, templatename, context, doctree):
    """Count how long the written page takes, and say so under its title.

    `app.reading_minutes` keeps it for the notebook beside the page.
    """
    if MINUTES in (body := context.get("body") or ""):
        minutes = reading_time.minutes_of(reading_time.size_of(body))
        app.reading_minutes = getattr(app, "reading_minutes", {}) | {pagename: minutes}
        line = f'<p class="{reading_time.LINE}">{reading_time.in_words(minutes)}'
        context["body"] = body.replace(MINUTES, line, 1)


def mark_computed(app, pagename, templatename, context, doctree):
    """Let the figures that cells have put into the text say so when pointed at."""
    if COMPUTED in (body := context.get("body") or ""):
        said = f'{COMPUTED} title="computed when this page was made"'
        context["body"] = body.replace(COMPUTED, said)


def link_terms(app, doctree, docname):
    """Make a link of each term's first mention in the paragraphs of a page."""
    places = app.env.get_domain("std").data["terms"]
    if not places:
        return
    definitions, mention = definitions_of(app), mention_of(places)
    linked = set()
    for text in list(doctree.findall(nodes.Text)):
        if not is_running_text(text):
            continue
        parts, end = [], 0
        for found in mention.finditer(text):
            term = found[0].lower()
            if term in linked or not is_meant(term, paragraph_of(text)):
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


def paragraph_of(text):
    """Return the whole text of the paragraph that a Text node lies in."""
    while not isinstance(text, nodes.paragraph):
        text = text.parent
    return text.astext()


def is_running_text(text):
    """Whether a Text node lies in a paragraph outside of boxes, links and code."""
    node, in_paragraph = text.parent, False
    while node is not None and not isinstance(node, nodes.document):
        if isinstance(node, ELSEWHERE) or NOT_WRITTEN & set(node.get("classes", [])):
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
