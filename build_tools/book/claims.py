"""Sentences that a `claim` of their page holds to its run, marked where it fails.

    [It *turns* towards the water]{.claim-turns}

binds the words to `claim("turns", ...)` in a cell above, or in a module beside the
page. Where it held they are text like any other. Where not, they are marked at each
place, and what was found stands below the first. A name without a claim and a claim
without words are warnings, with which the book is not built.
"""

import re
from pathlib import Path

from docutils import nodes
from nbformat import NotebookNode
from sphinx.util import logging

from build_tools.book.dependencies import cells_in, code_in, modules_beside
from build_tools.book.execution import run_of
from build_tools.book.findings import findings_of, held_in
from build_tools.book.glued_values import records_of
from build_tools.book.spans import PREFIX
from helpers import CLAIM, NOT_SO, found_instead

LOGGER = logging.getLogger(__name__)
NAMED = re.compile(r"\.claim-(?P<name>[\w-]+)|\bclaim\(\s*(['\"])(?P<call>[\w-]+)\2")


def mark(app, doctree):
    """Mark the words of a page whose claim failed; warn of what is not bound."""
    page = Path(app.env.doc2path(app.env.docname))
    places = named_places(doctree)
    findings = findings_of(page)
    if not places and not findings:
        return
    has_cells = cells_in(page.read_text(encoding="utf-8"))
    run = run_of(page, Path(app.srcdir)) if has_cells else NotebookNode(cells=[])
    held = held_in(run)
    for name, spans in places.items():
        spans[0]["ids"].append(PREFIX + name)
        if name in held and not held[name]["holds"]:
            for number, span in enumerate(spans):
                _mark_words(span, held[name], name, number == 0)
    for name, fault in faults(page, places, findings, run):
        LOGGER.warning(fault, location=_place_of(page, name), type="claim")


def named_places(doctree):
    """Return {name: nodes of its words}; takes the names off the nodes' classes."""
    places = {}
    for node in doctree.findall(nodes.Element):
        classes = node.get("classes", [])
        names = [c.removeprefix(PREFIX) for c in classes if c.startswith(PREFIX)]
        if names:
            node["classes"] = [c for c in classes if not c.startswith(PREFIX)]
            for name in names:
                places.setdefault(name, []).append(node)
    return places


def faults(page, places, findings, run):
    """Yield (name, what is wrong) of claims and words that do not belong together."""
    records = [n.removeprefix(CLAIM) for n, _ in records_of(run) if n.startswith(CLAIM)]
    for name, spans in places.items():
        if name not in records:
            yield name, f"no cell of the page makes the claim {name!r}"
        if not all(isinstance(span, nodes.inline) for span in spans):
            yield name, f"the claim {name!r} is bound to a block; put it on the words"
    written = {finding.name for finding in findings}
    for name in dict.fromkeys([*filter(None, written), *records]):
        if name not in records:
            yield name, f"the claim {name!r} did not run"
        elif name not in places:
            yield name, f"no words of the page are bound to the claim {name!r}"
        if records.count(name) > 1:
            yield name, f"the claim {name!r} is made {records.count(name)} times"
    if None in written:
        yield "", "a claim's name is no literal text"


def _place_of(page, name):
    """Return "file:line" of a claim's words, else of its call; line 1 for neither."""
    code = code_in(page.read_text(encoding="utf-8"))
    for path in (page, *modules_beside(page, code)):
        text = path.read_text(encoding="utf-8")
        for found in NAMED.finditer(text):
            if name in (found["name"], found["call"]):
                return f"{path}:{text[: found.start()].count(chr(10)) + 1}"
    return f"{page}:1"


def _mark_words(span, record, name, first):
    """Mark words, say so in words once, and put what was found below their paragraph.

    first: whether no words before these bear the name; the others lead to those.
    """
    link = nodes.reference("", NOT_SO, internal=True, refid=PREFIX + name)
    told = nodes.Text(NOT_SO) if first else link
    sign = nodes.inline("", " (", told, nodes.Text(")"), classes=["claim-sign"])
    if "claim-failed" not in span["classes"]:  # words may bear two names that fail
        span["classes"].append("claim-failed")
        span.parent.insert(span.parent.index(span) + 1, sign)
    if first and (found := found_instead(record)):
        _put_below(span, sign, f"In this run: {found}")


def _put_below(span, sign, text):
    block = span
    while block is not None and not isinstance(block, nodes.paragraph):
        block = block.parent
    if block is None:  # a title or a caption has no room below it
        sign += nodes.Text(f" {text}")
        return
    at = block.parent.index(block) + 1
    while at < len(block.parent) and "claim-found" in block.parent[at].get(
        "classes", ()
    ):
        at += 1
    block.parent.insert(at, nodes.paragraph("", text, classes=["claim-found"]))


def setup(app):
    """Connect the marks to Sphinx; called by the extension of the book."""
    app.connect("doctree-read", mark)
