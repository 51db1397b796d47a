"""Typical wrong answers, and the words that name each mistake."""


def wrong_1(names):
    """names: what the notebook has defined. Yields at least two (answer, words)."""
    yield "TO WRITE", "words of the reply"
