"""How large each built page is, and which is too large.

    python -m build_tools.book.page_sizes              # of the book built here
    python -m build_tools.book.page_sizes --root DIR   # of that in another checkout

A finding is a cell that claims something, itself or through functions of the chapter's
`claims.py`; its sentences are the claims. Minutes are those of `reading_time`. Seconds
are those of the page alone, where `build_tools.book.seconds` has measured it, else in
brackets those of the build, which runs two pages at a time.
"""

import argparse
import ast
import re
import sys
from collections import Counter
from pathlib import Path

from build_tools.book.dependencies import name_of, read_chapter, without_magics
from build_tools.book.execution import ALONE, executable_pages, run_of
from build_tools.book.reading_time import CORE, DEEPER, PARTS, minutes_of, size_of_built
from build_tools.console import say

MOST = {  # of a page
    "core minutes": 60,
    "core findings": 8,
    "deeper findings": 4,
    "core sentences": 20,
    "deeper sentences": 8,
}
MOST_SECONDS = 45
HEADING = re.compile(r"^## (.+)$", re.M)
FENCE = re.compile(r"(`{3,}|:{3,}|~{3,})")
NO_SENTENCE = re.compile(r"#|%|\([\w-]+\)=|$")
REMOVED = {"remove-input", "remove-cell"}
HEADS = (
    "page                      findings sentences  minutes      lines             first"
    "\n"
    "                        core deeper  core d.  core d. work  words visible folded "
    "removed line pictures seconds"
)


def measure(page, root):
    """Return {what: number} of a page; raises ValueError where it is not built."""
    size = size_of_built(page, root)
    if size is None:
        raise ValueError(f"{name_of(page)} is not built: make book first")
    minutes, claimed = minutes_of(size), claimed_in(page)
    found = {
        f"{part} {what}": claimed[part, what]
        for part in (CORE, DEEPER)
        for what in ("findings", "sentences")
    }
    found |= {f"{part} minutes": n for part, n in minutes.items()}
    for what in ("words", "lines", "folded", "pictures"):
        found[what] = size[CORE, what] + size[DEEPER, what]
    found["removed"] = claimed["removed"]
    found["first sentence"] = first_sentence(page.read_text(encoding="utf-8"))
    return found | seconds_of(page, root)


def above(size):
    """Return the names of the ceilings that a page is above, but for its seconds."""
    return [what for what, most in MOST.items() if size[what] > most]


def seconds_of(page, root):
    """Return the seconds of a page's run, "alone" or as "built", {} of none."""
    try:
        kept = run_of(page, root).metadata
    except ValueError:
        return {}
    built = kept.get("execution_seconds")
    return {"seconds alone": kept.get(ALONE), "seconds built": built}


def claimed_in(page):
    """Return a Counter: findings and sentences of (part, what), and lines "removed"."""
    claims, counts, part = claims_by_function(page.parent), Counter(), CORE
    for cell in read_chapter(page).cells:
        if cell.cell_type != "code":
            for title in HEADING.findall(cell.source):
                part = PARTS.get(title.strip(), CORE)
            continue
        if REMOVED & {*cell.metadata.get("tags", [])}:
            lines = cell.source.splitlines()
            counts["removed"] += sum(bool(line.strip()) for line in lines)
        if sentences := claims_of(cell.source, claims):
            counts[part, "findings"] += 1
            counts[part, "sentences"] += sentences
    return counts


def claims_by_function(folder):
    """Return {"claims." and function: number of claims} of a chapter's claims.py.

    A claim that a function makes by calling another of the file is its own.
    """
    path = folder / "claims.py"
    if not path.is_file():
        return {}
    body = ast.parse(path.read_text(encoding="utf-8")).body
    calls = {f.name: _calls(f) for f in body if isinstance(f, ast.FunctionDef)}

    def made(name):
        called = [made(other) * n for other, n in calls[name].items() if other in calls]
        return calls[name]["claim"] + sum(called)

    return {f"claims.{name}": made(name) for name in calls}


def claims_of(code, claims):
    """Return how many claims the code of a cell makes, itself and by functions."""
    calls = _calls(ast.parse(without_magics(code)))
    return sum(calls[name] * n for name, n in {"claim": 1, **claims}.items())


def _calls(node):
    """Count what is called in a piece of code, as it is written there."""
    calls = [part.func for part in ast.walk(node) if isinstance(part, ast.Call)]
    return Counter(map(ast.unparse, calls))


def first_sentence(text):
    """Return the line of a page's source on which its text begins, 0 if none does.

    The question in italics does not count, nor what stands in a cell or box.
    """
    fence, in_question, seen_title = "", False, False
    for number, line in enumerate(text.splitlines(), start=1):
        if found := FENCE.match(line):
            fence = "" if fence == found[1] else fence or found[1]
        elif fence or not seen_title:
            seen_title = seen_title or line.startswith("# ")
        elif in_question:
            in_question = bool(line.strip())
        elif line.startswith("*") and not line.startswith(("**", "* ")):
            in_question = True
        elif not NO_SENTENCE.match(line):
            return number
    return 0


def row_of(name, size):
    work = size["quiz minutes"] + size["exercises minutes"]
    alone, built = size.get("seconds alone"), size.get("seconds built")
    seconds = "-" if built is None else f"({built:.0f})"
    return (
        f"{name:24}{size['core findings']:4}{size['deeper findings']:7}"
        f"{size['core sentences']:6}{size['deeper sentences']:3}"
        f"{size['core minutes']:6}{size['deeper minutes']:3}{work:5}"
        f"{size['words']:7}{size['lines']:8}{size['folded']:7}{size['removed']:8}"
        f"{size['first sentence']:5}{size['pictures']:9}"
        f"{seconds if alone is None else f'{alone:.0f}':>8}"
    )


def table(root):
    """Return a row a page, and a line for each ceiling with the pages above it."""
    sizes = {name_of(page): measure(page, root) for page in executable_pages(root)}
    sizes.pop("build-status", None)  # a list
    lines = [HEADS, *(row_of(name, size) for name, size in sizes.items()), ""]
    for what, most in MOST.items():
        names = [f"{n} ({s[what]})" for n, s in sizes.items() if s[what] > most]
        lines.append(f"above {most} {what}: {', '.join(names) or 'none'}")
    slow = [n for n, s in sizes.items() if (s.get("seconds alone") or 0) > MOST_SECONDS]
    lines.append(f"above {MOST_SECONDS} seconds alone: {', '.join(slow) or 'none'}")
    return "\n".join(lines)


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m build_tools.book.page_sizes")
    parser.add_argument("--root", type=Path, default=Path.cwd(), help="of the project")
    try:
        say(table(parser.parse_args(arguments).root.resolve()))
    except (OSError, ValueError) as error:
        return f"error: {error}"
    return 0


if __name__ == "__main__":
    sys.exit(main())
