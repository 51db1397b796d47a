"""Right answers of the chapter in forms that nobody thinks of first."""

import numpy as np
import pandas as pd
import torch

from helpers.attention import heads_off


def right_1(names):
    yield lambda att, layer, head, i: torch.as_tensor(att)[layer, head, i].argmax()
    yield lambda att, layer, head, i: np.array([att[layer, head, i].argmax()])
    yield lambda att, layer, head, i: str(att[layer, head, i].argmax())
    yield lambda att, layer, head, i: float(att[layer, head, i].argmax())
    yield lambda att, layer, head, i: pd.Series(att[layer, head, i]).idxmax()
    yield lambda att, layer, head, i: torch.tensor(att[layer, head, i]).topk(1).indices
    yield lambda att, layer, head, i: np.argsort(-att[layer][head][i])[0]

    def in_place(attention, layer, head, token):
        attention *= 2
        return max(range(attention.shape[-1]), key=attention[layer, head, token].item)

    yield in_place

    def generator(attention, layer, head, token):
        yield int(attention[layer, head, token].argmax())

    yield generator


def right_2(names):
    special = ["[CLS]", "[SEP]", "[PAD]"]

    def follows(tokens):
        word = ~np.isin(tokens, special)
        return word[1:] & word[:-1]

    def score(attention, tokens):
        return np.diagonal(attention, -1, 2, 3)[..., follows(tokens)].mean(axis=-1)

    yield score
    yield lambda a, t: torch.tensor(score(a, t))
    yield lambda a, t: score(a, t).tolist()
    yield lambda a, t: pd.DataFrame(score(a, t).astype("float32"))
    yield lambda a, t: score(a, t).round(3)
    yield lambda a, t: [torch.tensor(row) for row in score(a, t)]

    def by_matrix(attention, tokens):
        word = ~np.isin(tokens, special)
        targets = np.eye(len(tokens), k=-1) * np.outer(word, word)
        return np.einsum("lhij,ij->lh", attention, targets) / targets.sum()

    yield by_matrix

    def in_place(attention, tokens):
        attention[:, :, np.isin(tokens, special)] = 0
        attention[..., np.isin(tokens, special)] = 0
        return np.diagonal(attention, -1, 2, 3).sum(-1) / follows(tokens).sum()

    yield in_place

    def generator(attention, tokens):
        places = 1 + np.flatnonzero(follows(tokens))
        for layer in attention:
            yield [float(np.mean([head[i, i - 1] for i in places])) for head in layer]

    yield generator


def right_3(names):
    bert, measure = names["bert"], names["word_log_probability"]
    sentence, word, head = "they put the [MASK] into the box .", "book", (1, 0)
    heads = [(i, j) for i in range(bert.n_layers) for j in range(bert.n_heads)]
    others = [other for other in heads if other != head][-10:]

    def change(other):
        intact = measure(sentence, word)
        with heads_off(bert, [other]):
            return measure(sentence, word) - intact

    own, changes = change(head), np.array([change(other) for other in others])
    answer = {"sentence": sentence, "word": word, "head": head, "change": own}
    answer |= {"others": others, "other_changes": changes}
    order = changes.argsort()
    yield answer | {"head": list(head), "others": np.array(others)}
    yield answer | {"head": np.array(head), "others": pd.DataFrame(others)}
    yield answer | {"change": torch.tensor(own), "other_changes": torch.tensor(changes)}
    yield answer | {"change": round(own, 3), "other_changes": changes.round(3)}
    yield answer | {"change": str(own), "other_changes": map(str, changes)}
    yield answer | {"change": np.array([own]), "other_changes": pd.Series(changes)}
    yield answer | {"change": np.float32(own), "others": map(torch.tensor, others)}
    yield answer | {
        "others": [others[i] for i in order],
        "other_changes": sorted(changes),
    }
    yield pd.Series(answer)
