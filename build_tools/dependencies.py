"""What a chapter's outputs depend on, as one digest for each chapter.

A chapter that is changed, or whose helper modules, data, model or requirements are,
is executed again, and no other.
"""

import ast
import hashlib
import os
import platform
from pathlib import Path

from myst_nb.core.read import read_myst_markdown_notebook

# Modules that load a file without importing it; {} is the number of the chapter.
BY_NUMBER = {
    "helpers.attention_views": "attention_frame.js",
    "helpers.exercises": "checks/chapter_{}.py",
    "helpers.quizzes": "quizzes/chapter_{}.toml",
}
REQUIREMENTS = ("requirements.txt", "requirements.lock")  # PyTorch, and all else
CHOICES = ("BERT_COURSE_MODEL", "COARSE_WSD_HOME", "SMS_SPAM_HOME")


def read_chapter(path):
    """Return the notebook in a MyST file, as myst-nb reads it."""
    return read_myst_markdown_notebook(Path(path).read_text(encoding="utf-8"))


def code_of(notebook):
    """Return the sources of the code cells, joined."""
    return "\n".join(c.source for c in notebook.cells if c.cell_type == "code")


def chapter_digest(path, root):
    """Return 16 hex digits that change with anything the chapter's outputs depend on.

    Covered: its code cells, the helper modules that they import and those that these
    import, the entries of data/ that any of them names, all chapters where the code
    reads "*.md", the requirements, the model, the data sources and Python's version.
    Not covered: the contents of a model or data folder outside `root`.
    """
    path, root = Path(path), Path(root)
    code = code_of(read_chapter(path))
    files = files_behind(code, root, path.stem[:2])
    if "*.md" in code:
        files += sorted(path.parent.glob("*.md"))
    digest = hashlib.sha256(f"{platform.python_version()}\0{code}".encode())
    for name in CHOICES:
        digest.update(f"\0{name}={os.environ.get(name, '')}".encode())
    for file in [*files, *(root / name for name in REQUIREMENTS)]:
        content = hashlib.sha256(file.read_bytes()).hexdigest()
        digest.update(f"\0{file.relative_to(root).as_posix()} {content}".encode())
    return digest.hexdigest()[:16]


def files_behind(code, root, number=""):
    """Files of helpers that `code` imports, and those of data/ that any of them names.

    number: of the chapter that the code stands in, if it stands in one.
    """
    files = _helper_files(code, number, root)
    texts = [code, *(f.read_text(encoding="utf-8") for f in files)]
    return files + _data_files("\n".join(texts), root)


def _helper_files(code, number, root):
    """Files of helpers that `code` imports, directly or through one another."""
    found, todo = {root / "helpers/__init__.py"}, _imports(code)
    while todo:
        module = todo.pop()
        files = [_module_file(module, root)]
        if module in BY_NUMBER:
            files.append(root / "helpers" / BY_NUMBER[module].format(number))
        for file in files:
            if file and file.is_file() and file not in found:
                found.add(file)
                if file.suffix == ".py":
                    todo |= _imports(file.read_text(encoding="utf-8"))
    return sorted(found)


def _imports(code):
    """Names of the modules in helpers that `code` may import."""
    lines = ("" if line.startswith(("%", "!")) else line for line in code.split("\n"))
    names = set()
    for node in ast.walk(ast.parse("\n".join(lines))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
            names.add(node.module)
    return {name for name in names if name.split(".")[0] == "helpers"}


def _module_file(name, root):
    path = root / name.replace(".", "/")
    files = (path.with_suffix(".py"), path / "__init__.py")
    return next((file for file in files if file.is_file()), None)


def _data_files(text, root):
    """Files in those entries of data/ whose name, without suffix, `text` has."""
    data = root / "data"
    entries = sorted(data.iterdir()) if data.is_dir() else []
    named = [entry for entry in entries if entry.stem in text]
    files = [f for e in named for f in ([e] if e.is_file() else e.rglob("*"))]
    return sorted(file for file in files if file.is_file())
