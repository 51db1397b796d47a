"""What "Question answering" draws; what it teaches stands in the page."""

import numpy as np
from scipy.special import softmax

from chapters.question_answering.marked import marked
from chapters.question_answering.reader import span_scores
from helpers.plotting.pictures import Matrix, draw, matrices, slide


def slide_of_questions(bert, reader, rows, replies):
    """A passage with where each of its questions is answered."""
    frames = [
        _frame(bert, reader, row, replies.loc[row.Index]) for row in rows.itertuples()
    ]
    slide("question:", frames)


def _frame(bert, reader, row, reply):
    [(start, end, places)] = span_scores(bert, reader, [row.question], [row.text])
    words = row.text.split()
    ends = np.cumsum([len(word) + 1 for word in words])
    said, span = "no answer here", None
    if reply.lead > 0:
        letters = reply["first"], reply["last"] - 1
        said, span = reply.said, tuple(np.searchsorted(ends, letters, side="right"))
    shares = (_by_word(ends, scores, places) for scores in (start, end))
    return f"{row.question} {said}", marked(
        row.question, words, *shares, span, said, lines=6
    )


def _by_word(ends, scores, places):
    """The share of each word of the passage, the sum over its pieces."""
    shares = np.zeros(len(ends))
    for share, place in zip(softmax(scores), places, strict=True):
        if place:
            shares[np.searchsorted(ends, place[0], side="right")] += share
    return shares


def draw_sums(sums, pieces, question, text):
    """sums: (first, last), a start's and an end's score added."""
    draw(
        matrices(
            Matrix(
                "start + end",
                sums,
                pieces,
                pieces,
                form="",
                cell=26,
                low=float(np.nanmin(sums)),
            ),
            words="A start's and an end's score, added, for every two pieces of: "
            f"{text} The darkest square answers: {question}",
        )
    )
