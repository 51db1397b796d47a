"""Pairs of words for analogies on a learned table, and how arrows are compared."""

import numpy as np

from helpers.senses import unit

SHOWN = (  # six of each, whose names leave each other room in the picture
    "stockholm sweden paris france berlin germany madrid spain tokyo japan moscow"
    " russia",
    "had has went goes came comes took takes gave gives made makes",
)
LEARNED = {
    "capital": "stockholm sweden cairo egypt paris france berlin germany rome"
    " italy madrid spain tokyo japan moscow russia athens greece",
    "past": "had has was is did does went goes came comes took takes gave gives"
    " said says made makes knew knows",
    "woman": "king queen man woman boy girl father mother son daughter uncle"
    " aunt brother sister husband wife prince princess",
    "plural": "cat cats dog dogs house houses car cars book books tree trees"
    " river rivers bird birds road roads",
    "more": "big bigger small smaller old older fast faster slow slower high"
    " higher strong stronger cold colder long longer",
    "opposite": "hot cold big small long short high low rich poor fast slow"
    " strong weak young old happy sad light dark",
    "workplace": "teacher school doctor hospital judge court priest church"
    " farmer farm sailor ship soldier army actor theater",
    "doer": "teach teacher work worker play player write writer drive driver"
    " sing singer paint painter farm farmer lead leader",
}


def as_pairs(text):
    """'a b c d' -> [('a', 'b'), ('c', 'd')]"""
    return list(zip(text.split()[::2], text.split()[1::2], strict=True))


def table_of(bert):
    """The model's input embeddings as an array: (pieces, hidden)."""
    return bert.model.embeddings.word_embeddings.weight.detach().cpu().numpy()


def whole_words(bert):
    """The pieces that are whole words, and their ids."""
    pieces = bert.tokenizer.convert_ids_to_tokens(range(len(bert.tokenizer)))
    ids = [
        i
        for i, piece in enumerate(pieces)
        if piece.isascii() and piece.isalpha() and len(piece) > 1
    ]
    return [pieces[i] for i in ids], ids


def arrow_cosines(vectors, pairs, row):
    """The cosines of all arrows a -> b of some pairs with each other."""
    a, b = unit(vectors)[np.array([[row[a], row[b]] for a, b in pairs]).T]
    return unit(b - a) @ unit(b - a).T


def same_way(vectors, pairs, row):
    """For each pair: mean cosine of its arrow with the others'."""
    others = arrow_cosines(vectors, pairs, row).sum(axis=1) - 1
    return others / (len(pairs) - 1)


def shuffled(pairs):
    """The same words, each a with the next b, the one after it, ..."""
    a, b = zip(*pairs, strict=True)
    return [list(zip(a, b[k:] + b[:k], strict=True)) for k in range(1, len(b))]


def questions(pairs, row):
    """Rows of a, b, c, d for a : b = c : d, for each two pairs: (questions, 4)."""
    return np.array(
        [
            [row[word] for word in (a, b, c, d)]
            for a, b in pairs
            for c, d in pairs
            if a != c
        ]
    )


def best(scores, asked, exclude=True):
    """The best word of each question; with `exclude` never a, b or c."""
    if exclude:
        scores = scores.copy()
        np.put_along_axis(scores, asked[:, :3], -np.inf, axis=1)
    return scores.argmax(axis=1)
