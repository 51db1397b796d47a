"""Right answers by other ways than the solutions: places, scores, counts."""

import numpy as np
import torch

SPECIAL = ["[CLS]", "[SEP]", "[PAD]"]


def right_1(names):
    yield lambda att, layer, head, i: np.argsort(-att[layer][head][i])[0]


def right_2(names):

    def by_matrix(attention, tokens):
        word = ~np.isin(tokens, SPECIAL)
        targets = np.eye(len(tokens), k=-1) * np.outer(word, word)
        return np.einsum("lhij,ij->lh", attention, targets) / targets.sum()

    yield by_matrix


def right_3(names):
    yield lambda a: torch.exp(torch.special.entr(torch.tensor(a)).sum(-1))
    yield lambda a: np.prod((a + (a == 0)) ** -a, axis=-1)
    yield lambda a: np.exp(-(a * np.log(a + 1e-12)).sum(-1))
