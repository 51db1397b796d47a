"""Right answers in forms that nobody thinks of first."""

import functools

import numpy as np
import pandas as pd
import torch

PIECES = "[CLS] who wrote it ? [SEP] she did . [SEP] [PAD] [PAD]".split()
SEGMENTS, MASK = [0] * 6 + [1] * 4 + [0] * 2, [1] * 10 + [0] * 2


def _encoded(pieces=PIECES, segments=SEGMENTS, mask=MASK):
    return {"pieces": pieces, "segments": segments, "mask": mask}


def right_1(names):
    yield _encoded(np.array(PIECES), np.array(SEGMENTS), np.array(MASK) > 0)
    yield _encoded(tuple(PIECES), torch.tensor(SEGMENTS), torch.tensor(MASK))
    yield _encoded(segments=torch.tensor([SEGMENTS]), mask=np.array([MASK]))
    yield _encoded(pd.Series(PIECES), pd.Series(SEGMENTS), pd.Series(MASK, dtype=float))
    yield _encoded(iter(PIECES), map(str, SEGMENTS), (str(bit) for bit in MASK))


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
    yield lambda word, vocabulary: np.array(_recursive(word, vocabulary))
    yield lambda word, vocabulary: pd.Series(_level_by_level(word, vocabulary))


def right_3(names):
    tokenize = names["bert"].tokenizer.tokenize
    texts = [
        f"{start}, and the keeper of the lighthouse wrote it down,\nfor he was alone "
        "with  the sea; nobody else had seen it pass"
        for start in ("Endocarditis", "A ship came by", "Es regnete in Strömen")
    ]
    values = [len(tokenize(text)) / len(text.split()) for text in texts]

    def answer(fertility, texts=texts):
        return {"texts": texts, "fertility": fertility}

    yield answer([round(value, 2) for value in values])
    yield answer([f"{value:.3f}" for value in values], tuple(texts))
    yield answer(torch.tensor(values), pd.Series(texts))
    yield answer([np.array(value, np.float32) for value in values])
    yield answer(pd.Series(values))
