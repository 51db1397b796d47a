"""The questions as every format wants them: named, and their text as HTML."""

import io
import re
import zipfile
from html import escape
from typing import NamedTuple

from helpers.exercises.chapters import read_chapters
from helpers.exercises.quizzes import ITALICS, read_questions
from helpers.plotting.pictures.svg import NOT_IN_XML

CODE = re.compile(r"`([^`]+)`")
XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
FORMULA = re.compile(r"\$([^\s$](?:[^$]*[^\s$])?)\$")


class Option(NamedTuple):
    name: str
    text: str
    why: str
    right: bool

    @property
    def feedback(self):
        """What the page says when the option is opened, as HTML."""
        verdict = "Right." if self.right else "No."
        return f"<p><strong>{verdict}</strong> {inline(self.why)}</p>"


class Question(NamedTuple):
    name: str
    title: str
    text: str
    options: tuple

    @property
    def right(self):
        return next(option.name for option in self.options if option.right)


class Quiz(NamedTuple):
    slug: str
    number: int
    title: str
    questions: tuple


def all_quizzes():
    """Return the Quiz of each chapter that has one, in their order."""
    quizzes = []
    for chapter in read_chapters():
        if (chapter.folder / "quiz.toml").is_file():
            title = f"{chapter.number}. {chapter.title}"
            questions = tuple(
                question(f"{chapter.slug}-{n}", f"{title}: question {n}", *asked)
                for n, asked in enumerate(read_questions(chapter.slug), start=1)
            )
            quizzes.append(Quiz(chapter.slug, chapter.number, title, questions))
    return quizzes


def question(name, title, text, options):
    """Return a Question; options: as `read_questions` gives them."""
    named = tuple(
        Option(f"{name}-{letter}", option["text"], option["why"], option["right"])
        for letter, option in zip("abcdefghij", options, strict=False)
    )
    if len(named) < len(options) or sum(option.right for option in named) != 1:
        raise ValueError(f"{title}: give up to ten options, one of them right")
    return Question(name, title, text, named)


def escaped(text):
    """Return text as XML and HTML hold it, in an attribute as well."""
    return escape(NOT_IN_XML.sub("\ufffd", text))


def inline(text):
    """Return as HTML: code in backticks, *italics*, formulas in dollars.

    >>> inline("so `x` *is* $a < 2$")
    'so <code>x</code> <em>is</em> \\\\(a &lt; 2\\\\)'
    """
    parts = []
    for n, piece in enumerate(CODE.split(escaped(text))):
        if n % 2:
            parts.append(f"<code>{piece}</code>")
            continue
        for k, rest in enumerate(FORMULA.split(piece)):
            marked = ITALICS.sub(r"<em>\1</em>", rest)
            parts.append(rf"\({rest}\)" if k % 2 else marked)
    return "".join(parts)


def html(text):
    """Return a paragraph as HTML."""
    return f"<p>{inline(text)}</p>"


def zipped(files):
    """Return {name: content} as the bytes of a zip, the same for the same."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name)  # of 1980
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return stream.getvalue()
