"""What each step of "Your own domain" buys, on the tickets of each crew in turn.

Wrote data/results/own-domain.csv on 2026-11-26:

    python -m experiments.own_domain

One training a crew, on the tickets of the three others, and one on sixteen labels a
class.
A row says which crew judges, at which step, what was measured, and the number.
"""

import copy
import dataclasses

import numpy as np
import pandas as pd
import torch
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from torch.nn.functional import cross_entropy, normalize

from chapters.your_own_domain.texts import (
    CREWS,
    KINDS,
    TICKETS,
    everyday,
    labelled,
    passages,
    phrases,
    sixteen,
)
from experiments.results_table import RESULTS, write_table
from experiments.spam_filters import untrained
from helpers.corpus.masking import mask_tokens
from helpers.models import load_bert
from helpers.spam import encode, frozen_features, pad
from helpers.training import batches, train

STEPS, PAIR_STEPS = 80, 30
RATE = 2e-4  # as on the page


@torch.inference_mode()
def surprise(bert, mlm, texts, draws):
    """Return the mean loss of hidden pieces, 15 in a hundred hidden at each draw."""
    total = []
    for seed in range(draws):
        draw = torch.Generator().manual_seed(seed)
        for at in range(0, len(texts), 50):
            batch = pad(bert, encode(bert, texts[at : at + 50]))
            ids, mask = batch["input_ids"], bert.tokenizer.mask_token_id
            labels = mask_tokens(ids, bert.tokenizer, generator=draw)[1]
            hidden = labels != -100
            batch["input_ids"] = torch.where(hidden, mask, ids)
            states = mlm.bert(**batch.to(bert.device)).last_hidden_state[hidden]
            truth = labels[hidden].to(bert.device)
            total.append(cross_entropy(mlm.cls(states), truth, reduction="none").cpu())
    return torch.cat(total).mean().item()


class MaskedLoss(torch.nn.Module):
    """The loss of a masked-word model, its scores made for hidden pieces alone."""

    def __init__(self, mlm):
        super().__init__()
        self.mlm = mlm

    def forward(self, labels, **batch):
        hidden = labels != -100
        states = self.mlm.bert(**batch).last_hidden_state[hidden]
        return {"loss": cross_entropy(self.mlm.cls(states), labels[hidden])}


def adapt(bert, texts, steps, seed=0, old=(), **options):
    """Go on with masked words on texts; return the new masked-word model.

    old: texts of which eight are added to each batch of sixteen.
    """
    rows, known = encode(bert, texts), encode(bert, list(old)) if old else []
    plan = batches(len(rows), 16, 1 + 16 * steps // len(rows), seed)

    def batch_at(step):
        draw = torch.Generator().manual_seed(1000 * seed + step)
        more = torch.randint(len(known), (8,), generator=draw) if known else []
        batch = pad(bert, [rows[i] for i in plan[step]] + [known[i] for i in more])
        batch["input_ids"], labels = mask_tokens(
            batch["input_ids"], bert.tokenizer, generator=draw
        )
        return {**batch, "labels": labels}

    mlm = copy.deepcopy(bert.mlm).requires_grad_(True)
    train(MaskedLoss(mlm), batch_at, steps, RATE, warmup=0.1, seed=seed, **options)
    return mlm


class PairLoss(torch.nn.Module):
    """Cosines of all pairs of a batch: 1 for texts of a class, 0 for others."""

    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder

    def forward(self, kinds, **batch):
        mask = batch["attention_mask"][..., None]
        states = self.encoder(**batch).last_hidden_state
        vectors = normalize((states * mask).sum(1) / mask.sum(1), dim=-1)
        pairs = torch.triu_indices(len(kinds), len(kinds), 1)
        same = (kinds[pairs[0]] == kinds[pairs[1]]).float()
        cosine = (vectors[pairs[0]] * vectors[pairs[1]]).sum(-1)
        return {"loss": (cosine - same).square().mean()}


def by_pairs(bert, texts, kinds, steps, seed=0):
    """Train a copy of the encoder on pairs; return a Bert with it."""
    rows, kinds = encode(bert, texts), torch.tensor(np.asarray(kinds))
    plan = batches(len(rows), 16, 1 + 16 * steps // len(rows), seed)

    def batch_at(step):
        return {**pad(bert, [rows[i] for i in plan[step]]), "kinds": kinds[plan[step]]}

    encoder = copy.deepcopy(bert.model).requires_grad_(True)
    train(PairLoss(encoder), batch_at, steps, RATE / 2, warmup=0.1, seed=seed)
    return dataclasses.replace(bert, model=encoder.eval())


def on_vectors(learn, judge, answers):
    model = make_pipeline(StandardScaler(), LogisticRegression(C=0.01, max_iter=2000))
    if answers.ndim > 1:
        model = OneVsRestClassifier(model)
    return model.fit(learn, answers).predict(judge)


def of_crew(bert, rows, crew, seed=0):
    """Return [(step, what, number)] with the tickets of `crew` as the judge."""
    home = (rows.crew == crew).to_numpy()
    table, texts = rows[KINDS].to_numpy(), rows.text.to_numpy()
    sets = {
        "tickets": (texts[home][:200].tolist(), 1),
        "new phrases": (phrases(TICKETS, crew), 6),
        "everyday": (passages(), 2),
    }
    found = []

    def watch(model, step, way):
        for name, (some, draws) in sets.items():
            found.append((step, name + way, surprise(bert, model, some, draws)))
            print(crew, found[-1], flush=True)
        return {}

    watch(bert.mlm, 0, "")
    ways = {}
    for way, old in [("", []), (", mixed", everyday())]:
        turns = iter(range(20, STEPS + 20, 20))
        ways[way] = adapt(
            bert,
            texts[~home].tolist(),
            STEPS,
            seed,
            old,
            evaluate=lambda model, t=turns, w=way: watch(model.mlm, next(t), w),
            every=20,
            progress=False,
        )
    blank = untrained(bert, seed)
    adapted = dataclasses.replace(bert, model=ways[", mixed"].bert.eval())
    some, judge = (part.index.to_numpy() for part in sixteen(rows, crew, seed))
    kinds = table.argmax(1)
    for name, one in {"frozen": bert, "adapted": adapted, "random": blank}.items():
        if name != "random":
            vectors = frozen_features(one, texts)[1]
            said = on_vectors(vectors[~home], vectors[home], table[~home])
            found.append(
                (0, f"F1, {name}", f1_score(table[home], said, average="micro"))
            )
            right = (
                on_vectors(vectors[some], vectors[judge], kinds[some]) == kinds[judge]
            )
            found.append((0, f"sixteen, {name}", right.mean()))
        if name == "adapted":
            continue
        paired = by_pairs(one, texts[some], kinds[some], PAIR_STEPS, seed)
        pair = [frozen_features(paired, texts[at])[1] for at in (some, judge)]
        right = on_vectors(*pair, kinds[some]) == kinds[judge]
        found.append((0, f"sixteen, {name}, pairs", right.mean()))
    words = make_pipeline(TfidfVectorizer(), LogisticRegression(C=10, max_iter=2000))
    right = words.fit(texts[some], kinds[some]).predict(texts[judge]) == kinds[judge]
    found.append((0, "sixteen, words", right.mean()))
    print(crew, found[-8:], flush=True)
    return found


def main():
    bert, rows = load_bert(), labelled()
    made = [(crew, *one) for crew in CREWS for one in of_crew(bert, rows, crew)]
    table = pd.DataFrame(made, columns=["crew", "step", "what", "value"])
    about = ["made by: python -m experiments.own_domain"]
    write_table(RESULTS / "own-domain.csv", table, about)


if __name__ == "__main__":
    main()
