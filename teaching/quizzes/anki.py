"""Anki's package: a card a question, in a deck a chapter.

Names decide the ids, by which Anki knows a card: a second import replaces the text of
the first and keeps the student's schedule. A name is a chapter and a place in its quiz.
"""

import hashlib
import io
import itertools
import sqlite3
import time
import zipfile

import genanki

from teaching.quizzes.packages import LONG_AGO
from teaching.quizzes.questions import element, html, inline, markup

ENDING = ".apkg"
COURSE = "Inside BERT"
FIELDS = ("Name", "Question", "Options", "Answers")
FRONT = "{{Question}}{{Options}}"
BACK = "{{Question}}{{Answers}}"
STYLE = """.card { font: 18px/1.4 sans-serif; text-align: left; max-width: 40em }
li { margin: .6em 0 } code { font-family: monospace }"""


def packed(quizzes, now=None):
    """Return the package of some quizzes as bytes.

    now: the seconds of its notes. Anki takes those that are newer than its own.
    """
    now = time.time() if now is None else now
    # genanki's own writer leaves a file in the folder of temporary ones.
    with sqlite3.connect(":memory:") as database:
        package = genanki.Package([_deck(quiz) for quiz in quizzes])
        package.write_to_db(database.cursor(), now, itertools.count(int(1000 * now)))
    files = {"collection.anki2": database.serialize(), "media": b"{}"}
    database.close()
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, LONG_AGO)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return stream.getvalue()


def number(name):
    """Return the id that a name stands for, as large as Anki's own."""
    digest = hashlib.sha256(name.encode()).digest()
    return 1 << 30 | int.from_bytes(digest[:4]) >> 2


def _deck(quiz):
    title = quiz.title.partition(". ")[2].replace("::", ":")  # which parts two decks
    deck = genanki.Deck(number(quiz.slug), f"{COURSE}::{quiz.number:02} {title}")
    for question in quiz.questions:
        deck.add_note(_note(question, quiz.slug))
    return deck


def _note(question, slug):
    options = [element("li", *inline(o.text)) for o in question.options]
    answers = [
        element("li", *inline(o.text), element("br"), *o.feedback)
        for o in question.options
    ]
    return genanki.Note(
        model=_model(),
        fields=[
            question.name,
            html(inline(question.text)),
            markup(element("ol", *options, type="A")),
            markup(element("ol", *answers, type="A")),
        ],
        guid=genanki.guid_for(COURSE, question.name),
        tags=[slug],
    )


def _model():
    return genanki.Model(
        number(COURSE),
        f"{COURSE}: question",
        fields=[{"name": name} for name in FIELDS],
        templates=[{"name": "Question", "qfmt": FRONT, "afmt": BACK}],
        css=STYLE,
    )
