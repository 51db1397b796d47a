"""Which cells of a notebook one cell needs, found by the names it uses.

So an exercise can be run without the minutes of training that stand before it.
"""

import ast
import builtins
import symtable
from dataclasses import dataclass, field
from functools import lru_cache

from IPython.core.inputtransformer2 import TransformerManager

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
BODIES = ("body", "orelse", "finalbody")
PYTHON_MAGICS = ("time", "timeit", "capture", "prun")  # what they run is Python


@dataclass
class Names:
    """What a cell does with names of the notebook."""

    bound: set = field(default_factory=set)
    changed: set = field(default_factory=set)  # x[0] = 1, x.a = 1, x.append(1)
    used: set = field(default_factory=set)  # before the cell binds them
    deferred: set = field(default_factory=set)  # in functions, which run later
    imported: set = field(default_factory=set)  # modules, which no call changes


def needed_cells(sources, target):
    """Return the indices, in order, of the cells that `sources[target]` needs.

    sources: the code of each cell. A name comes from the last cell before that binds
    it, with the cells that change it since. The target is not among the indices.
    """
    cells = [read_names(source) for source in sources[: target + 1]]
    imported = set().union(*(cell.imported for cell in cells))
    needed, open_cells = set(), [target]
    while open_cells:
        at = open_cells.pop()
        found = set()
        for names, end in ((cells[at].used, at), (cells[at].deferred, target)):
            for name in names:
                found |= _origin(cells, name, end, at, imported)
        open_cells += found - needed
        needed |= found
    return sorted(needed - {target})


def _origin(cells, name, end, at, imported):
    """Cells before `end`, other than `at`, that make `name` what it is there."""
    found = set()
    for index in range(end - 1, -1, -1):
        is_bound = name in cells[index].bound
        if index != at and (is_bound or name in cells[index].changed - imported):
            found.add(index)
            if is_bound:
                break
    return found


def parse_cell(source):
    """Return the syntax tree of a cell as IPython reads it; raises SyntaxError.

    What %time, %%capture and the like run stands in the tree as if without them.
    """
    tree = ast.parse(TransformerManager().transform_cell(source))
    return ast.fix_missing_locations(_Unwrapped().visit(tree))


class _Unwrapped(ast.NodeTransformer):
    def visit_Expr(self, node):
        match node.value:
            case ast.Call(
                func=ast.Attribute(attr="run_cell_magic" | "run_line_magic"),
                args=[ast.Constant(value=name), *_, ast.Constant(value=source)],
            ) if name in PYTHON_MAGICS:
                return parse_cell(source).body
        return node


@lru_cache(maxsize=512)
def read_names(source):
    """Return the Names of a cell's source; raises SyntaxError."""
    names = Names()
    _follow(parse_cell(source).body, names)
    known = names.bound | set(dir(builtins))
    names.deferred -= known
    names.used -= set(dir(builtins))
    return names


def _follow(statements, names):
    """Read statements in their order, those inside loops and branches too."""
    for statement in statements:
        inner = [getattr(statement, name, []) for name in BODIES]
        inner += [handler.body for handler in getattr(statement, "handlers", [])]
        blocks = isinstance(
            statement, ast.For | ast.While | ast.If | ast.With | ast.Try
        )
        if blocks:
            for name in (*BODIES, "handlers"):
                if hasattr(statement, name):
                    setattr(statement, name, [])
            statement.body = [ast.Pass()]
            statement = statement if not isinstance(statement, ast.Try) else ast.Pass()
        _read(statement, names)
        for body in inner if blocks else ():
            _follow(body, names)


def _read(statement, names):
    table = symtable.symtable(ast.unparse(statement), "cell", "exec")
    symbols = table.get_symbols()
    names.used |= {s.get_name() for s in symbols if s.is_referenced()} - names.bound
    within = set(_globals_within(table))
    if isinstance(statement, DEFINITIONS):
        names.deferred |= within
    else:
        names.used |= within - names.bound
    names.used |= _added_to(statement) - names.bound
    names.bound |= {s.get_name() for s in symbols if s.is_local()}
    names.imported |= {s.get_name() for s in symbols if s.is_imported()}
    names.changed |= _changed(statement)


def _globals_within(table):
    for block in table.get_children():
        for symbol in block.get_symbols():
            if symbol.is_global() and symbol.is_referenced():
                yield symbol.get_name()
        yield from _globals_within(block)


def _changed(statement):
    if isinstance(statement, DEFINITIONS):
        return set()
    places = set()
    for node in ast.walk(statement):
        if isinstance(node, ast.Attribute | ast.Subscript):
            if not isinstance(node.ctx, ast.Load):
                places |= _root(node)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            if isinstance(node.value.func, ast.Attribute):
                places |= _root(node.value.func)
    return places


def _added_to(statement):
    """Names before += and the like, which symtable does not count as used."""
    found = (n for n in ast.walk(statement) if isinstance(n, ast.AugAssign))
    return {node.target.id for node in found if isinstance(node.target, ast.Name)}


def _root(node):
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return {node.id} if isinstance(node, ast.Name) else set()
