"""Runs inside the sandbox: executes a student's cells and answers the checks.

Standard input brings messages, a private copy of standard output takes the
answers; what the cells print goes nowhere. Arguments of calls come pickled, since
they are made by the checks, which are trusted; answers never are.
"""

import ast
import base64
import io
import os
import pickle
import sys

from build_tools.grading.exchange import encode, receive, send

ANSWER = "_answer_of_the_check"


def main():
    replies = os.fdopen(os.dup(1), "wb")
    orders = os.fdopen(os.dup(0), "rb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    sys.stdin, sys.stdout, sys.stderr = io.StringIO(), io.StringIO(), io.StringIO()
    functions = []
    while True:
        try:
            order = receive(orders)
        except EOFError:
            return
        functions = functions if "call" in order else []
        send(replies, _obey(order, functions))


def _obey(order, functions):
    """Run cells or call a function; returns its value or how it failed."""
    try:
        if "call" in order:
            arguments = pickle.loads(base64.b64decode(order["arguments"]))
            value = functions[order["call"]](*arguments)
        else:
            value = answer(order["cells"], order["exercise"])
        return {"value": encode(value, functions)}
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # also SystemExit, which a cell may raise
        return {"error": type(error).__name__[:60], "said": str(error)[:500]}


def answer(cells, exercise):
    """Execute the cells; return what the last one hands to check(exercise, ...)."""
    names = {"__name__": "__main__"}
    for source in cells[:-1]:
        exec(compile(_without_magic(source), "<cell>", "exec"), names)
    tree = ast.parse(_without_magic(cells[-1]))
    tree = ast.fix_missing_locations(_Answers(exercise).visit(tree))
    exec(compile(tree, "<check>", "exec"), names)
    return names.get(ANSWER, ...)


class _Answers(ast.NodeTransformer):
    """Turns the call of check into an assignment of its second argument."""

    def __init__(self, exercise):
        self.exercise = exercise

    def visit_Expr(self, node):
        call = node.value
        if is_check(call) and call.args[0].value == self.exercise:
            target = ast.Name(ANSWER, ast.Store())
            return ast.Assign([target], call.args[1])
        return node


def is_check(node):
    """Whether a node of a syntax tree is check("NN.M", answer)."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "check"
        and len(node.args) == 2
        and isinstance(node.args[0], ast.Constant)
    )


def _without_magic(source):
    lines = ("" if line.startswith(("%", "!")) else line for line in source.split("\n"))
    return "\n".join(lines)


if __name__ == "__main__":
    main()
