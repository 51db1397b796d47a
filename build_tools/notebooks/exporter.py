"""Export the chapters as notebooks for Colab, Kaggle and JupyterLab.

    python -m build_tools.notebooks            # writes notebooks/
    python -m build_tools.notebooks --check    # says which are out of step

Solutions are left out. What only Sphinx understands becomes plain Markdown; a
directive or role that is not known here is an error.
"""

import argparse
import itertools
import tomllib
from dataclasses import dataclass
from pathlib import Path

import nbformat
import yaml

from build_tools.book import glued_values
from build_tools.book.dependencies import name_of, read_page
from build_tools.book.execution import executable_pages
from build_tools.notebooks import pictures
from build_tools.notebooks.markdown import Converter, ExportError

ROOT = Path(__file__).resolve().parents[2]
FOLDER = "notebooks"
METADATA = {
    "kernelspec": {
        "display_name": "Python 3",
        "language": "python",
        "name": "python3",
    },
    "language_info": {"name": "python"},
}
SET_UP = """\
# On Google Colab and Kaggle this fetches the course and what they lack. It
# does nothing elsewhere.
import os, subprocess, sys

source = os.environ.get("INSIDE_BERT_SOURCE", "{url}")
places = {{"INSIDE_BERT_SOURCE", "KAGGLE_KERNEL_RUN_TYPE"}} & {{*os.environ}}
if "google.colab" in sys.modules or places:
    clone = ["git", "clone", "--quiet", "--depth", "1", "--branch", "{tag}"]
    if not os.path.isdir("inside-bert"):
        if subprocess.run([*clone, source, "inside-bert"]).returncode:
            sys.exit("The course was not fetched. On Kaggle: Settings, Internet.")
    os.chdir("inside-bert/chapters")
    sys.path.insert(0, os.path.abspath(".."))
    from helpers import install_missing

    install_missing()
"""
HIDDEN = {"jupyter": {"source_hidden": True}, "cellView": "form"}


@dataclass
class Site:
    """Where the course is published."""

    url: str  # of the public repository; empty where none is named
    tag: str  # of this version: a notebook and the helpers it fetches belong together
    book: str

    @classmethod
    def read(cls, root):
        config = yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8"))
        project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
        tag = f"v{project['project']['version']}"
        url = (config.get("repository") or {}).get("url") or ""
        return cls(url, tag, config["html"]["baseurl"])


def export(path, root=ROOT, solutions=False):
    """Return the notebook (nbformat) of the chapter at `path`.

    solutions: whether they stay in, as in the instructor's set of a class.
    Raises ExportError with one line that names the chapter and what is not known.
    """
    site = Site.read(root)
    converter = Converter(path, root, site.book)
    source = read_page(path.read_text(encoding="utf-8"))
    values = glued_values.read(root).get(name_of(path), {})
    cells, in_solution = [], False
    for cell in source.cells:
        if cell.cell_type == "code":
            if not in_solution:
                cells.append(_code(cell))
            continue
        for kind, text in _merged(converter.parts(cell.source)):
            text = text if cells else converter.numbered_title(text)
            if kind == "solution-start" and solutions:
                cells.append(nbformat.v4.new_markdown_cell("#### Solution"))
            elif kind == "solution-start":
                in_solution = True
                page = path.relative_to(root).with_suffix(".html").as_posix()
                link = f"{site.book}{page}#{text}"
                line = f"*The solution stands in [the book]({link}).*"
                cells.append(nbformat.v4.new_markdown_cell(line))
            elif kind == "solution-end":
                in_solution = False
            elif not in_solution and text.strip():
                cells.append(_text(kind, text, values))
    if references := converter.references():
        cells.append(nbformat.v4.new_markdown_cell(references))
    opening = [cells[0], _set_up(site), *cells[1:]] if cells else []
    for number, cell in enumerate(opening):
        cell["id"] = f"cell-{number:03d}"
    return nbformat.v4.new_notebook(cells=opening, metadata=METADATA)


def _merged(parts):
    """Join neighbouring parts of one kind, so that a cell is more than a paragraph."""
    for kind, group in itertools.groupby(parts, key=lambda part: part[0]):
        texts = [text.strip() for _, text in group]
        if kind in ("markdown", "glued"):
            texts = ["\n\n".join(text for text in texts if text)]
        yield from ((kind, text) for text in texts)


def _code(cell):
    new = nbformat.v4.new_code_cell(cell.source)
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


def _set_up(site):
    source = SET_UP.format(url=site.url, tag=site.tag).rstrip()
    return nbformat.v4.new_code_cell(source, metadata={"tags": ["set-up"]})


def chapters(root=ROOT):
    """Return the pages that become notebooks, in the order of the book."""
    return [path for path in executable_pages(root) if is_exported(path)]


def is_exported(path):
    """Return whether a page that has cells becomes a notebook."""
    header = next(yaml.safe_load_all(path.read_text(encoding="utf-8")))
    return header.get("export", True)


def rendered(root=ROOT):
    """Return {file name: text} of all notebooks."""
    return {f"{name_of(path)}.ipynb": as_text(path, root) for path in chapters(root)}


def as_text(path, root=ROOT, solutions=False):
    """Return the notebook of a chapter as the text of its file."""
    return nbformat.writes(export(path, root, solutions)) + "\n"


def write(root=ROOT, folder=None):
    """Write all notebooks; delete those whose chapter is gone."""
    folder = folder or root / FOLDER
    texts = rendered(root)  # all, before anything is written
    folder.mkdir(exist_ok=True)
    for path in folder.glob("*.ipynb"):
        if path.name not in texts:
            path.unlink()
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return sorted(texts)


def out_of_step(root=ROOT):
    """Return the names of notebooks that an export would add, change or delete."""
    folder, texts = root / FOLDER, rendered(root)
    found = {path.name: path.read_text("utf-8") for path in folder.glob("*.ipynb")}
    names = sorted(texts.keys() | found.keys())
    return [name for name in names if texts.get(name) != found.get(name)]


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m build_tools.notebooks")
    parser.add_argument("--check", action="store_true", help="write nothing")
    options = parser.parse_args(arguments)
    try:
        if not options.check:
            pictures.main()
            glued_values.renew(ROOT, chapters())
            print(f"wrote {len(write())} notebooks to {FOLDER}/")
        elif names := out_of_step():
            listed = ", ".join(names)
            parser.exit(1, f"out of step with chapters/: {listed}; make notebooks\n")
    except ExportError as error:
        parser.exit(1, f"{error}\n")
