"""How long a page takes, counted in its source, so that no book needs to be built.

A rule, until somebody has timed a class: see the constants.
"""

import re
from collections import Counter

from myst_parser.config.main import MdParserConfig
from myst_parser.mdit_to_docutils.base import DocutilsRenderer
from myst_parser.parsers.mdit import create_md_parser

from build_tools.book.dependencies import read_chapter

WORDS = 160  # that are read in a minute
CODE_LINE, PREDICTION, QUIZ, EXERCISE = 0.2, 1.25, 6, 15  # minutes
START, PREDICT = "exercise-start", "Predict first"
DIRECTIVE = re.compile(r"\{([\w-]+)\} *(.*)")
OPTIONS = re.compile(r"\A(?::.*\n(?:[ \t]+.*\n)*)+")
WITH_TEXT = {"admonition", "figure", "note", "tip", "warning", "seealso"}
WITH_TEXT |= {"live", "live-step"}
STEP_CODE = re.compile(r"^```python\n(.*?)^```", re.M | re.S)
WITH_TITLE = {"admonition", START}
SECTION = re.compile(r"^## (?P<title>.+)$", re.M)
DEEPER = "Deeper"
NOT_READ = {"Quiz", "Exercises", "Further reading"}  # or not with the rest
UNSEEN = {"remove-cell", "remove-input", "hide-input", "hide-cell"}


def time_of(page):
    """Say how many minutes a page takes; "" where there is nothing to read."""
    minutes = minutes_of(page)
    if not minutes["core"]:
        return ""
    said = [f"About {minutes['core']} minutes"]
    if not minutes["exercises"]:
        return f"{said[0]} to read."
    if work := minutes["quiz"] + minutes["exercises"]:
        said.append(f"{work} more for quiz and exercises")
    if minutes["deeper"]:
        said.append(f"{minutes['deeper']} for what is deeper")
    return ", ".join(said) + "."


def minutes_of(page):
    """Return {part of a page: minutes}; solutions, hidden and folded cells are free."""
    size = size_of(page)
    minutes = {
        part: round(
            size[part, "words"] / WORDS
            + size[part, "lines"] * CODE_LINE
            + size[part, "predictions"] * PREDICTION
        )
        for part in ("core", "deeper")
    }
    minutes["quiz"] = QUIZ * page.with_name("quiz.toml").is_file()
    minutes["exercises"] = EXERCISE * size["exercises"]
    return minutes


def size_of(page):
    """Return a Counter: exercises, and of core and deeper words, lines, predictions."""
    settings = MdParserConfig(enable_extensions={"colon_fence", "dollarmath"})
    parser, size, part = create_md_parser(settings, DocutilsRenderer), Counter(), "core"
    for cell in read_chapter(page).cells:
        if cell.cell_type == "code":
            if not _unseen(cell.metadata.get("tags", [])):
                size[part, "lines"] += _lines(cell.source)
            continue
        size["exercises"] += cell.source.count(f"{{{START}}}")
        if "{live-step}" in cell.source:
            size[part, "lines"] += sum(map(_lines, STEP_CODE.findall(cell.source)))
        for title, text in _sections(cell.source):
            part = {DEEPER: "deeper", **dict.fromkeys(NOT_READ)}.get(
                title, part if title is None else "core"
            )
            size[part, "words"] += _words(text, parser)
            size[part, "predictions"] += text.count(f"}} {PREDICT}")
    return size


def _sections(text):
    """Yield (title, text) of the sections in a cell; the first may go on with one."""
    starts = [found.start() for found in SECTION.finditer(text)]
    for start, end in zip([0, *starts], [*starts, len(text)], strict=True):
        found = SECTION.match(text, start)
        yield found and found["title"].strip(), text[start:end]


def _lines(code):
    return sum(bool(line.strip()) for line in code.splitlines())


def _unseen(tags):
    return bool(UNSEEN & {*tags}) or any("solution" in tag for tag in tags)


def _words(text, parser):
    """Count the words of a text, boxes and captions included."""
    counts = {}
    tokens = parser.parse(text, counts)
    words = counts["wordcount"]["words"]
    for token in tokens:
        found = token.type in ("fence", "colon_fence") and DIRECTIVE.match(token.info)
        if found and found[1] in WITH_TITLE:
            words += _words(found[2], parser)
        if found and found[1] in WITH_TEXT:
            words += _words(OPTIONS.sub("", token.content), parser)
    return words


def main():
    """Print the size of each chapter's core and of what is deeper, as a table."""
    from helpers.exercises.chapters import read_chapters

    print(f"{'chapter':24}{'core min':>9}{'words':>7}{'lines':>7}{'deeper':>8}")
    for chapter in read_chapters():
        size, minutes = size_of(chapter.page), minutes_of(chapter.page)
        words, lines = size["core", "words"], size["core", "lines"]
        print(
            f"{chapter.slug:24}{minutes['core']:9}{words:7}{lines:7}"
            f"{minutes['deeper']:8}"
        )


if __name__ == "__main__":
    main()
