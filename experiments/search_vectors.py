"""How the vectors of the search were chosen: by the titles of the sections.

Wrote no file; on 2026-11-22 it decided the layers and the width in
build_tools/book_search. It can be run again, on a built book:

    python -m experiments.search_vectors

asks the built book for each section by its title, which is no part of the paragraphs,
and prints the mean reciprocal rank for the last layer and the mean of the last four:
as they are, centred, and whitened to some widths. The twenty questions have no part.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd

from build_tools.book_search import index as book_index
from build_tools.book_search.search_page import KEPT, known_paragraphs
from build_tools.book_search.vectors import mean_vectors
from build_tools.live.payload import ROOT, course_model
from helpers.senses import unit

LAYERS = {"last layer": (-1,), "last four layers": (-4, -3, -2, -1)}
WIDTHS = (64, 128, 192, 256, 320, 384)
EVERYWHERE = {"Summary", "Quiz", "Exercises", "Further reading", "References"}


def table(paragraphs, bert):
    """Return mean reciprocal ranks: a row for each treatment, a column for layers."""
    titled = [p for p in paragraphs if is_asked(p)]
    places = list(dict.fromkeys((p.page, p.anchor, p.title) for p in titled))
    found = {}
    for name, layers in LAYERS.items():
        texts = mean_vectors(bert, [p.text for p in paragraphs], layers)
        titles = mean_vectors(bert, [title for *_, title in places], layers)
        found[name] = {
            treatment: reciprocal_ranks(index, titles, places).mean()
            for treatment, index in indices(paragraphs, texts)
        }
    return pd.DataFrame(found)


def is_asked(paragraph):
    """Whether a section is asked for by its title; terms of the glossary are not."""
    own = paragraph.title not in EVERYWHERE and not paragraph.anchor.startswith("term-")
    return own and bool(paragraph.title)


def indices(paragraphs, vectors):
    """Yield (treatment, Index) for raw, centred and whitened vectors."""
    width = vectors.shape[1]
    mean = unit(vectors).mean(axis=0)
    for name, centre in (("raw", np.zeros(width)), ("centred", mean)):
        placed = unit(vectors) - centre
        yield name, book_index.Index(paragraphs, centre, np.eye(width), placed)
    for width in WIDTHS:
        yield f"whitened, {width}", book_index.index_of(paragraphs, vectors, width)


def reciprocal_ranks(index, titles, places):
    """1 / rank of each title's own section."""
    ranks = []
    for scores, (page, anchor, _) in zip(index.scores(titles), places, strict=True):
        order = [index.paragraphs[i] for i in index.ranked(scores)]
        own = [p.page == page and p.anchor == anchor for p in order]
        ranks.append(1 + own.index(True))
    return 1 / np.array(ranks)


def main():
    paragraphs = known_paragraphs(Path(ROOT) / KEPT / "pages.json")
    if not paragraphs:
        return "error: there is no book yet whose paragraphs are known: run `make book`"
    print(table(paragraphs, course_model()).round(3).to_string())
    return None


if __name__ == "__main__":
    sys.exit(main())
