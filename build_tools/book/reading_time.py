"""How long a page takes, counted in its source, so that no book needs to be built."""

import re

from myst_parser.config.main import MdParserConfig
from myst_parser.mdit_to_docutils.base import DocutilsRenderer
from myst_parser.parsers.mdit import create_md_parser

from build_tools.book.dependencies import read_chapter

# Minutes; those of the text are what the parser makes of its words, 200 a minute.
CODE_LINE, EXERCISE, QUIZ = 1 / 10, 8, 4
START = "exercise-start"
DIRECTIVE = re.compile(r"\{([\w-]+)\} *(.*)")
OPTIONS = re.compile(r"\A(?::.*\n(?:[ \t]+.*\n)*)+")
WITH_TEXT = {"admonition", "figure", "note", "tip", "warning", "seealso"}
WITH_TITLE = {"admonition", START}


def time_of(page):
    """Say how many minutes a page takes; "" where its text takes none."""
    minutes = minutes_of(page)
    total = sum(minutes.values())
    if not minutes["text"]:
        return ""
    if total == minutes["text"]:
        return f"About {total} minutes."
    parts = ", ".join(f"{n} for the {part}" for part, n in minutes.items() if n)
    return f"About {5 * round(total / 5)} minutes: {parts}."


def minutes_of(page):
    """Return {part of a page: minutes}; solutions and hidden cells do not count."""
    settings = MdParserConfig(enable_extensions={"colon_fence", "dollarmath"})
    parser, counts = create_md_parser(settings, DocutilsRenderer), {}
    lines = exercises = 0
    for cell in read_chapter(page).cells:
        if cell.cell_type == "markdown":
            exercises += cell.source.count(f"{{{START}}}")
            _count_words(cell.source, parser, counts)
        elif cell.cell_type == "code" and not _unseen(cell.metadata.get("tags", [])):
            lines += sum(bool(line.strip()) for line in cell.source.splitlines())
    quiz = page.with_name("quiz.toml").is_file()
    return {
        "text": counts["wordcount"]["minutes"],
        "code": round(CODE_LINE * lines),
        "exercises": EXERCISE * exercises + QUIZ * quiz,
    }


def _unseen(tags):
    hidden = {"remove-cell", "remove-input"} & {*tags}
    return bool(hidden) or any("solution" in tag for tag in tags)


def _count_words(text, parser, counts):
    """Let the parser add the words of a text, boxes and captions included."""
    for token in parser.parse(text, counts):
        found = token.type in ("fence", "colon_fence") and DIRECTIVE.match(token.info)
        if found and found[1] in WITH_TITLE:
            _count_words(found[2], parser, counts)
        if found and found[1] in WITH_TEXT:
            _count_words(OPTIONS.sub("", token.content), parser, counts)
