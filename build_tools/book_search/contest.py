"""Twenty questions, put to the search by meaning, to BM25 and to the theme's search.

The questions and the sections that answer them were written before any of the three
was tried on them. A search finds a question's answer if one of the sections, or of
the pages that hold them, is among its first three.
"""

import json
import subprocess
import tomllib
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd

from build_tools.book import assets
from build_tools.live.chapter_functions import functions_of
from build_tools.live.scrolling_table import scrolling_table
from helpers.verdicts import compare

FIRST = 3
RANKS = "live-pieces live-ranks"
MEANING, BM25, THEME = "by meaning", "BM25", "the theme, by words"
SCRIPT = Path(__file__).with_name("theme_search.mjs")


def questions_file(root):
    """Return the file of the questions, which lies beside its chapter's page."""
    [file] = Path(root).glob("chapters/*/questions.toml")
    return file


def questions_of(root):
    """Return the questions: dicts of text and sections, a label each."""
    return tomllib.loads(questions_file(root).read_text(encoding="utf-8"))["question"]


def ask_theme(book, questions):
    """Return, for each question, what the theme finds: terms, and found in order.

    found has page, anchor ("" or "#..."), title. It is Sphinx's own script that finds,
    run by Node on the index of the built book.
    """
    run = [*assets.node_command(), str(SCRIPT), str(book)]
    done = subprocess.run(
        run, input=json.dumps(questions), capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout, object_hook=lambda named: SimpleNamespace(**named))


def bm25_scores(questions, texts):
    """Scores (questions, texts) by the function of the chapter that teaches it."""
    from sklearn.feature_extraction.text import CountVectorizer

    given = {"CountVectorizer": CountVectorizer, "np": np}
    bm25 = functions_of("sentence-embeddings", {"bm25"}, **given)["bm25"]
    return bm25(questions, texts)


def rights_of(questions, index):
    """Return, for each question, the set of (page, anchor) that answer it.

    Raises ValueError for a section that the book does not have.
    """
    places = {
        label: (p.page, p.anchor)
        for p in index.paragraphs
        for label in (*p.labels, p.anchor)
    }
    for question in questions:
        if lacks := [label for label in question["sections"] if label not in places]:
            raise ValueError(
                f"no section has the label {lacks[0]!r}, which is to answer "
                f"{question['text']!r}: mend questions.toml"
            )
    return [{places[label] for label in question["sections"]} for question in questions]


def ranks_of(results, right):
    """Return the ranks of the first right section and page, inf where none is found.

    results: (page, anchor), best first. A page counts once, at its first result.
    """
    pages = list(dict.fromkeys(page for page, _ in results))
    return (
        next((n for n, at in enumerate(results, 1) if at in right), np.inf),
        next((n for n, p in enumerate(pages, 1) if p in {q for q, _ in right}), np.inf),
    )


def held(questions, index, vectors, book):
    """Return the table of ranks: a row a question, columns (search, section | page).

    vectors: those of the questions, raw, (n, hidden).
    """
    texts = [question["text"] for question in questions]

    def by(scores):  # what is not above 0 has nothing in common with the question
        places = [(p.page, p.anchor) for p in index.paragraphs]
        ranked = [index.ranked(row) for row in scores]
        return [
            [places[i] for i in order if row[i] > 0]
            for order, row in zip(ranked, scores, strict=True)
        ]

    bodies = [p.text for p in index.paragraphs]
    results = {
        MEANING: by(index.scores(vectors)),
        BM25: by(bm25_scores(texts, bodies)),
        THEME: [
            [(result.page, result.anchor.removeprefix("#")) for result in words.found]
            for words in ask_theme(book, texts)
        ],
    }
    rights = rights_of(questions, index)
    ranks = {
        search: [ranks_of(*pair) for pair in zip(found, rights, strict=True)]
        for search, found in results.items()
    }
    columns = {
        (search, unit): [row[n] for row in rows]
        for search, rows in ranks.items()
        for n, unit in enumerate(("section", "page"))
    }
    return pd.DataFrame(columns, index=texts)


def told(ranks):
    """Return the table and what it shows, as HTML."""
    hits = (ranks <= FIRST).astype(int)
    rows = [row_of(search, hits) for search in (MEANING, BM25, THEME)]
    heads = ("search", "section", "page", "more pages than by meaning (95 %)")
    sentence = (
        f"{len(ranks)} questions were written, with the sections that answer them, "
        f"before anything searched the book. Answered is one whose section, or its "
        f"page, is among the first {FIRST} results."
    )
    details = [
        [text, *(rank(row[search, unit]) for search, unit in SHOWN)]
        for text, row in ranks.iterrows()
    ]
    columns = ("question", *(f"{search}: {unit}" for search, unit in SHOWN))
    return (
        f"<p>{sentence}</p>"
        f"{scrolling_table('Questions answered', heads, rows, RANKS)}"
        f"<p>{READ}</p>"
        "<details><summary>Each question: the rank of the first right result"
        f"</summary>{scrolling_table('Ranks', columns, details, RANKS)}</details>"
    )


READ = (
    "The last column is a share of the questions. Where its interval holds 0, twenty "
    "questions cannot say which of the two searches is better."
)
SHOWN = [(MEANING, "section"), (MEANING, "page"), (BM25, "section"), (BM25, "page")]
SHOWN += [(THEME, "page")]


def row_of(search, hits):
    sections, pages = hits[search, "section"].sum(), hits[search, "page"].sum()
    difference = ""
    if search != MEANING:
        against = compare(hits[search, "page"], hits[MEANING, "page"])
        difference = f"{against.difference:+.2f} ({against.interval()})"
    shown = "finds pages" if search == THEME and not sections else str(sections)
    return [search, shown, str(pages), difference]


def rank(value):
    return f"{value:.0f}" if np.isfinite(value) else "–"
