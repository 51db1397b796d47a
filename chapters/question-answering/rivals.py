"""Rivals of the reader that do not read, and passages whose order is destroyed."""

import re

from chapters.question_answering.reader import answers

COUNT = (
    r"\b(?:\d[\d.]*|two|three|four|five|six|seven|eight|nine|ten|eleven|"
    r"fourteen|fifty|ninety|half)(?: hundred| thousand)?\b"
)
UNIT = r"(?: (?:pounds|dollars|euros|crowns|days|hours|minutes|kilograms))?"
NAME = r"(?!(?:The|It|He|She|In|On|At|A|An|When|Since|Its|Her|His)\b)[A-Z]\w+"
KINDS = {
    "Who": rf"{NAME}(?: [A-Z]\w+)*",
    "Where": rf"(?<= \w\w ){NAME}",
    "When": COUNT,
    "How": COUNT + UNIT,
}


def stems(text):
    """The first four letters of each word that has as many."""
    return set(re.findall(r"\b\w{4}", text.lower()))


def first_of_kind(question, text):
    """The first name or number of a text, as the question asks for one."""
    kind = KINDS.get(question.split()[0], r"\b[a-z]{4,}\b")
    found = [m[0] for m in re.finditer(kind, text) if not stems(m[0]) & stems(question)]
    return found[0] if found else text.split()[0]


def words_then_kind(question, text):
    """The same, in the sentence that has most words in common with the question."""
    nearest = max(
        re.split(r"(?<=\.) ", text),
        key=lambda sentence: len(stems(sentence) & stems(question)),
    )
    return first_of_kind(question, nearest)


def shuffled(row, rng):
    """The words of a passage in a new order, its answer in one piece."""
    words = row.text.replace(row.answers[0], "", 1).split()
    rng.shuffle(words)
    at = int(rng.integers(len(words) + 1))
    return " ".join([*words[:at], row.answers[0], *words[at:]])


def said_by(bert, reader, rows, rng):
    """{way: its answers}: of the rivals, and of the reader with something taken."""
    asked, texts = rows.question.tolist(), rows.text.tolist()
    mixed = [shuffled(row, rng) for row in rows.itertuples()]
    blank = ["What?"] * len(asked)
    return {
        "first of its kind": map(first_of_kind, asked, texts),
        "nearest sentence, its kind": map(words_then_kind, asked, texts),
        "reader, without the question": answers(bert, reader, blank, texts).said,
        "reader, words shuffled": answers(bert, reader, asked, mixed).said,
    }
