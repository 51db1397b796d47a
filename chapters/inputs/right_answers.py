"""Right answers by other ways than the solutions."""

import functools

import numpy as np
import pandas as pd
import torch

from helpers.exercises.checks import mistakes_of


def right_1(names):
    right = mistakes_of("inputs.1").truth()
    segments, mask = right["segments"], right["mask"]
    yield right | {"segments": torch.tensor([segments]), "mask": np.array([mask])}
    yield right | {"mask": np.array(mask) > 0}
    yield right | {"segments": map(str, segments), "mask": (str(bit) for bit in mask)}


def _recursive(word, vocabulary):
    @functools.cache
    def best(start):
        if start == len(word):
            return ()
        found = []
        for end in range(start + 1, len(word) + 1):
            piece = ("##" if start else "") + word[start:end]
            if piece in vocabulary and (rest := best(end)) is not None:
                found.append((piece, *rest))
        return min(found, key=len, default=None)

    return best(0) or ("[UNK]",)


def _level_by_level(word, vocabulary):
    seen, level = {0}, [(0, [])]
    while level:
        following = []
        for start, pieces in level:
            for end in set(range(start + 1, len(word) + 1)) - seen:
                piece = ("##" if start else "") + word[start:end]
                if piece in vocabulary:
                    seen.add(end)
                    following.append((end, [*pieces, piece]))
                    if end == len(word):
                        return following[-1][1]
        level = following
    return ["[UNK]"]


class _Spelling:
    def __call__(self, word, vocabulary):
        yield from _recursive(word, vocabulary)


def right_2(names):
    yield _recursive
    yield _level_by_level
    yield _Spelling()


def right_3(names):
    tokenize = names["bert"].tokenizer.tokenize
    texts = [
        f"{start}, and the keeper of the lighthouse wrote it down,\nfor he was alone "
        "with  the sea; nobody else had seen it pass"
        for start in ("Endocarditis", "A ship came by", "Es regnete in Strömen")
    ]
    values = [len(tokenize(text)) / len(text.split()) for text in texts]
    answer = {"texts": texts, "fertility": values}
    yield answer
    yield answer | {"fertility": [f"{value:.3f}" for value in values]}
    yield answer | {"texts": pd.Series(texts)}
    yield answer | {"fertility": [np.array(value, np.float32) for value in values]}
