"""Quizzes: every option is explained, one is right, and nothing needs a script."""

import pytest
from bs4 import BeautifulSoup

from helpers.exercises import quizzes
from helpers.exercises.chapters import chapters

every_chapter = pytest.mark.parametrize("slug", chapters())


@every_chapter
def test_each_chapter_has_questions_with_one_right_option(slug):
    questions = quizzes.read_questions(slug)
    assert len(questions) >= 2
    for text, options in questions:
        assert sum(option["right"] for option in options) == 1, text
        assert len({option["text"] for option in options}) == len(options) >= 3, text
        whys = [option["why"] for option in options]
        assert all(len(why) > 20 for why in whys), text
        said = ("Yes", "No.", "No,", "Right.")  # the verdict stands in front already
        assert not [why for why in whys if why.startswith(said)], text


@every_chapter
def test_the_right_option_has_no_fixed_place(slug):
    places = {
        [option["right"] for option in options].index(True)
        for _, options in quizzes.read_questions(slug)
    }
    assert len(places) > 1


@every_chapter
def test_each_chapter_shows_its_own_quiz_once(slug, chapter_cells):
    sources = [cell.source for cell in chapter_cells(chapters()[slug].page)]
    assert sum(f'quiz("{slug}")' in source for source in sources) == 1


def shown(option):
    question = ("Is <b> & `f(**x, *y)` *shown*?", [option])
    return quizzes.Quiz("attention", [question])._repr_html_()


def test_an_option_opens_without_a_script_and_says_whether_it_is_right():
    html = shown({"text": "yes", "why": "since it is", "right": True})
    seen = {tag.name for tag in BeautifulSoup(html, "html.parser").find_all(True)}
    assert {"details", "summary"} <= seen
    assert not {"script", "b"} & seen
    assert "f(**x, *y)</code> <em>shown</em>?" in html
    assert "Right." in html and "since it is" in html
    assert "No." in shown({"text": "no", "why": "it is not", "right": False})
