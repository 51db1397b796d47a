"""From a changed sentence to its verdict: `python -m build_tools.upkeep.one_page SLUG`.

Reads and writes that page of the book alone, executes its cells if their digest has
changed, says which of its findings do not hold, exports its notebook, and runs the
tests of the page. The book must have been built once. What other pages show of this one
(a title, the search) follows with the next `make book`.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

from sphinx.application import ENV_PICKLE_FILENAME

from build_tools import program
from build_tools.book import findings
from build_tools.book.__main__ import BOOK, TOOLS
from build_tools.book.dependencies import name_of
from build_tools.book.execution import executable_pages, run_of, set_environment
from build_tools.book.fresh_pages import ONLY, choices_and_tools
from build_tools.console import say
from build_tools.notebooks import exporter, kept
from helpers.whole_files import alone, replace

BUILD = ["jupyter-book", "build", ".", "-q", "-W", "--keep-going"]
TESTS = ["-q", "-p", "no:cacheprovider", "-m", "not slow and not weekly"]


def page_named(name, root):
    """Return the page of that name; raises ValueError that lists all names."""
    pages = {name_of(page): page for page in executable_pages(root)}
    if name not in pages:
        raise ValueError(f"there is no page {name!r}; there are {', '.join(pages)}")
    return pages[name]


def build(page, root):
    """Build a page of the book; returns the exit status.

    Raises ValueError where there is no book that it could be a page of.
    """
    made_of = {BOOK: os.environ.get("BOOK_SETTINGS", "")}
    made_of[TOOLS] = choices_and_tools(root)
    files = [root / name for name in made_of]
    pages = root / "_build/.doctrees" / ENV_PICKLE_FILENAME  # what Sphinx knows of all
    read = [f.is_file() and f.read_text("utf-8") for f in files]
    if read != [*made_of.values()] or not pages.is_file():
        raise ValueError(
            "the book has not been built with this list of pages, model and tools: "
            "make book first"
        )
    place = page.relative_to(root).with_suffix("")
    command = program.command(*BUILD)
    named = os.environ | {ONLY: place.as_posix()}
    kept = [pages, pages.parent / place.with_suffix(".doctree")]
    known = {file: file.read_bytes() for file in kept if file.is_file()}
    status = subprocess.run(command, cwd=root, env=named).returncode
    if status:  # Sphinx deletes the one, and the other holds what stopped it
        for file, content in known.items():
            replace(file, content)
    return status


def failed_claims(page, root):
    """Return a line for each finding of a page that its run does not bear out."""
    told = findings.held_in(run_of(page, root))
    return [
        f"does not hold: {words}. {claim['found']}".strip()
        for words, claim in told.items()
        if not claim["holds"]
    ]


def tests(page, root):
    """Run the tests of a page; returns the exit status."""
    beside = [page.parent] if page.stem == "index" else []
    places = [*beside, root / "tests/chapters"]
    command = [sys.executable, "-m", "pytest", *TESTS, "--page", name_of(page)]
    one_thread = os.environ | {"OMP_NUM_THREADS": "1"}  # the faster for small tests
    run = subprocess.run([*command, *map(str, places)], cwd=root, env=one_thread)
    return run.returncode


def verdict(name, root):
    """Build, judge, export and test a page; returns whether all of it is well."""
    page, start = page_named(name, root), time.perf_counter()
    with alone(root / BOOK):
        if build(page, root):
            return False
    say(f"==> {name} is built: {time.perf_counter() - start:.0f} s")
    failed = failed_claims(page, root)
    say("\n".join(failed) or "==> Its findings hold")
    if exporter.is_exported(page):
        notebook = exporter.write_one(page, root, kept.renewed(page, root))
        say(f"==> Wrote {notebook.relative_to(root)}")
    passed = not tests(page, root)
    say(f"==> {time.perf_counter() - start:.0f} s in all")
    return passed and not failed


def main(arguments=None):
    [name] = sys.argv[1:] if arguments is None else arguments
    root = Path.cwd()
    set_environment(root)
    try:
        return 0 if verdict(name, root) else 1
    except (OSError, ValueError) as error:
        return f"error: {error}"


if __name__ == "__main__":
    sys.exit(main())
