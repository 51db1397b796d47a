"""What a chapter's outputs depend on, as one digest for each chapter.

A chapter that is changed, or whose helper modules, data, model or requirements are,
is executed again, and no other.
"""

import ast
import hashlib
import os
import platform
import re
from functools import cache
from pathlib import Path

from myst_nb.core.read import read_myst_markdown_notebook

from helpers.exercises.chapters import read_chapters

# Modules that load files without importing them, below the root; {} is the folder of
# the chapter.
LOADED = {
    "chapters.seeing_attention.patterns": ["chapters/seeing-attention/pairs.tsv"],
    "chapters.seeing_attention.views": [
        f"chapters/seeing-attention/{name}"
        for name in ("frame.js", "frame.css", "page.html")
    ],
    "helpers.exercises": ["{}/exercises.py", "{}/quiz.toml"],
}
REQUIREMENTS = ("requirements.txt", "requirements.lock")  # PyTorch, and all else
# As myst-nb finds them, which takes a tenth of a second a page.
CELL = re.compile(r"^```\{code-cell\}.*\n(?::.*\n)*(?P<code>(?:.*\n)*?)```\s*$", re.M)
OWN = ("helpers", "chapters")  # packages of this project that a page imports
CHOICES = ("BERT_COURSE_MODEL", "COARSE_WSD_HOME", "SMS_SPAM_HOME")


def read_chapter(path):
    """Return the notebook in a MyST file, as myst-nb reads it."""
    return read_page(Path(path).read_text(encoding="utf-8"))


def read_page(text):
    """Return the notebook in the text of a MyST file."""
    return read_myst_markdown_notebook(text)


def name_of(path):
    """Return the name of a page: that of its folder, or its own outside of one."""
    path = Path(path)
    return path.parent.name if path.stem == "index" else path.stem


def cells_in(text):
    """Return the sources of the code cells in the text of a MyST file."""
    return [found["code"].strip("\n") for found in CELL.finditer(text)]


def code_in(text):
    """Return the sources of the code cells in the text of a MyST file, joined."""
    return "\n".join(cells_in(text))


def without_magics(code):
    """Return Python in which a line that IPython alone reads is empty."""
    lines = code.split("\n")
    return "\n".join("" if line.startswith(("%", "!")) else line for line in lines)


def chapter_digest(path, root, machine=True):
    """Return 16 hex digits that change with anything the chapter's outputs depend on.

    Covered: its code cells, the modules of helpers and chapters that they import and
    those that these import, `own_modules`, the entries of data/ that any of these
    names, the numbers of the chapters and the pages (glossary.md) that the code names,
    the requirements, the model, the data sources and Python's version.
    Not covered: the contents of a model or data folder outside `root`.
    machine: without it Python's version and the choice of model and data are left out,
    so that a digest is the same wherever the book is built.
    """
    path, root = Path(path), Path(root)
    code = code_in(path.read_text(encoding="utf-8"))
    files = files_behind(code, root, path.parent)
    files += [p for p in sorted(root.glob("chapters/*.md")) if p.name in code]
    files += own_modules(path)
    version = platform.python_version() if machine else ""
    digest = hashlib.sha256(f"{version}\0{code}".encode())
    for chapter in read_chapters(root):
        if f'"{chapter.slug}' in code:
            digest.update(f"\0{chapter.slug} is {chapter.number}".encode())
    for name in CHOICES if machine else ():
        digest.update(f"\0{name}={os.environ.get(name, '')}".encode())
    for file in [*files, *(root / name for name in REQUIREMENTS)]:
        content = _content_digest(file, file.stat().st_mtime_ns, file.stat().st_size)
        digest.update(f"\0{file.relative_to(root).as_posix()} {content}".encode())
    return digest.hexdigest()[:16]


def own_modules(page):
    """Python in a folder of the page: capstone/ of capstone.md, any beside an index.md.

    Tests are left out.
    """
    index = page.stem == "index"
    found = page.parent.glob("*/*.py") if index else page.with_suffix("").glob("*.py")
    return sorted(file for file in found if not file.name.startswith("test_"))


def modules_beside(page, code):
    """Return the modules beside a page that its code imports, directly."""
    root, folder = page.parents[2], page.parent
    files = (_module_file(name, root) for name in sorted(_imports(code)))
    return [f for f in files if f and f.parent == folder and page.stem == "index"]


@cache
def _content_digest(file, changed_ns, size):
    """Digest of a file that has not changed since it was asked for, read once."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


def files_behind(code, root, folder=None):
    """Files that `code` imports, and those of data/ that any of them names.

    folder: that of the page which the code stands in, if it stands in one.
    """
    files = _imported_files(code, folder, root)
    texts = [code, *(f.read_text(encoding="utf-8") for f in files)]
    return files + _data_files("\n".join(texts), root)


def _imported_files(code, folder, root):
    """Files of helpers and chapters that `code` imports, also through one another."""
    found, todo = set(), {"helpers", *_imports(code)}
    while todo:
        module = todo.pop()
        files = [_module_file(module, root)]
        files += [root / name.format(folder) for name in LOADED.get(module, ())]
        for file in files:
            if file and file.is_file() and file not in found:
                found.add(file)
                if file.suffix == ".py":
                    todo |= _imports(file.read_text(encoding="utf-8"))
    return sorted(found)


@cache
def _imports(code):
    """Names of the modules in helpers and chapters that `code` may import."""
    names = set()
    for node in ast.walk(ast.parse(without_magics(code))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    words = [name.split(".") for name in names if name.split(".")[0] in OWN]
    return {".".join(w[: n + 1]) for w in words for n in range(len(w))}  # and packages


def _module_file(name, root):
    package, *below = name.split(".")
    if package == "chapters" and below:  # the folder of a chapter may have hyphens
        below[0] = below[0].replace("_", "-")
    path = root.joinpath(package, *below)
    files = (path.with_suffix(".py"), path / "__init__.py")
    return next((file for file in files if file.is_file()), None)


def _data_files(text, root):
    """Files in those entries of data/ whose name, without suffix, `text` has.

    Of the tables in data/results those that it names themselves. What describes data
    (.md) changes no output.
    """
    data = root / "data"
    entries = sorted(data.iterdir()) if data.is_dir() else []
    named = [entry for entry in entries if entry.stem in text]
    files = [f for e in named for f in ([e] if e.is_file() else e.rglob("*"))]
    asked = (f for f in files if f.parent != data / "results" or f.name in text)
    return sorted(file for file in asked if file.is_file() and file.suffix != ".md")
