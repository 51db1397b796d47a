"""Quizzes for learning platforms: `python -m teaching.quizzes FOLDER`.

The questions of each chapter's `quiz.toml`, with the feedback of every option, as QTI
1.2 (Canvas, Blackboard, ILIAS), Moodle XML and
cards for Anki: a file a chapter, and one of all chapters. Every question has one right
option and is worth a point; platforms shuffle the options.

Code and italics become HTML. A formula between dollars becomes `\\(...\\)`, which the
MathJax of these programs draws.
"""
