"""The questions as every format wants them: named, and their text as elements."""

import re
from dataclasses import dataclass
from xml.etree import ElementTree

from helpers.exercises.chapters import read_chapters
from helpers.exercises.quizzes import ITALICS, read_questions
from helpers.plotting.pictures.svg import NOT_IN_XML

CODE = re.compile(r"`([^`]+)`")
FORMULA = re.compile(r"\$([^\s$](?:[^$]*[^\s$])?)\$")


@dataclass(frozen=True)
class Option:
    name: str
    text: str
    why: str
    right: bool

    @property
    def feedback(self):
        """What the page says when the option is opened, as elements."""
        verdict = element("strong", "Right." if self.right else "No.")
        return [verdict, " ", *inline(self.why)]


@dataclass(frozen=True)
class Question:
    name: str
    title: str
    text: str
    options: tuple

    @property
    def right(self):
        return next(option.name for option in self.options if option.right)


@dataclass(frozen=True)
class Quiz:
    slug: str
    number: int
    title: str
    questions: tuple


def all_quizzes():
    """Return the Quiz of each chapter that has one, in their order."""
    return [
        _quiz(chapter)
        for chapter in read_chapters()
        if (chapter.folder / "quiz.toml").is_file()
    ]


def _quiz(chapter):
    title = f"{chapter.number}. {chapter.title}"
    questions = tuple(
        question(f"{chapter.slug}-{n}", f"{title}: question {n}", text, options)
        for n, (text, options) in enumerate(read_questions(chapter.slug), start=1)
    )
    return Quiz(chapter.slug, chapter.number, title, questions)


def question(name, title, text, options):
    """Return a Question; options: as `read_questions` gives them."""
    named = tuple(
        Option(f"{name}-{letter}", option["text"], option["why"], option["right"])
        for letter, option in zip("abcdefghij", options, strict=False)
    )
    if len(named) < len(options) or sum(option.right for option in named) != 1:
        raise ValueError(f"{title}: give up to ten options, one of them right")
    return Question(name, title, text, named)


def element(tag, *content, **attributes):
    """Return an element; content: text and elements in their order.

    A `_` after a name of an attribute is dropped, for `class_` and `for_`.
    """
    made = ElementTree.Element(
        tag, {name.rstrip("_"): _legal(str(v)) for name, v in attributes.items()}
    )
    for part in content:
        if isinstance(part, ElementTree.Element):
            made.append(part)
        elif len(made):
            made[-1].tail = (made[-1].tail or "") + _legal(part)
        else:
            made.text = (made.text or "") + _legal(part)
    return made


def _legal(text):
    return NOT_IN_XML.sub("\ufffd", text)


def inline(text):
    """Return text and elements: code in backticks, *italics*, formulas in dollars.

    >>> [part if isinstance(part, str) else part.tag for part in inline("so `x` is")]
    ['so ', 'code', ' is']
    """
    parts = []
    for n, piece in enumerate(CODE.split(text)):
        if n % 2:
            parts.append(element("code", piece))
            continue
        for k, rest in enumerate(FORMULA.split(piece)):
            if k % 2:
                parts.append(rf"\({rest}\)")
                continue
            words = ITALICS.split(rest)
            parts += [element("em", w) if i % 2 else w for i, w in enumerate(words)]
    return [part for part in parts if part != ""]


def html(content):
    """Return a paragraph of text and elements as HTML."""
    return markup(element("p", *content))


def markup(root):
    """Return an element as HTML."""
    return ElementTree.tostring(root, "unicode", method="html")


def document(root):
    """Return an element as the bytes of an indented XML file."""
    return ElementTree.tostring(root, "utf-8", xml_declaration=True) + b"\n"
