"""Sentences of an installed package's docstrings, each with the section it stands in.

The files are read, and nothing of the package is imported.
"""

import ast
import re
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

HEADING = re.compile(r"^(\w[\w ]*)\n-{3,} *\n", re.M)
NAME = re.compile(r"^(?=\S)", re.M)  # a line of an entry, before indented ones
ROLE = re.compile(r":\w+:`~?([^`<]*)[^`]*`")  # :class:`~sklearn.svm.SVC`
NO_PROSE = re.compile(r"^\s*(\.\.|[-*|+>=]|\d+\.|:math:)", re.M)
END = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
SHORTEST = 6  # words


def read_sections(package, leave_out=("tests", "externals")):
    """Return a table: text, label (the section), entry (what is described).

    Of sections whose entries are a name and indented lines, such as Parameters.
    package: its name, as it is imported. leave_out: folders at any depth.
    """
    root = Path(find_spec(package).origin).parent
    rows = []
    for path in sorted(root.rglob("*.py")):
        if not {*leave_out} & {*path.relative_to(root).parts}:
            for docstring in docstrings(path.read_text("utf-8")):
                rows += in_sections(docstring)
    return pd.DataFrame(rows, columns=["text", "label", "entry"])


def docstrings(source):
    """Return the docstrings of the classes and functions in Python source."""
    kinds = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, kinds)]
    return [found for node in nodes if (found := ast.get_docstring(node))]


def in_sections(docstring):
    """Yield (sentence, section, name of the entry) of a docstring."""
    _, *parts = HEADING.split(docstring)
    for label, body in zip(parts[::2], parts[1::2], strict=True):
        for entry in NAME.split(body):
            name, _, described = entry.partition("\n")
            for sentence in sentences(described):
                yield sentence, label, name.split(":")[0].strip()


def sentences(text):
    """Return the sentences of prose in a text, without lists, code and markup."""
    found = []
    for block in re.split(r"\n\s*\n", text):
        if not NO_PROSE.search(block):
            plain = re.sub("[`*]", "", ROLE.sub(r"\1", " ".join(block.split())))
            found += END.split(plain)
    whole = [s for s in found if re.match("[A-Z].*[.]$", s)]
    return [s for s in whole if len(s.split()) >= SHORTEST]


def joined(*columns):
    """Return a number for each row, the same for rows that share a value of a column.

    Sharing is handed on: rows 1 and 2 may share their first, rows 2 and 3 their second.
    """
    codes = [pd.factorize(np.asarray(column))[0] for column in columns]
    n = len(codes[0])
    starts = np.cumsum([n, *(code.max() + 1 for code in codes)])
    ends = np.concatenate([c + s for c, s in zip(codes, starts[:-1], strict=True)])
    links = (np.ones(len(ends)), (np.tile(np.arange(n), len(codes)), ends))
    graph = coo_matrix(links, shape=(starts[-1], starts[-1]))
    return connected_components(graph)[1][:n]
