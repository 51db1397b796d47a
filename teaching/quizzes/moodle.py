"""Moodle XML: questions of one right option, in a category a chapter.

The elements are those of https://docs.moodle.org/en/Moodle_XML_format.
"""

from teaching.quizzes.questions import document, element, html, inline

ENDING = ".xml"
CATEGORY = "$course$/top/Inside BERT/"


def packed(quizzes):
    """Return the file of some quizzes as bytes."""
    questions = []
    for quiz in quizzes:
        questions.append(_category(quiz.title))
        questions += map(_question, quiz.questions)
    return document(element("quiz", *questions))


def _category(title):
    path = CATEGORY + title.replace("/", "//")  # one slash would part two categories
    return element("question", element("category", _text(path)), type="category")


def _question(question):
    return element(
        "question",
        element("name", _text(question.title)),
        _html("questiontext", inline(question.text)),
        element("defaultgrade", "1"),
        element("penalty", "0.3333333"),
        element("hidden", "0"),
        element("idnumber", question.name),
        element("single", "true"),
        element("shuffleanswers", "true"),
        element("answernumbering", "abc"),
        *map(_answer, question.options),
        type="multichoice",
    )


def _answer(option):
    answer = _html("answer", inline(option.text), fraction=100 if option.right else 0)
    answer.append(_html("feedback", option.feedback))
    return answer


def _html(tag, content, **attributes):
    return element(tag, _text(html(content)), format="html", **attributes)


def _text(text):
    return element("text", text)
