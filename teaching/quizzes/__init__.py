"""Quizzes for learning platforms: `python -m teaching.quizzes FOLDER`.

The questions of each chapter's `quiz.toml`, with the feedback of every option, as QTI
1.2 (Canvas, Blackboard, ILIAS), Moodle XML and cards for Anki. Code and italics become
HTML, a formula `\\(...\\)`, which the MathJax of these programs draws.
"""
