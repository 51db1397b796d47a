"""How large each built page is, and which is too large.

    python -m build_tools.book.page_sizes

A finding is a cell that claims something, itself or through functions of the chapter's
`claims.py`; its sentences are the claims. Minutes are
those of `reading_time`. Seconds are those of the build, which runs two pages at a time.
"""

import ast
import re
import sys
from collections import Counter
from pathlib import Path

from build_tools.book.dependencies import name_of, read_chapter, without_magics
from build_tools.book.execution import executable_pages, run_of
from build_tools.book.reading_time import CORE, DEEPER, PARTS, minutes_of, size_of_built
from build_tools.console import say

MOST = {  # of a page
    "core minutes": 60,
    "core findings": 8,
    "deeper findings": 4,
    "core sentences": 20,
    "deeper sentences": 8,
}
HEADING = re.compile(r"^## (.+)$", re.M)
HEADS = (
    "page                      findings sentences  minutes\n"
    "                        core deeper  core d.  core d. work  words lines folded "
    "pictures seconds"
)


def measure(page, root):
    """Return {what: number} of a page; raises ValueError where it is not built."""
    size = size_of_built(page, root)
    if size is None:
        raise ValueError(f"{name_of(page)} is not built: make book first")
    claimed = claimed_in(page)
    found = {
        f"{part} {what}": claimed[part, what]
        for part in (CORE, DEEPER)
        for what in ("findings", "sentences")
    }
    found |= {f"{part} minutes": n for part, n in minutes_of(size).items()}
    for what in ("words", "lines", "folded", "pictures"):
        found[what] = size[CORE, what] + size[DEEPER, what]
    return found | {"seconds": seconds_of(page, root)}


def seconds_of(page, root):
    """Return the seconds of a page's run, NaN of none."""
    try:
        return run_of(page, root).metadata["execution_seconds"]
    except ValueError:
        return float("nan")


def above(size):
    """Return the names of the ceilings that a page is above."""
    return [what for what, most in MOST.items() if size[what] > most]


def claimed_in(page):
    """Return a Counter: findings and sentences of (part, what)."""
    claims, counts, part = claims_by_function(page.parent), Counter(), CORE
    for cell in read_chapter(page).cells:
        if cell.cell_type != "code":
            for title in HEADING.findall(cell.source):
                part = PARTS.get(title.strip(), CORE)
            continue
        if sentences := claims_of(cell.source, claims):
            counts[part, "findings"] += 1
            counts[part, "sentences"] += sentences
    return counts


def claims_by_function(folder):
    """Return {"claims." and function: number of claims} of a chapter's claims.py."""
    path = folder / "claims.py"
    if not path.is_file():
        return {}
    functions = [
        node
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef)
    ]
    return {f"claims.{f.name}": _calls(f)["claim"] for f in functions}


def claims_of(code, claims):
    """Return how many claims the code of a cell makes, itself and by functions."""
    calls = _calls(ast.parse(without_magics(code)))
    return sum(calls[name] * n for name, n in {"claim": 1, **claims}.items())


def _calls(node):
    """Count what is called in a piece of code, as it is written there."""
    calls = [part.func for part in ast.walk(node) if isinstance(part, ast.Call)]
    return Counter(map(ast.unparse, calls))


def row_of(name, size):
    work = size["quiz minutes"] + size["exercises minutes"]
    return (
        f"{name:24}{size['core findings']:4}{size['deeper findings']:7}"
        f"{size['core sentences']:6}{size['deeper sentences']:3}"
        f"{size['core minutes']:6}{size['deeper minutes']:3}{work:5}"
        f"{size['words']:7}{size['lines']:6}{size['folded']:7}"
        f"{size['pictures']:9}{size['seconds']:8.0f}"
    )


def table(root):
    """Return a row a page, and a line for each ceiling with the pages above it."""
    sizes = {name_of(page): measure(page, root) for page in executable_pages(root)}
    sizes.pop("build-status", None)  # a list
    lines = [HEADS, *(row_of(name, size) for name, size in sizes.items()), ""]
    for what, most in MOST.items():
        names = [f"{n} ({s[what]})" for n, s in sizes.items() if s[what] > most]
        lines.append(f"above {most} {what}: {', '.join(names) or 'none'}")
    return "\n".join(lines)


def main(root=None):
    try:
        say(table(root or Path.cwd()))
    except (OSError, ValueError) as error:
        return f"error: {error}"
    return 0


if __name__ == "__main__":
    sys.exit(main())
