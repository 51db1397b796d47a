"""The functions of a chapter, for what a live widget shows first."""

import ast

from build_tools.book.dependencies import code_of, read_chapter
from helpers.exercises.chapters import chapter_named


def functions_of(slug, names, **given):
    """Return {name: what it is} after running the definitions of a chapter.

    names: of the functions. given: what they use besides one another. Raises
    ValueError that names the functions which the chapter does not define.
    """
    tree = ast.parse(code_of(read_chapter(chapter_named(slug).page)))
    found = [n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name in names]
    if missing := set(names) - {node.name for node in found}:
        lacks = ", ".join(sorted(missing))
        raise ValueError(f"{slug} defines no {lacks}: a live widget needs it")
    exec(ast.unparse(ast.Module(found, [])), given)  # noqa: S102 - our own chapter
    return given
