"""A folded cell says what it holds, so that six of them in a row can be told apart."""

import ast

from docutils import nodes

MOST_NAMES = 3
SHOWING = ("draw", "show", "display")


def name_each(app, doctree):
    """Put what a folded cell holds into the line that opens it."""
    for cell in doctree.findall(nodes.container):
        if cell.get("nb_element") == "cell_code" and cell.get("hide_mode") == "input":
            held = held_in(cell.children[0].astext())
            cell["prompt_show"], cell["prompt_hide"] = f"Show {held}", f"Hide {held}"


def held_in(source):
    """Return in words what a cell holds, by its last statements.

    >>> held_in("import math")
    'the imports'
    >>> held_in("def twice(x): return 2 * x")
    'the function twice'
    """
    try:
        body = ast.parse(source).body
    except SyntaxError:  # a magic
        return "the code"
    defined = [part.name for part in body if isinstance(part, ast.FunctionDef)]
    last = body[-1] if body else None
    if isinstance(last, ast.FunctionDef) or (defined and isinstance(last, ast.Assign)):
        return f"the function{'s' * (len(defined) > 1)} {listed(defined)}"
    if isinstance(last, ast.Assign):
        made = (set_by(part) for part in body if isinstance(part, ast.Assign))
        names = list(dict.fromkeys(name for part in made for name in part))
        if not names:
            return "the code"
        if any(isinstance(part, ast.Import | ast.ImportFrom) for part in body):
            return f"the imports and {listed(names)}"
        return f"how {listed(names)} {'is' if len(names) == 1 else 'are'} made"
    if isinstance(last, ast.Import | ast.ImportFrom):
        return "the imports"
    if isinstance(last, ast.Expr) and isinstance(last.value, ast.Call):
        called = ast.unparse(last.value.func)
        if called.split(".")[0] == "figures" or called.split(".")[-1] in SHOWING:
            return "the code of this picture"
        if called == "print":
            return "the code that prints this"
    return "the code of this output"


def set_by(assignment):
    """Return the plain names that an assignment sets."""
    parts = [part for target in assignment.targets for part in ast.walk(target)]
    names = [part for part in parts if isinstance(part, ast.Name)]
    return [name.id for name in names if isinstance(name.ctx, ast.Store)]


def listed(names):
    """Return the last names in words."""
    *others, last = names[-MOST_NAMES:]
    return f"{', '.join(others)} and {last}" if others else last
