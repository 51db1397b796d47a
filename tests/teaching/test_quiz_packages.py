"""Quizzes for learning platforms: what is read back is what the page asks."""

import io
import json
import re
import sqlite3
import zipfile
from xml.etree import ElementTree

import pytest
from bs4 import BeautifulSoup

from helpers.exercises.chapters import chapters
from helpers.exercises.quizzes import read_questions
from teaching.quizzes import __main__ as command
from teaching.quizzes import anki, moodle, qti12
from teaching.quizzes.questions import Quiz, all_quizzes, html, inline, question

FORMATS = {"moodle": moodle, "qti12": qti12, "anki": anki}
ODD = "Is `a < b & c` *really* “größer” than $x_1^2 < 3$, at 2 * 3 = \x006?"


def plain(content):
    """Return the Markdown of HTML, or of an element with its content."""
    if not isinstance(content, str):
        content = re.sub(r"ns\d+:", "", ElementTree.tostring(content, "unicode"))
    soup = BeautifulSoup(content, "html.parser")
    for name, mark in (("code", "`"), ("em", "*")):
        for part in soup.find_all(name):
            part.insert(0, mark)
            part.append(mark)
    return re.sub(r"\\\((.*?)\\\)", r"$\1$", soup.get_text())


def without_verdict(text, right):
    verdict = "Right. " if right else "No. "
    assert text.startswith(verdict)
    return text.removeprefix(verdict)


def files_of(package):
    """Return the root of each file of a package, which its manifest lists."""
    with zipfile.ZipFile(io.BytesIO(package)) as opened:
        roots = {
            name: ElementTree.fromstring(opened.read(name))
            for name in opened.namelist()
        }
    manifest = roots.pop("imsmanifest.xml")
    listed = [file.get("href") for file in manifest.findall(".//{*}file")]
    assert sorted(listed) == sorted(roots) and listed
    return {name: roots[name] for name in listed}


def read_moodle(data):
    for asked in ElementTree.fromstring(data).findall("question"):
        if asked.get("type") == "multichoice":
            options = [
                (
                    plain(answer.findtext("text")),
                    plain(answer.findtext("feedback/text")),
                    answer.get("fraction") == "100",
                )
                for answer in asked.findall("answer")
            ]
            yield plain(asked.findtext("questiontext/text")), options


def read_qti12(data):
    for root in files_of(data).values():
        for item in root.findall(".//{*}item"):
            yield _item12(item)


def _item12(item):
    asked, right, told = item.find("{*}presentation"), None, {}
    for condition in item.findall(".//{*}respcondition"):
        chosen = condition.findtext("{*}conditionvar/{*}varequal")
        if condition.findtext("{*}setvar") == "100":
            right = chosen
        else:
            told[chosen] = condition.find("{*}displayfeedback").get("linkrefid")
    said = {
        feedback.get("ident"): plain(feedback.findtext(".//{*}mattext"))
        for feedback in item.findall("{*}itemfeedback")
    }
    labels = {
        label.get("ident"): plain(label.findtext(".//{*}mattext"))
        for label in asked.findall(".//{*}response_label")
    }
    options = [(text, said[told[i]], i == right) for i, text in labels.items()]
    return plain(asked.findtext("{*}material/{*}mattext")), options


def notes_of(package):
    """Return the fields of each note of an Anki package."""
    with zipfile.ZipFile(io.BytesIO(package)) as opened:
        assert json.loads(opened.read("media")) == {}
        database = sqlite3.connect(":memory:")
        database.deserialize(opened.read("collection.anki2"))
    notes = database.execute("select flds from notes").fetchall()
    database.close()
    return [fields.split("\x1f") for (fields,) in notes]


def items_of(markup):
    """Return the content of each item of an HTML list as Markdown."""
    return [plain(item) for item in re.findall(r"<li>(.*?)</li>", markup, re.S)]


def read_anki(data):
    for _, text, asked, told in notes_of(data):
        options = []
        for shown, answer in zip(items_of(asked), items_of(told), strict=True):
            assert answer.startswith(shown)
            why = answer.removeprefix(shown)
            options.append((shown, why, why.startswith("Right.")))
        yield plain(text), options


READERS = {"moodle": read_moodle, "qti12": read_qti12, "anki": read_anki}


def read_back(form, quizzes):
    """Return [(text, options)] as `read_questions` does, from a format."""
    asked = READERS[form](FORMATS[form].packed(quizzes))
    return [
        (
            text,
            [
                {"text": t, "why": without_verdict(why, right), "right": right}
                for t, why, right in options
            ],
        )
        for text, options in asked
    ]


@pytest.mark.parametrize("form", FORMATS)
def test_every_question_is_read_back_as_the_page_asks_it(form):
    asked = [question for slug in chapters() for question in read_questions(slug)]
    assert read_back(form, all_quizzes()) == asked


@pytest.mark.parametrize("form", FORMATS)
def test_code_formulas_and_odd_letters_arrive(form):
    options = [{"text": ODD, "why": ODD, "right": n == 1} for n in range(3)]
    asked = question("odd-1", 'Odd <&> "1"', ODD, options)
    [(text, read)] = read_back(form, [Quiz("odd", 1, "1. In/out <&> \x07", (asked,))])
    whole = ODD.replace("\x00", "\ufffd")  # which no XML can hold
    assert text == whole
    assert [option["why"] for option in read] == [whole] * 3


def test_formulas_are_marked_for_mathjax_and_money_is_none():
    assert html("$a_1 < 2$") == r"<p>\(a_1 &lt; 2\)</p>"
    assert inline("It costs $5 or 6 $ a word, `$HOME$`").startswith("It costs $5 or")


def test_the_command_writes_a_file_a_chapter_and_one_of_all(tmp_path, capsys):
    assert command.main([str(tmp_path)]) is None
    for name, form in command.FORMATS.items():
        written = {path.name for path in (tmp_path / name).iterdir()}
        assert len(written) == len(chapters()) + 1
        assert (
            f"all{form.ENDING}" in written and f"04-attention{form.ENDING}" in written
        )
    assert "questions" in capsys.readouterr().out
