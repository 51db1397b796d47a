"""Typical wrong answers, and the words that name each mistake."""


def wrong_1(names):
    """names: what the cells before the exercise define.

    Yields (answer, words), two or more with different words.
    """
    yield "TO WRITE", "words of the reply"
