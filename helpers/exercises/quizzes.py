"""`quiz("attention")`: multiple-choice questions that explain every option.

Each option is an HTML disclosure: opening it shows whether it is right, and why. So
a quiz needs no kernel and no script, in the page, in JupyterLab and in Colab alike.
"""

import html
import re
import tomllib

from helpers.exercises.chapters import chapter_named
from helpers.exercises.colours import CARD, CODE, RIGHT, WRONG

ITALICS = re.compile(r"\*([^*\s](?:[^*]*[^*\s])?)\*")


def quiz(chapter):
    """Return the quiz of a chapter, which the notebook shows; chapter: its slug.

    Raises ValueError for a chapter without one.

    >>> text, options = quiz("attention").questions[0]
    >>> sum(option["right"] for option in options)
    1
    """
    return Quiz(chapter, read_questions(chapter))


def read_questions(chapter):
    """Return a list of (text, options).

    An option is a dict: its text, why it is right or wrong, and right, a bool.
    """
    file = chapter_named(chapter).folder / "quiz.toml"
    if not file.is_file():
        raise ValueError(f"the chapter {chapter!r} has no quiz")
    questions = tomllib.loads(file.read_text(encoding="utf-8"))["question"]
    return [
        (
            question["text"],
            [{"right": False} | option for option in question["option"]],
        )
        for question in questions
    ]


class Quiz:
    """Questions to read in HTML or as text."""

    def __init__(self, chapter, questions):
        self.chapter, self.questions = chapter, questions

    def __repr__(self):
        number = chapter_named(self.chapter).number
        return f"Quiz {number}: {len(self.questions)} questions"

    def _repr_html_(self):
        questions = "".join(
            f"<li style='margin-bottom:1em'><p style='margin:0 0 .3em'>{_code(text)}"
            f"</p>{''.join(map(_option, options))}</li>"
            for text, options in self.questions
        )
        return (
            f'<div class="quiz" style="{CARD};padding:.6em">'
            "<p>Choose an option; it opens and says whether it is right, and why.</p>"
            f"<ol>{questions}</ol></div>"
        )


def _option(option):
    verdict, color = ("Right.", RIGHT) if option["right"] else ("No.", WRONG)
    return (
        "<details style='margin:.15em 0;padding:.25em .6em;border:1px solid #8c959f;"
        "border-radius:4px'><summary style='cursor:pointer'>"
        f"{_code(option['text'])}</summary><p style='margin:.3em 0;border-left:4px "
        f"solid {color};padding-left:.6em'><strong style='color:{color}'>{verdict}"
        f"</strong> {_code(option['why'])}</p></details>"
    )


def _code(text):
    """Escape `text`; backticks make code of what they enclose, asterisks italics."""
    parts = re.split(r"`([^`]+)`", html.escape(text))
    parts[::2] = [ITALICS.sub(r"<em>\1</em>", part) for part in parts[::2]]
    parts[1::2] = [f"<code style='{CODE}'>{part}</code>" for part in parts[1::2]]
    return "".join(parts)
