"""Questions to passages, as data/questions holds them.

`experiments/reading_questions.py` writes by rule those from which a reader learns.
"""

import pandas as pd

from helpers import DATA

FOLDER = DATA / "questions"


def read_questions(name="judge"):
    """Return the questions of data/questions/NAME.txt, a DataFrame, a row a question.

    Columns: passage (its number), text, question, answers (a tuple of all that count,
    empty where the passage holds none) and pair: a question and its twin, which has no
    answer, share a number.

    >>> read_questions("judge").iloc[0].answers
    ('twice a day', 'twice')
    """
    return parse_questions((FOLDER / f"{name}.txt").read_text(encoding="utf-8"))


def parse_questions(text):
    """Return the DataFrame of `read_questions` from the text of such a file.

    >>> rows = parse_questions("Ann has a cat.\\n? Who has a cat? | Ann\\n! Who ran?")
    >>> rows.answers.tolist(), rows.pair.tolist()
    ([('Ann',), ()], [0, 0])
    """
    rows, pair = [], -1
    for number, block in enumerate(text.strip().split("\n\n")):
        passage, *lines = block.split("\n")
        for line in lines:
            asked, *answers = (part.strip() for part in line[1:].split("|"))
            pair += line[0] == "?"
            rows.append((number, passage, asked, tuple(answers), pair))
    return pd.DataFrame(
        rows, columns=["passage", "text", "question", "answers", "pair"]
    )
