"""Right answers by other ways than the solutions: a size, a loss, a memo."""

import numpy as np
import pandas as pd
import torch
from transformers import AlbertConfig, AlbertModel

from helpers.exercises.checks import mistakes_of


def right_1(names):
    yield of_a_model
    yield of_shapes
    yield lambda *sizes: f"{of_shapes(*sizes):,}"


def of_a_model(v, e, h, i, p):
    config = AlbertConfig(
        vocab_size=v,
        embedding_size=e,
        hidden_size=h,
        intermediate_size=i,
        max_position_embeddings=p,
        num_attention_heads=1,
    )
    with torch.device("meta"):
        return AlbertModel(config).num_parameters()


def of_shapes(v, e, h, i, p):
    tables = [(v, e), (p, e), (2, e), (2, e), (e, h), (1, h)]
    layer = [(h, h), (1, h)] * 4 + [(h, i), (1, i), (i, h), (1, h), (4, h)]
    return np.prod(tables + layer + [(h, h), (1, h)], axis=1).sum()


def right_2(names):
    yield by_cross_entropy


def by_cross_entropy(student, teacher, temperature):
    p = (teacher / temperature).softmax(-1)
    with_student = torch.nn.functional.cross_entropy(student / temperature, p)
    own = torch.nn.functional.cross_entropy(teacher / temperature, p)
    return (with_student - own) * temperature**2


def right_3(names, answer):
    cost, candidates = mistakes_of("encoders-today.3").right, answer["candidates"]

    def changed(change):
        return answer | {"candidates": {n: change(c) for n, c in candidates.items()}}

    yield changed(lambda own: own | {"where": "measured on this page"})
    yield answer | {"candidates": pd.DataFrame(candidates).T}
    printed = {"rate": 10, "price": 1, "million": round(cost("", 10.4, 1), 2)}
    yield answer | {"candidates": candidates | {"as printed": printed}}
    free = {"rate": 5, "price": 0, "million": 0}
    yield answer | {"candidates": candidates | {"a friend": free}}
