"""Small changes of a solution's source, by rule, each as anyone could make it."""

import ast
import copy
import difflib
import os
from functools import singledispatch


def _both_ways(pairs):
    found = dict(pair.split() for pair in pairs.split(", "))
    return found | {second: first for first, second in found.items()}


SWAPPED = _both_ways(
    "Lt LtE, Gt GtE, Eq NotEq, Is IsNot, In NotIn, Add Sub, Mult Div, BitAnd BitOr, "
    "And Or"
) | {"FloorDiv": "Div", "Pow": "Mult"}
OPERATORS = {getattr(ast, name): getattr(ast, other) for name, other in SWAPPED.items()}
NAMES = _both_ways(
    "min max, amin amax, minimum maximum, argmin argmax, any all, triu tril, mean sum, "
    "floor ceil, logical_and logical_or"
)
LINE = 100  # letters of a line that is shown
AXES = ("axis", "axes", "dim")
DROPPED = ast.Expr | ast.AugAssign | ast.If | ast.Continue | ast.Break | ast.For
FUNCTIONS = ast.FunctionDef | ast.Lambda


def mutations(source, choices=False):
    """Return {what stands there now: the changed source}.

    choices: whether numbers and lists of texts are the student's own choice, as where
    the answer is no function; then they stay.
    """
    tree = ast.parse(source)
    whole, found = ast.unparse(tree), {}
    for put, node in list(_places(tree)):
        for new in () if choices and _is_choice(node) else instead(node):
            put(new)
            changed = ast.unparse(ast.fix_missing_locations(tree))
            if changed != whole and changed not in found.values():
                found[_unlike(found, _changed_line(whole, changed))] = changed
            put(node)
    return found


def _places(parent):
    """Yield each node below one, with a function that puts another in its place."""
    for field, value in ast.iter_fields(parent):
        listed = isinstance(value, list)
        for place, node in enumerate(value if listed else [value]):
            whole = isinstance(node, ast.JoinedStr | ast.arguments)
            if isinstance(node, ast.AST) and not whole:
                yield (
                    _in_list(value, place) if listed else _in_field(parent, field),
                    node,
                )
                if _number(node) is None and getattr(node, "arg", None) not in AXES:
                    yield from _places(node)


def _is_choice(node):
    texts = isinstance(node, ast.Tuple | ast.List | ast.Set)
    return texts or _number(node) is not None


def _in_list(nodes, place):
    return lambda new: nodes.__setitem__(place, new)


def _in_field(parent, field):
    return lambda new: setattr(parent, field, new)


def _changed_line(before, after):
    before, after = before.splitlines(), after.splitlines()
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    gone, new = [], []
    for kind, i, j, k, m in matcher.get_opcodes():
        if kind != "equal":
            gone += [line.strip() for line in before[i:j]]
            new += [line.strip() for line in after[k:m]]
    gone, new = " ".join(gone), " ".join(new)
    if new in ("", "pass"):
        return f"without {_cut(gone)}"
    if len(new) > LINE:
        same = len(os.path.commonprefix([gone, new]))
        return _cut(f"...{new[max(0, same - 40) :]}")
    return f"{new} for {gone}" if new in ("if True:", "if False:") else new


def _cut(line):
    return line if len(line) <= LINE else f"{line[:LINE]}..."


def _unlike(found, line):
    """A line that changed in two places tells the second by a number."""
    same = sum(name.split("  #")[0] == line for name in found)
    return f"{line}  #{same + 1}" if same else line


def _with(node, **fields):
    new = copy.copy(node)
    vars(new).update(fields)
    return new


def _without_each(items):
    for place in range(len(items)):
        yield [*items[:place], *items[place + 1 :]]


def _number(node):
    """The number that a node writes, with its sign; None for any other node."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        number = _number(node.operand)
        return None if number is None else -number
    return node.value if type(getattr(node, "value", None)) in (int, float) else None


def _is_text(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _by_one(node, by):
    if (number := _number(node)) is not None:
        return ast.Constant(number + by)
    operator = ast.Add() if by > 0 else ast.Sub()
    return ast.BinOp(node, operator, ast.Constant(abs(by)))


@singledispatch
def instead(node):
    """Yield what may stand in place of a node."""
    if isinstance(node, DROPPED) and not _is_text(getattr(node, "value", None)):
        yield ast.Pass()


@instead.register
def _(node: ast.Compare):
    for place, operator in enumerate(node.ops):
        if other := OPERATORS.get(type(operator)):
            ops = [*node.ops[:place], other(), *node.ops[place + 1 :]]
            yield _with(node, ops=ops)


@instead.register
def _(node: ast.BinOp):
    if other := OPERATORS.get(type(node.op)):
        yield _with(node, op=other())
    if not isinstance(node.op, ast.MatMult | ast.Mod):
        yield node.left
    if isinstance(node.op, ast.BitAnd | ast.BitOr):
        yield node.right


@instead.register
def _(node: ast.UnaryOp):
    if _number(node) is None:
        yield node.operand
    else:
        yield from _other_numbers(node)


@instead.register
def _(node: ast.Constant):
    if isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif _number(node) is not None:
        yield from _other_numbers(node)


def _other_numbers(node):
    if isinstance(_number(node), int):
        yield from (_by_one(node, by) for by in (1, -1))
    else:  # a small one is a tolerance, or there to avoid 0
        for by in (10, 0.1) if abs(_number(node)) <= 0.01 else (1.5,):
            yield ast.Constant(_number(node) * by)


@instead.register
def _(node: ast.Attribute):
    if node.attr == "inf":
        yield ast.Constant(20.0)


@instead.register
def _(node: ast.BoolOp):
    yield _with(node, op=OPERATORS[type(node.op)]())
    for values in _without_each(node.values):
        yield _with(node, values=values) if len(values) > 1 else values[0]


@instead.register
def _(node: ast.IfExp):
    yield node.body
    yield node.orelse


@instead.register
def _(node: ast.If):
    yield _with(node, test=ast.Constant(True))
    yield _with(node, test=ast.Constant(False))


@instead.register
def _(node: ast.comprehension):
    for ifs in _without_each(node.ifs):
        yield _with(node, ifs=ifs)


@instead.register
def _(node: ast.keyword):
    if node.arg in AXES and _number(node.value) is not None:
        for axis in {0, 1, -1} - {_number(node.value)}:
            yield _with(node, value=ast.Constant(axis))


@instead.register
def _(node: ast.Subscript):
    """The first for the last and the other way round."""
    if (number := _number(node.slice)) in (0, -1):
        yield _with(node, slice=ast.Constant(-1 - number))


@instead.register
def _(node: ast.Slice):
    for side in ("lower", "upper"):
        if bound := getattr(node, side):
            yield _with(node, **{side: None})
            if _number(bound) is None:
                yield _with(node, **{side: _by_one(bound, 1)})


@instead.register
def _(node: ast.Tuple | ast.List | ast.Set):
    texts = [getattr(entry, "value", None) for entry in node.elts]
    if len(texts) > 1 and all(isinstance(text, str) for text in texts):
        for elts in _without_each(node.elts):
            yield _with(node, elts=elts)


@instead.register
def _(node: ast.Call):
    for keywords in _without_each(node.keywords):
        yield _with(node, keywords=keywords)
    function, given = node.func, len(node.args) + len(node.keywords)
    if isinstance(function, ast.Attribute):
        if other := NAMES.get(function.attr):
            yield _with(node, func=_with(function, attr=other))
        if not given:
            yield function.value
    elif isinstance(function, ast.Name):
        if other := NAMES.get(function.id):
            yield _with(node, func=ast.Name(other))
        if function.id == "range":
            end = min(1, given - 1)
            args = [
                *node.args[:end],
                _by_one(node.args[end], -1),
                *node.args[end + 1 :],
            ]
            yield _with(node, args=args)
        elif function.id == "sorted":
            backwards = ast.keyword("reverse", ast.Constant(True))
            yield _with(node, keywords=[*node.keywords, backwards])
        if len(node.args) == 1 and function.id != "len":
            yield node.args[0]


@instead.register
def _(node: ast.AugAssign):
    yield ast.Pass()
    yield ast.Assign([node.target], node.value)
    if other := OPERATORS.get(type(node.op)):
        yield _with(node, op=other())


@instead.register
def _(node: ast.Assign):
    """A value that changes what is there already may be forgotten."""
    names = {name.id for name in ast.walk(node.value) if isinstance(name, ast.Name)}
    if any(getattr(target, "id", None) in {None, *names} for target in node.targets):
        if not isinstance(node.targets[0], ast.Tuple):
            yield ast.Pass()
