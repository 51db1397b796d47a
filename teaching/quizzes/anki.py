"""Anki's package: a card a question, in a deck a chapter.

Names decide the ids, by which Anki knows a card: a second import replaces the text of
the first and keeps the student's schedule. A name is a chapter and a place in its quiz.
"""

import hashlib
import itertools
import sqlite3
import time

import genanki

from teaching.quizzes.questions import html, inline, zipped

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
    return zipped(files)


def number(name):
    """Return the id that a name stands for, as large as Anki's own."""
    digest = hashlib.sha256(name.encode()).digest()
    return 1 << 30 | int.from_bytes(digest[:4]) >> 2


def _deck(quiz):
    title = quiz.title.partition(". ")[2].replace("::", ":")  # which parts two decks
    deck = genanki.Deck(number(quiz.slug), f"{COURSE}::{quiz.number:02} {title}")
    kind = genanki.Model(
        number(COURSE),
        f"{COURSE}: question",
        fields=[{"name": name} for name in FIELDS],
        templates=[{"name": "Question", "qfmt": FRONT, "afmt": BACK}],
        css=STYLE,
    )
    for question in quiz.questions:
        fields = [question.name, html(question.text), *_lists(question.options)]
        guid = genanki.guid_for(COURSE, question.name)
        deck.add_note(genanki.Note(kind, fields, guid=guid, tags=[quiz.slug]))
    return deck


def _lists(options):
    """Return the options as HTML, without and with what is said of them."""
    asked = "".join(f"<li>{inline(o.text)}</li>" for o in options)
    told = "".join(f"<li>{inline(o.text)}{o.feedback}</li>" for o in options)
    return [f'<ol type="A">{items}</ol>' for items in (asked, told)]
