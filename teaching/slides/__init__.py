"""Slides: a deck a chapter, made of the page itself and of its last run.

    python -m teaching.slides FOLDER [CHAPTER ...]

`outline` reads a page and what its cells put out, `deck` chooses and writes the slides
as Markdown, and Marp draws them. The Markdown is what a teacher changes.
"""
