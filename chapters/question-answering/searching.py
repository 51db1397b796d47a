"""The reader over a collection: a search hands over three passages of it.

"Question answering" says in words what is done here.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from chapters.question_answering.claims import exact
from chapters.question_answering.reader import answers
from helpers import DATA
from helpers.embeddings.texts import embed_texts
from helpers.models import load_sentence_encoder
from helpers.questions import read_questions
from helpers.senses import unit

HANDED = 3  # passages for each question


@dataclass(frozen=True)
class Found:
    """Of each question: what the search handed over, and what the reader made of it.

    first, among, cited: whether the first, any, or the cited passage is the right one;
    exact: whether the answer is.
    """

    first: np.ndarray
    among: np.ndarray
    cited: np.ndarray
    exact: np.ndarray


def over_passages(bert, reader, hand, replies):
    """Search all passages of `hand` for each of its questions that has an answer.

    replies: what the reader said of each question's own passage, which is not read
    again where the search hands it over.
    """
    rows = hand[hand.answers.str.len() > 0]
    texts = hand.text.drop_duplicates().tolist()
    encoder = load_sentence_encoder(quiet=True)
    library, asked = (
        unit(embed_texts(encoder, some)) for some in (texts, rows.question.tolist())
    )
    near = np.argsort(-asked @ library.T, axis=1)[:, :HANDED]
    at = rows.passage.map(_places(hand)).to_numpy()
    new = np.flatnonzero(near != at[:, None])  # of all that are handed over
    handed = [texts[i] for i in near.ravel()[new]]
    said = answers(bert, reader, rows.question.iloc[new // HANDED], handed)
    tried = replies.loc[np.repeat(rows.index, HANDED)].reset_index(drop=True)
    tried = pd.concat([tried.drop(index=new), said.set_axis(new)]).sort_index()
    most = _most(tried)
    cited = near.ravel()[most]
    return Found(
        near[:, 0] == at,
        (near == at[:, None]).any(axis=1),
        cited == at,
        exact(tried.said.iloc[most], rows.answers),
    )


@dataclass(frozen=True)
class Book:
    """Of each question to this book, what the search and the reader put forward.

    known: whether the book answers it; search, reader: whether the paragraph that each
    puts forward holds an accepted answer; exact: whether the reader's words are one;
    lead: of these words.
    """

    known: np.ndarray
    search: np.ndarray
    reader: np.ndarray
    exact: np.ndarray
    lead: np.ndarray


def over_book(bert, reader):
    """Ask the questions to this book of the paragraphs that a search had found."""
    book = read_questions("book")
    found = pd.read_csv(DATA / "results/book-paragraphs.csv", skiprows=1)
    read = answers(bert, reader, found.question, found.text)
    most = _most(read)

    def holds(rows):
        pairs = zip(book.answers, found.text.iloc[rows], strict=True)
        return np.array([any(gold in text for gold in golds) for golds, text in pairs])

    return Book(
        (book.answers.str.len() > 0).to_numpy(),
        holds(np.arange(0, len(found), HANDED)),
        holds(most),
        exact(read.said.iloc[most], book.answers),
        read.lead.to_numpy()[most],
    )


def _most(tried):
    """The rows of the largest lead, one for each question."""
    leads = tried.lead.to_numpy().reshape(-1, HANDED)
    return leads.argmax(axis=1) + HANDED * np.arange(len(leads))


def _places(hand):
    """{passage: its place among the texts}."""
    return {passage: i for i, passage in enumerate(hand.passage.drop_duplicates())}
