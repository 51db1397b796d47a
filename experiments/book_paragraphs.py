"""What the book's own search hands to the reader, for "Question answering".

Wrote data/results/book-paragraphs.csv on 2026-11-26: for each question of
data/questions/book.txt the three paragraphs that the search of "Search: vectors at
work" finds first in the built book, each of another section. It can be run again, on a
built book:

    python -m experiments.book_paragraphs
"""

import sys

import pandas as pd

from build_tools.book_search import index as book_index
from build_tools.book_search import vectors
from build_tools.book_search.search_page import KEPT, paragraphs_in
from build_tools.live.payload import ROOT, course_model
from experiments.results_table import RESULTS, write_table
from helpers.questions import read_questions

READ = 3  # as live/model/tasks.js does


def main():
    book = ROOT / "_build/html"
    if not book.is_dir():
        return "error: no book is built: run `make book`"
    paragraphs = paragraphs_in(ROOT, book)
    raw = vectors.vectors_of([p.text for p in paragraphs], ROOT / KEPT)
    index = book_index.index_of(paragraphs, raw)
    asked = read_questions("book").question
    rows = []
    scores = index.scores(vectors.mean_vectors(course_model(), list(asked)))
    for question, row in zip(asked, scores, strict=True):
        for rank, at in enumerate(index.ranked(row)[:READ], 1):
            found = paragraphs[at]
            place = f"{found.page}.html#{found.anchor}"
            rows.append((question, rank, row[at], place, found.text))
    names = ["question", "rank", "cosine", "place", "text"]
    about = ["made by: python -m experiments.book_paragraphs"]
    write_table(
        RESULTS / "book-paragraphs.csv", pd.DataFrame(rows, columns=names), about
    )
    return None


if __name__ == "__main__":
    sys.exit(main())
