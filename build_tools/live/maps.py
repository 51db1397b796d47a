"""The maps of senses: the chapters' own sentences, and what places another among them.

One chapter draws eight sentences with *field*, another the twenty words of the
word-sense data. A map holds what these chapters compute: the last layer's vector of
the word, two principal components, and the mean vector of each sense; its colours are
those of the plots.
"""

import ast
import os
import re
from unittest.mock import patch

import numpy as np

from build_tools.book.dependencies import code_in
from build_tools.live import EIGHT, EIGHT_WORD
from helpers.datasets import coarse_wsd_words, load_coarse_wsd
from helpers.embeddings import embed_words
from helpers.exercises.chapters import chapter_named
from helpers.plotting import COLORS
from helpers.senses import sense_centroids, unit

DIGITS = 5
SAMPLE = patch.dict(os.environ, {"COARSE_WSD_HOME": "sample"})


def sense_maps(bert):
    """Return {word: map} for *field* and the twenty words, ready for JSON."""
    senses, sentences, positions = eight_fields()
    maps = {EIGHT_WORD: sense_map(bert, senses, sentences, positions)}
    with SAMPLE:  # the official sentences may not be published with the book
        for word in coarse_wsd_words():
            rows = load_coarse_wsd(word)
            columns = rows.sense.tolist(), rows.sentence.tolist(), rows.word_pos
            maps[word] = sense_map(bert, *columns)
    return maps


def sense_map(bert, senses, sentences, positions):
    """Return the map of one word.

    senses: n names. sentences: n lists of words. positions: n indices of the word.
    """
    from sklearn.decomposition import PCA

    vectors = embed_words(bert, sentences, positions, (-1,), "float32")
    pca = PCA(n_components=2, random_state=0).fit(vectors)
    names, centroids = sense_centroids(vectors, senses)
    numbers = {name: number for number, name in enumerate(names.tolist())}
    points = pca.transform(vectors)
    return {
        "senses": names.tolist(),
        "colors": COLORS[: len(names)],
        "centroids": rounded(unit(centroids)),
        "mean": rounded(pca.mean_),
        "axes": rounded(pca.components_),
        "points": [
            {"at": at, "sense": numbers[sense], "text": " ".join(words)}
            for at, sense, words in zip(rounded(points), senses, sentences, strict=True)
        ],
    }


def eight_fields():
    """Return senses, sentences and positions of the eight, from the chapter's cell."""
    text = chapter_named(EIGHT).page.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(code_in(text))):
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "eight":
            senses, texts = zip(*ast.literal_eval(node.value), strict=True)
            sentences = [split_words(text) for text in texts]
            positions = [words.index(EIGHT_WORD) for words in sentences]
            return senses, sentences, positions
    raise ValueError(f"{EIGHT} assigns no list to `eight`: the live map needs it")


def split_words(sentence):
    """Lower-cased words and punctuation marks, as the chapter splits them."""
    return re.findall(r"\w+|[^\w\s]", sentence.lower())


def rounded(values):
    return np.round(np.asarray(values, float), DIGITS).tolist()
