"""Right answers by other ways than the solutions."""

import numpy as np

from helpers.exercises.checks import mistakes_of


def right_1(names):
    right = mistakes_of("inputs.1").truth()
    yield right | {"mask": np.array(right["mask"]) > 0}


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


def right_2(names):
    yield _level_by_level


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
