"""What a submitted notebook holds: its code cells, and where they check exercises."""

import ast

import nbformat

from build_tools.notebooks.needed_cells import (
    needed_cells,
    parse_cell,
    read_names,
)

CELLS = 1000
LETTERS = 2 * 10**6  # of code
# With these a cell may bind a name that does not stand in it.
UNSEEN = set("exec eval globals locals vars setattr __import__ __main__".split())
UNSEEN |= {"import_module", "get_ipython", "*"}  # magics and star imports


def code_cells(data):
    """Return the sources of the code cells; raises ValueError for what is none.

    data: bytes of a notebook file, UTF-8 with or without a mark of its own.
    """
    try:
        notebook = nbformat.reads(data.decode("utf-8-sig"), as_version=4)
        sources = [str(c.source) for c in notebook.cells if c.cell_type == "code"]
    except Exception as error:
        said = f"{type(error).__name__}: {str(error)[:150]}"
        raise ValueError(f"cannot be read as a notebook: {said}") from None
    if len(sources) > CELLS or sum(map(len, sources)) > LETTERS:
        raise ValueError(
            f"holds more than {CELLS} cells or {LETTERS:,} letters of code"
        )
    return sources


def checks_in(cells, known):
    """Return (place, exercise) of each known exercise's last check, in their order."""
    trees = [_tree(source) for source in cells]
    names = {"check"}.union(*(_names_of_check(tree) for tree in trees))
    found = {}
    for place, tree in enumerate(trees):
        for node in ast.walk(tree):
            exercise = _checked(node, names)
            if exercise in known:
                found[exercise] = place
    return sorted((place, exercise) for exercise, place in found.items())


def _tree(source):
    try:
        return parse_cell(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])


def _names_of_check(tree):
    """Names that `from ... import check as name` binds."""
    imports = (n for n in ast.walk(tree) if isinstance(n, ast.ImportFrom))
    aliases = (alias for node in imports for alias in node.names)
    return {a.asname for a in aliases if a.name == "check" and a.asname}


def _checked(node, names):
    """The id in a call of check, or None."""
    if not isinstance(node, ast.Call):
        return None
    called = node.func
    name = called.attr if isinstance(called, ast.Attribute) else None
    name = called.id if isinstance(called, ast.Name) else name
    if name not in names:
        return None
    given = [k.value for k in node.keywords if k.arg == "exercise"]
    for value in [*node.args[:1], *given]:
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            return value.value
    return None


def needed(cells, places):
    """Return the places, in order, of cells to run for the checks at `places`."""
    wanted = set(places)
    for place in places:
        try:
            wanted |= set(needed_cells(cells, place))
        except (SyntaxError, ValueError, RecursionError):
            wanted |= set(range(place))
    return sorted(wanted)


def mentions(cells, left_out, place):
    """Whether a cell that was left out may say more about the answer at `place`.

    What stands before the cell that binds the answer last says nothing about it: an
    untouched stub binds it anew.
    """
    answers = {n.id for n in ast.walk(_tree(cells[place])) if isinstance(n, ast.Name)}
    answers -= {"check", "dict", "list", "print"}
    bound = [_bound(source) for source in cells[: place + 1]]
    last = [
        max((i for i, b in enumerate(bound) if a in b), default=-1) for a in answers
    ]
    later = [i for i in left_out if i > min(last, default=-1)]
    return any((answers | UNSEEN) & _names(_tree(cells[i])) for i in later)


def _bound(source):
    try:
        return read_names(source).bound
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()


def _names(tree):
    """Names that stand in a tree, and what it imports."""
    nodes = list(ast.walk(tree))
    found = {n.id for n in nodes if isinstance(n, ast.Name)}
    return found | {n.name for n in nodes if isinstance(n, ast.alias)}
