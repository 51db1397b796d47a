"""The findings of the book: sentences that a `claim` holds to the run of their page.

The words stand in the page, as a span with the claim's name; what they are about and
the condition stand in the page's cells or in a module beside it; whether they held
stands in its run. Build status lists words and conditions side by side.
"""

import ast
import re
from dataclasses import dataclass, replace
from pathlib import Path

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from build_tools.book.dependencies import (
    cells_in,
    modules_beside,
    name_of,
    without_magics,
)
from build_tools.book.execution import executable_pages, run_of
from build_tools.book.glued_values import records_of
from build_tools.book.spans import words_of
from helpers import CLAIM


@dataclass(frozen=True)
class Finding:
    """A claim of a page; what is not literal, or stands nowhere, is None."""

    name: str
    condition: str
    about: str
    words: str = None


def findings_of(page):
    """Return the Findings of a page: of its cells, then of the modules beside it."""
    text = page.read_text(encoding="utf-8")
    sources = cells_in(text)
    sources += [m.read_text("utf-8") for m in modules_beside(page, "\n".join(sources))]
    words = words_of(text)
    return [
        replace(found, words=words.get(found.name))
        for code in sources
        if "claim(" in code
        for found in claims_in(code)
    ]


def claims_in(code):
    """Return the Findings, without their words, that calls of `claim` in code make."""
    calls = [
        node
        for node in ast.walk(ast.parse(without_magics(code)))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "claim"
    ]
    return [_finding(call, code) for call in sorted(calls, key=lambda c: c.lineno)]


def _finding(call, code):
    given = dict(zip(("name", "holds", "found", "about"), call.args, strict=False))
    given |= {keyword.arg: keyword.value for keyword in call.keywords}
    holds = given.get("holds")
    condition = ast.get_source_segment(code, holds) if holds else None
    return Finding(
        name=_literal(given.get("name")),
        condition=condition and " ".join(condition.split()),
        about=_literal(given["about"]) if "about" in given else "model",
    )


def _literal(node):
    """The text that a node is, or None."""
    text = getattr(node, "value", None) if isinstance(node, ast.Constant) else None
    return text if isinstance(text, str) else None


def held_in(notebook):
    """Return {name: record as `claim` made it} of an executed page's claims."""
    return {
        name.removeprefix(CLAIM): ast.literal_eval(text)
        for name, text in records_of(notebook)
        if name.startswith(CLAIM)
    }


def in_words(page, root):
    """Say how many findings a page has and that the run agrees; "" for none."""
    if not findings_of(page):
        return ""
    held = held_in(run_of(page, root))
    one = len(held) == 1
    said = f"{len(held)} finding{'' if one else 's'}, checked against this run"
    failed = [name for name, record in held.items() if not record["holds"]]
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
            for page, held in all_held(Path(self.env.srcdir)).items()
            for row in rows_of(findings_of(page), held)
        ]
        heads = ["page", "words", "condition", "about", "holds"]
        return [table_of(heads, rows, code={2})]


def rows_of(findings, held):
    """Return rows of words, condition, about what and whether it held.

    held: of the run, by the claims' names.
    """
    return [
        [
            plain(f.words or f.name),
            f.condition or "",
            f.about,
            _verdict(held.get(f.name)),
        ]
        for f in findings
    ]


def plain(words):
    """Return words of a page without their markup; a value goes by its name.

    >>> plain("{glue:text}`n:.0f` of *boat* and `[CLS]`, {term}`piece <token>`")
    'n of boat and [CLS], piece'
    """
    words = re.sub(r"\{glue[^}]*\}`([^`:]+)[^`]*`", r"\1", words)
    words = re.sub(r"\{\w+\}`([^`<]*?)\s*(?:<[^`]*)?`", r"\1", words)
    return re.sub(r"([*`]+)(\S(?:.*?\S)?)\1", r"\2", words)


def _verdict(record):
    return "not run" if record is None else "yes" if record["holds"] else "no"


def table_of(heads, rows, code=()):
    """Return a table's node; code: the numbers of the columns that show code."""
    group = nodes.tgroup(cols=len(heads))
    group += [nodes.colspec(colwidth=1) for _ in heads]
    group += nodes.thead("", _row(heads))
    group += nodes.tbody("", *[_row(row, code) for row in rows])
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
