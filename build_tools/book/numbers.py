"""What pages say of the order of the book: numbers of exercises, lists of chapters.

Both come from `_toc.yml` alone. A chapter's source numbers its exercises from 1 and
names other chapters by their labels; the directive `{chapters} PART` lists those of
one part, each with the question that opens its page.
"""

import re

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

from build_tools.book.execution import table_of_contents
from helpers.exercises.chapters import read_chapters

EXERCISE = re.compile(r"^(`{3,}\{exercise-start\} )(?=\d · )", re.M)
OPENING = re.compile(r"^# (?P<title>.+)\n+\*(?P<question>[^*]+)\*$", re.M)


def number_of(page, root):
    """Return the number of the chapter at `page`, None where it is no chapter."""
    numbers = {chapter.page: chapter.number for chapter in read_chapters(root)}
    return numbers.get(page)


def with_numbers(text, number):
    """Return the source of a page with the chapter's number before its exercises'."""
    return text if number is None else EXERCISE.sub(rf"\g<1>{number}.", text)


def number_exercises(app, docname, source):
    """Let Sphinx read a page with its exercises numbered."""
    number = number_of(app.env.srcdir / f"{docname}.md", app.srcdir)
    source[0] = with_numbers(source[0], number)


def table_of(part, root):
    """Return the chapters of a part of the book as a table in MyST.

    Raises ValueError where `_toc.yml` has no such part or a page opens otherwise.
    """
    _, files = table_of_contents(root)
    if part not in files:
        raise ValueError(f"_toc.yml has no part {part!r}; there are {', '.join(files)}")
    rows = ["| chapter | the question it answers |", "|---|---|"]
    for chapter in read_chapters(root):
        if chapter.page.relative_to(root).with_suffix("").as_posix() in files[part]:
            found = OPENING.search(chapter.page.read_text(encoding="utf-8"))
            if found is None:
                raise ValueError(f"{chapter.page} does not open with a *question*")
            title = f"{chapter.number} · {found['title']}"
            question = " ".join(found["question"].split())
            rows.append(f"| {{ref}}`{title} <{chapter.slug}>` | {question} |")
    return "\n".join(rows)


class Chapters(SphinxDirective):
    """The chapters of a part, with the questions that they answer."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self):
        try:
            table = table_of(self.arguments[0], self.env.srcdir)
        except ValueError as error:
            raise self.error(str(error)) from None
        for chapter in read_chapters(self.env.srcdir):
            self.env.note_dependency(str(chapter.page))
        node = nodes.Element()
        self.state.nested_parse(StringList(table.split("\n")), 0, node)
        return node.children


def setup(app):
    """Connect numbers and lists to Sphinx; called by the extension of the book."""
    app.add_directive("chapters", Chapters)
    app.connect("source-read", number_exercises)
