"""Right answers of the chapter in forms that nobody thinks of first."""

from decimal import Decimal
from types import MappingProxyType

import numpy as np
import pandas as pd
import torch
from scipy.special import log_softmax, softmax
from transformers import AlbertConfig, AlbertModel


def right_1(names):
    def count(v, e, h, i, p):
        tables = (v + p + 2 + 2) * e
        return (
            tables + (e + 1) * h + 5 * h * (h + 1) + h * (i + 1) + i * (h + 1) + 4 * h
        )

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

    yield count
    yield of_a_model
    yield of_shapes
    yield lambda *sizes: torch.tensor(count(*sizes))
    yield lambda *sizes: np.array([count(*sizes)])
    yield lambda *sizes: float(count(*sizes))
    yield lambda *sizes: str(count(*sizes))
    yield lambda *sizes: pd.Series([count(*sizes)])
    yield lambda *sizes: Decimal(count(*sizes))


def right_2(names):
    def in_scipy(student, teacher, temperature):
        log_p = log_softmax(teacher.numpy().astype(float) / temperature, axis=1)
        log_q = log_softmax(student.numpy().astype(float) / temperature, axis=1)
        p = softmax(teacher.numpy() / temperature, axis=1)
        return np.mean(np.sum(p * (log_p - log_q), axis=1)) * temperature**2

    def by_cross_entropy(student, teacher, temperature):
        p = (teacher / temperature).softmax(-1)
        with_student = torch.nn.functional.cross_entropy(student / temperature, p)
        own = torch.nn.functional.cross_entropy(teacher / temperature, p)
        return (with_student - own) * temperature**2

    def row_by_row(student, teacher, temperature):
        total = 0
        for s, t in zip(student / temperature, teacher / temperature, strict=True):
            log_p, log_q = t - t.logsumexp(0), s - s.logsumexp(0)
            total += float(log_p.exp() @ (log_p - log_q))
        return temperature * temperature * total / len(student)

    yield in_scipy
    yield by_cross_entropy
    yield row_by_row
    yield lambda *given: np.array([in_scipy(*given)])
    yield lambda *given: [by_cross_entropy(*given)]
    yield lambda *given: f"{in_scipy(*given):.6f}"
    yield lambda *given: np.float32(in_scipy(*given))
    yield lambda *given: pd.Series([in_scipy(*given)])
    yield lambda *given: round(float(in_scipy(*given)), 3)


def right_3(names):
    def cost(rate, price):
        return 1_000_000 / rate / 3600 * price

    sizes = {"words": (20_000, 0.1), "encoder": (100, 0.1), "writer": (2, 3.0)}
    candidates = {
        name: {"rate": rate, "price": price, "million": cost(rate, price)}
        for name, (rate, price) in sizes.items()
    }
    answer = {
        "candidates": candidates,
        "chosen": "encoder",
        "why": "It is cheap enough, stays in the house and is the one that we tried.",
    }

    def changed(change):
        return answer | {"candidates": {n: change(c) for n, c in candidates.items()}}

    yield answer
    yield changed(lambda own: own | {"million": round(own["million"], 3)})
    yield changed(lambda own: own | {"million": f"{own['million']:.4f}"})
    yield changed(lambda own: own | {"rate": torch.tensor(own["rate"])})
    yield changed(lambda own: own | {"price": np.array(own["price"])})
    yield changed(lambda own: own | {"where": "measured on this page"})
    yield changed(pd.Series)
    yield answer | {"candidates": pd.DataFrame(candidates)}
    yield answer | {"candidates": MappingProxyType(candidates)}
    yield answer | {"candidates": pd.DataFrame(candidates).T}
    yield changed(lambda own: {k: Decimal(str(value)) for k, value in own.items()})
    printed = {"rate": round(10.4), "price": 1, "million": round(cost(10.4, 1), 2)}
    yield answer | {"candidates": candidates | {"as printed": printed}}
    free = {"rate": 5, "price": 0, "million": 0}
    yield answer | {"candidates": candidates | {"a friend": free}}
