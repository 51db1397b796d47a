"""Right answers by other ways than the solutions: places, scores, counts."""

import numpy as np
import pandas as pd
import torch

SPECIAL = ["[CLS]", "[SEP]", "[PAD]"]


def right_1(names):
    yield lambda att, layer, head, i: torch.as_tensor(att)[layer, head, i].argmax()
    yield lambda att, layer, head, i: np.array([att[layer, head, i].argmax()])
    yield lambda att, layer, head, i: str(att[layer, head, i].argmax())
    yield lambda att, layer, head, i: pd.Series(att[layer, head, i]).idxmax()
    yield lambda att, layer, head, i: torch.tensor(att[layer, head, i]).topk(1).indices
    yield lambda att, layer, head, i: np.argsort(-att[layer][head][i])[0]

    def in_place(attention, layer, head, token):
        attention *= 2
        return max(range(attention.shape[-1]), key=attention[layer, head, token].item)

    yield in_place


def right_2(names):
    def follows(tokens):
        word = ~np.isin(tokens, SPECIAL)
        return word[1:] & word[:-1]

    def by_diagonal(attention, tokens):
        return np.diagonal(attention, -1, 2, 3)[..., follows(tokens)].mean(axis=-1)

    def by_matrix(attention, tokens):
        word = ~np.isin(tokens, SPECIAL)
        targets = np.eye(len(tokens), k=-1) * np.outer(word, word)
        return np.einsum("lhij,ij->lh", attention, targets) / targets.sum()

    def in_place(attention, tokens):
        attention[:, :, np.isin(tokens, SPECIAL)] = 0
        attention[..., np.isin(tokens, SPECIAL)] = 0
        return np.diagonal(attention, -1, 2, 3).sum(-1) / follows(tokens).sum()

    def one_layer_at_a_time(attention, tokens):
        places = 1 + np.flatnonzero(follows(tokens))
        for layer in attention:
            yield [float(np.mean([head[i, i - 1] for i in places])) for head in layer]

    yield by_diagonal
    yield by_matrix
    yield in_place
    yield one_layer_at_a_time


def right_3(names):
    yield lambda a: torch.exp(torch.special.entr(torch.tensor(a)).sum(-1))
    yield lambda a: 2 ** -(a * np.log2(a + (a == 0))).sum(-1)
    yield lambda a: np.prod((a + (a == 0)) ** -a, axis=-1)
    yield lambda a: np.exp(-np.nan_to_num(a * np.log(a)).sum(-1))
    yield lambda a: np.exp(-(a * np.log(a + 1e-12)).sum(-1))
