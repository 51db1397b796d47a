"""What the page searches: paragraphs, and a vector of 8-bit numbers for each.

The raw means of a BERT lie close together. So they are whitened: the mean of all
paragraphs is taken away, and along their first `WIDTH` principal components each
number is divided by its spread. `choose` tells how this was chosen.
"""

import base64
import gzip
import json
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from helpers.senses import unit

WIDTH = 192
LARGEST = 1_000_000  # bytes, packed
STEPS = 32767  # of the axes' numbers


@dataclass(frozen=True)
class Index:
    """paragraphs: n. mean: (hidden,). axes: (hidden, width). vectors: (n, width)."""

    paragraphs: list
    mean: np.ndarray
    axes: np.ndarray
    vectors: np.ndarray

    @cached_property
    def sections(self):
        """The number of each paragraph's section, in the order of the book."""
        places = [(p.page, p.anchor) for p in self.paragraphs]
        numbers = {place: number for number, place in enumerate(dict.fromkeys(places))}
        return np.array([numbers[place] for place in places])

    def scores(self, questions):
        """Cosines of raw vectors (questions, hidden) with all paragraphs."""
        placed = unit((unit(questions) - self.mean) @ self.axes)
        return placed @ unit(self.vectors.astype(np.float32)).T

    def ranked(self, scores):
        """The paragraphs, best first, that are the best of their section."""
        order = np.argsort(-scores, kind="stable")
        _, first = np.unique(self.sections[order], return_index=True)
        return order[np.sort(first)]


def index_of(paragraphs, vectors, width=WIDTH):
    """Return the Index of paragraphs with their raw vectors (n, hidden)."""
    mean, axes = whitening(unit(vectors), width)
    step = np.abs(axes).max() / STEPS
    axes = np.round(axes / step) * step  # as the page gets them
    placed = (unit(vectors) - mean) @ axes
    largest = np.abs(placed).max(axis=1, keepdims=True)
    eight = np.round(127 * placed / largest).astype(np.int8)
    return Index(paragraphs, mean.astype(np.float32), axes.astype(np.float32), eight)


def whitening(vectors, width):
    """Return the mean (hidden,) and axes (hidden, width) that whiten the vectors."""
    mean = vectors.mean(axis=0)
    variances, axes = np.linalg.eigh(np.cov(vectors.T, dtype=np.float64))
    variances, axes = variances[::-1][:width], axes[:, ::-1][:, :width]
    kept = variances > 1e-9 * variances[0]  # of few paragraphs, fewer
    return mean, axes[:, kept] / np.sqrt(variances[kept])


def packed(index):
    """Return the file that the page loads (gzip)."""
    step = np.abs(index.axes).max() / STEPS
    pages = {p.page: p.chapter for p in index.paragraphs}
    sections = {(p.page, p.anchor): p.title for p in index.paragraphs}
    number = {page: n for n, page in enumerate(pages)}
    content = {
        "pages": list(pages.items()),
        "sections": [
            [number[page], anchor, title] for (page, anchor), title in sections.items()
        ],
        "paragraphs": [
            [int(section), p.text]
            for section, p in zip(index.sections, index.paragraphs, strict=True)
        ],
        "mean": base64_of(index.mean),
        "axes": base64_of(np.round(index.axes / step).astype(np.int16)),
        "step": float(step),
        "vectors": base64_of(index.vectors),
    }
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    file = gzip.compress(text.encode(), mtime=0)
    if len(file) > LARGEST:
        raise ValueError(f"the search takes {len(file):,} bytes; at most {LARGEST:,}")
    return file


def base64_of(array):
    little = array.astype(array.dtype.newbyteorder("<"))
    return base64.b64encode(little.tobytes()).decode()
