"""Export the chapters as notebooks for Colab, Kaggle and JupyterLab.

    python -m build_tools.notebooks            # writes notebooks/
    python -m build_tools.notebooks attention  # writes that one
    python -m build_tools.notebooks --check    # says which are out of step

In notebooks/ they name no address, so that they are the same in every copy of the
project. Built beside the pages of a book, they name where it is published (`site`).
Solutions are left out. What only Sphinx understands becomes plain Markdown; a
directive or role that is not known here is an error.
"""

import argparse
import itertools
import os
from dataclasses import asdict
from pathlib import Path

import nbformat
import yaml

from build_tools.book import glued_values
from build_tools.book.dependencies import name_of, read_page
from build_tools.book.execution import DEFAULTS, executable_pages
from build_tools.book.reading_time import in_words
from build_tools.book.site import Site
from build_tools.book.templates import rendered
from build_tools.console import say
from build_tools.notebooks import alone, glossary, kept, pictures
from build_tools.notebooks.markdown import Converter, ExportError

ROOT = Path(__file__).resolve().parents[2]
FOLDER = kept.FOLDER
METADATA = {
    "kernelspec": {
        "display_name": "Python 3",
        "language": "python",
        "name": "python3",
    },
    "language_info": {"name": "python"},
}
HIDDEN = {"jupyter": {"source_hidden": True}, "cellView": "form"}


class UnknownPage(ValueError):
    """A name that no page has."""


def export(path, root=ROOT, solutions=False, site=None, known=None):
    """Return the notebook (nbformat) of the chapter at `path`.

    solutions: whether they stay in, as in the instructor's set of a class. site: where
    the course is published; nowhere, if it is None. known: what it keeps of the run of
    its page, a Kept; without one what the exported notebook has kept.
    Raises ExportError with one line that names the chapter and what is not known.
    """
    site = site or Site.unset(root)
    known = known or kept.in_notebook(path, root)
    converter = Converter(path, root, site.book)
    source = read_page(path.read_text(encoding="utf-8"))
    values = known.values
    cells, in_solution, opening = [], False, glued_values.opening(values)
    for cell in source.cells:
        if cell.cell_type == "code":
            if not in_solution:
                cells.append(_code(cell, opening))
                opening = None  # the first cell alone shows it
            continue
        for kind, text in _merged(converter.parts(cell.source)):
            text = text if cells else _opening(text, converter, known.minutes)
            if kind == "solution-start" and solutions:
                cells.append(nbformat.v4.new_markdown_cell("#### Solution"))
            elif kind == "solution-start":
                in_solution = True
                line = f"*The solution stands in {converter.here('the book', text)}.*"
                cells.append(nbformat.v4.new_markdown_cell(line))
            elif kind == "solution-end":
                in_solution = False
            elif not in_solution and text.strip():
                cells.append(_text(kind, text, values))
    for last in (glossary.of(cells, root), converter.works.listed()):
        if last:
            cells.append(nbformat.v4.new_markdown_cell(last))
    cells = [cells[0], *set_up(site), *cells[1:]] if cells else []
    alone.complete(cells, source.cells)
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number:03d}"
    return nbformat.v4.new_notebook(cells=cells, metadata=METADATA | known.metadata())


def _opening(text, converter, minutes):
    """Return the opening of a page with its number, and how long the page takes."""
    title, *rest = converter.numbered_title(text).split("\n")
    time = in_words(minutes)
    return "\n".join([title, *(["", f"*{time}*"] if time else []), *rest])


def _merged(parts):
    """Join neighbouring parts of one kind, so that a cell is more than a paragraph."""
    for kind, group in itertools.groupby(parts, key=lambda part: part[0]):
        texts = [text.strip() for _, text in group]
        if kind in ("markdown", "glued"):
            texts = ["\n\n".join(text for text in texts if text)]
        yield from ((kind, text) for text in texts)


def _code(cell, output=None):
    """The cell without its outputs, or with the one that is shown before a run."""
    new = nbformat.v4.new_code_cell(cell.source, outputs=[output] if output else [])
    tags = cell.metadata.get("tags", [])
    if tags:
        new.metadata["tags"] = list(tags)
    if {"remove-cell", "remove-input", "hide-input"} & set(tags):
        new.metadata |= HIDDEN
    return new


def _text(kind, text, values):
    """A Markdown cell, or a code cell for text with values of the student's run.

    Before its first run the latter shows the values of the built book.
    """
    if kind in ("markdown", "own"):
        return nbformat.v4.new_markdown_cell(text.strip())
    if kind == "code":
        return nbformat.v4.new_code_cell(text.strip())
    quoted = text.strip().replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    source = f'from helpers import glued_text\n\nglued_text("""\\\n{quoted}\n""")'
    new = nbformat.v4.new_code_cell(source, metadata={"tags": ["glued"]} | HIDDEN)
    if output := glued_values.output(text.strip(), values):
        new.outputs = [output]
    return new


def set_up(site):
    """The cell that finds the course, folded, and the one with its two switches."""
    # Fetched is the tag; what came must be its commit. Of a site that is published
    # nowhere none is known, and only a setting of the student's says where it is.
    told = asdict(site) | {"example": site.url or "https://..."}
    sources = {
        "set-up": rendered("set_up.py.txt", **told),
        "switches": rendered("switches.py.txt"),
    }
    return [
        nbformat.v4.new_code_cell(
            source, metadata={"tags": [tag]} | (HIDDEN if tag == "set-up" else {})
        )
        for tag, source in sources.items()
    ]


def chapters(root=ROOT):
    """Return the pages that become notebooks, in the order of the book."""
    return [path for path in executable_pages(root) if is_exported(path)]


def is_exported(path):
    """Return whether a page that has cells becomes a notebook."""
    header = next(yaml.safe_load_all(path.read_text(encoding="utf-8")))
    return header.get("export", True)


def as_text(path, root=ROOT, solutions=False, site=None, known=None):
    """Return the notebook of a chapter as the text of its file."""
    return nbformat.writes(export(path, root, solutions, site, known)) + "\n"


def write_one(page, root=ROOT, known=None):
    """Write the notebook of a page; return its path. known: as `export` takes it."""
    text = as_text(page, root, known=known)
    path = root / FOLDER / f"{name_of(page)}.ipynb"
    path.write_text(text, encoding="utf-8")
    return path


def out_of_step(root=ROOT):
    """Return the names of notebooks that an export would add, change or delete."""
    texts = {f"{name_of(page)}.ipynb": as_text(page, root) for page in chapters(root)}
    files = (root / FOLDER).glob("*.ipynb")
    found = {path.name: path.read_text("utf-8") for path in files}
    names = sorted(texts.keys() | found.keys())
    return [name for name in names if texts.get(name) != found.get(name)]


def write_asked(names, root=ROOT):
    """Write the notebooks of the pages of these names, of all where there are none.

    Raises UnknownPage for a name that no page has.
    """
    os.environ.update(DEFAULTS)  # what all show before their first run
    pages, texts, others = {name_of(page): page for page in chapters(root)}, {}, []
    if unknown := [name for name in names if name not in pages]:
        raise UnknownPage(f"no page {unknown[0]!r}; there are {', '.join(pages)}")
    pictures.main(root)
    for name in names or pages:  # all, before anything is written
        try:
            known = kept.renewed(pages[name], root)
        except ValueError:
            known = None
            others.append(name)
        texts[name] = as_text(pages[name], root, known=known)
    for path in (root / FOLDER).glob("*.ipynb"):
        if path.stem not in pages:
            path.unlink()
    for name, text in texts.items():
        (root / FOLDER / f"{name}.ipynb").write_text(text, encoding="utf-8")
    say(f"wrote {len(names) or len(pages)} notebooks to {FOLDER}/")
    if others:
        listed = ", ".join(others)
        say(f"with older values, as they have not run (make book): {listed}")


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m build_tools.notebooks")
    parser.add_argument("--check", action="store_true", help="write nothing")
    parser.add_argument("page", nargs="*", help="its notebook alone")
    options = parser.parse_args(arguments)
    try:
        if not options.check:
            write_asked(options.page)
        elif names := out_of_step():
            listed = ", ".join(names)
            parser.exit(1, f"out of step with chapters/: {listed}; make notebooks\n")
    except (ExportError, UnknownPage) as error:
        parser.exit(1, f"{error}\n")
