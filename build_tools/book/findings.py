"""The findings of the book: sentences that a `claim` holds to the run of their page.

The words, what they are about and the condition stand in a page's cells; whether they
held stands in its run. Build status lists both side by side.
"""

import ast
from dataclasses import dataclass
from pathlib import Path

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from build_tools.book.dependencies import cells_in, name_of
from build_tools.book.execution import executable_pages, run_of
from build_tools.book.glued_values import CLAIM, records_of


@dataclass(frozen=True)
class Finding:
    """A claim of a page; what is not literal is None."""

    words: str
    condition: str
    about: str


def findings_of(page):
    """Return the Findings of a page, in the order of its cells."""
    cells = cells_in(page.read_text(encoding="utf-8"))
    return [found for code in cells if "claim(" in code for found in claims_in(code)]


def claims_in(code):
    """Return the Findings that the calls of `claim` in Python code make."""
    calls = [
        node
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "claim"
    ]
    return [_finding(call, code) for call in sorted(calls, key=lambda c: c.lineno)]


def _finding(call, code):
    given = dict(zip(("words", "holds", "found", "about"), call.args, strict=False))
    given |= {keyword.arg: keyword.value for keyword in call.keywords}
    holds = given.get("holds")
    condition = ast.get_source_segment(code, holds) if holds else None
    return Finding(
        words=_literal(given.get("words")),
        condition=condition and " ".join(condition.split()),
        about=_literal(given["about"]) if "about" in given else "model",
    )


def _literal(node):
    """The text that a node is, or None."""
    text = getattr(node, "value", None) if isinstance(node, ast.Constant) else None
    return text if isinstance(text, str) else None


def held_in(notebook):
    """Return {words: {"about", "holds", "found"}} of the claims of an executed page."""
    return {
        name.removeprefix(CLAIM): ast.literal_eval(text)
        for name, text in records_of(notebook)
        if name.startswith(CLAIM)
    }


def in_words(page, root):
    """Say how many findings a page has and that the run agrees; "" for none."""
    count = len(findings_of(page))
    if not count:
        return ""
    one = count == 1
    said = f"{count} finding{'' if one else 's'}, checked against this run"
    failed = [w for w, told in held_in(run_of(page, root)).items() if not told["holds"]]
    return f"{said}; {len(failed)} of them not true of it." if failed else f"{said}."


def all_held(root):
    """Return {page: {words: what was told}} of all pages that have findings."""
    pages = [page for page in executable_pages(root) if findings_of(page)]
    return {page: held_in(run_of(page, root)) for page in pages}


def summary(root):
    """Say in a line how many findings of the book do not hold in its runs."""
    told = [claim for claims in all_held(root).values() for claim in claims.values()]
    failed = sum(not claim["holds"] for claim in told)
    if failed:
        return f"{failed} of {len(told)} findings do not hold here: see Build status"
    return f"All {len(told)} findings hold"


class Findings(SphinxDirective):
    """A table of all findings: page, words, condition, about what, whether held."""

    def run(self):
        rows = [
            [name_of(page), *row]
            for page, told in all_held(Path(self.env.srcdir)).items()
            for row in rows_of(findings_of(page), told)
        ]
        return [_table(["page", "words", "condition", "about", "holds"], rows)]


def rows_of(findings, told):
    """Return rows of words, condition, about what and whether it held.

    told: of the run, by words. Words that a loop or a variable makes stand in the run
    alone: each has a row.
    """
    known = {f.words for f in findings}
    rows = [
        [f.words, f.condition or "", f.about or "", _verdict(told.get(f.words))]
        for f in findings
        if f.words is not None
    ]
    made = [words for words in told if words not in known]
    return rows + [[w, "", told[w]["about"], _verdict(told[w])] for w in made]


def _verdict(told):
    return "not run" if told is None else "yes" if told["holds"] else "no"


def _table(heads, rows):
    group = nodes.tgroup(cols=len(heads))
    group += [nodes.colspec(colwidth=1) for _ in heads]
    group += nodes.thead("", _row(heads))
    group += nodes.tbody("", *[_row(row, code={2}) for row in rows])
    return nodes.table("", group, classes=["findings"])


def _row(cells, code=()):
    kinds = [nodes.literal if i in code else nodes.inline for i in range(len(cells))]
    return nodes.row(
        "",
        *[
            nodes.entry("", nodes.paragraph("", "", kind("", cell)))
            for kind, cell in zip(kinds, cells, strict=True)
        ],
    )


def setup(app):
    """Connect the list to Sphinx; called by the extension of the book."""
    app.add_directive("findings", Findings)
