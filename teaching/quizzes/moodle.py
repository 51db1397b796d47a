"""Moodle XML: questions of one right option, in a category a chapter.

The elements are those of https://docs.moodle.org/en/Moodle_XML_format.
"""

from teaching.quizzes.questions import XML, escaped, html

ENDING = ".xml"
CATEGORY = """<question type="category">
<category><text>$course$/top/Inside BERT/{title}</text></category></question>
"""
QUESTION = """<question type="multichoice">
<name><text>{title}</text></name>
<questiontext format="html"><text>{text}</text></questiontext>
<defaultgrade>1</defaultgrade><penalty>0.3333333</penalty><hidden>0</hidden>
<idnumber>{name}</idnumber><single>true</single>
<shuffleanswers>true</shuffleanswers><answernumbering>abc</answernumbering>
{answers}</question>
"""
ANSWER = """<answer fraction="{points}" format="html"><text>{text}</text>
<feedback format="html"><text>{said}</text></feedback></answer>
"""


def packed(quizzes):
    """Return the file of some quizzes as bytes."""
    parts = [XML, "<quiz>\n"]
    for quiz in quizzes:  # one slash would part two categories
        parts.append(CATEGORY.format(title=escaped(quiz.title.replace("/", "//"))))
        parts += map(_question, quiz.questions)
    return "".join([*parts, "</quiz>\n"]).encode()


def _question(question):
    answers = ""
    for option in question.options:
        text, said = escaped(html(option.text)), escaped(option.feedback)
        points = 100 if option.right else 0
        answers += ANSWER.format(points=points, text=text, said=said)
    title, text = escaped(question.title), escaped(html(question.text))
    return QUESTION.format(title=title, text=text, name=question.name, answers=answers)
