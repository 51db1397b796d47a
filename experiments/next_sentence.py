"""The next-sentence head on books it was not trained on, by where false parts are from.

Wrote data/results/next-sentence.csv on 2026-11-26. It can be run again, with a folder
that holds the four books named below:

    python -m experiments.next_sentence FOLDER

A first part of a document gets second parts that fill what is left of 125 pieces: what
follows, a part of another document of the same book, a part of another book. What
follows also stands first once.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd

from experiments.course_model.encoded_files import encode_files
from experiments.course_model.next_sentence_scores import shares
from experiments.results_table import RESULTS, run, today_and_versions, write_table
from helpers.models import load_bert

BOOKS = (
    "f-scott-fitzgerald_the-great-gatsby",
    "john-muir_my-first-summer-in-the-sierra",
    "lytton-strachey_eminent-victorians",
    "robert-derby-holmes_a-yankee-in-the-trenches",
)
ROOM, FIRSTS = 125, 200  # pieces of a pair; first parts of a book


def pairs_of(books, rng, firsts=FIRSTS, room=ROOM):
    """Yield (book, kind, first ids, second ids); each first part comes four times.

    books: {name: documents}, a document a list of arrays of ids. rng: of NumPy.
    """
    for name, documents in books.items():
        others = [d for other, part in books.items() if other != name for d in part]
        long = [d for d in documents if sum(map(len, d)) > room and len(d) > 1]
        for _ in range(firsts):
            document = long[int(rng.integers(len(long)))]
            rest = [d for d in documents if d is not document]
            cut = int(rng.integers(1, len(document)))
            goal = int(rng.integers(room // 4, 3 * room // 4 + 1))
            first = np.concatenate(document[:cut])[-goal:]
            left = room - len(first)
            second = np.concatenate(document[cut:])[:left]
            yield name, "true", first, second
            yield name, "swapped", second, first
            yield name, "same book", first, _part(rest, left, rng)
            yield name, "other book", first, _part(others, left, rng)


def _part(documents, room, rng):
    document = documents[int(rng.integers(len(documents)))]
    return np.concatenate(document[int(rng.integers(len(document))) :])[:room]


def cosines(bert, pairs):
    """Return the cosine of the two parts' mean word vectors, which know no order."""
    table = bert.model.get_input_embeddings().weight.detach().cpu().numpy()
    means = np.array([[table[part].mean(axis=0) for part in pair] for pair in pairs])
    means /= np.linalg.norm(means, axis=-1, keepdims=True)
    return (means[:, 0] * means[:, 1]).sum(axis=-1)


def main(folder):
    bert = load_bert()
    books = {
        book: encode_files([Path(folder) / f"{book}.txt.gz"], bert.tokenizer)
        for book in BOOKS
    }
    drawn = list(pairs_of(books, np.random.default_rng(0)))
    pairs = [pair[2:] for pair in drawn]
    results = pd.DataFrame([pair[:2] for pair in drawn], columns=["book", "kind"])
    results["next"] = shares(bert, [(*pair, True) for pair in pairs])
    results["cosine"] = cosines(bert, pairs)
    about = [
        f"{bert.name}, four books not trained on, {FIRSTS} first parts each",
        today_and_versions("torch", "transformers"),
        "made by: python -m experiments.next_sentence FOLDER",
    ]
    write_table(RESULTS / "next-sentence.csv", results, about)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("error: name the folder of the books, BOOK.txt.gz each")
    run(main, sys.argv[1])
