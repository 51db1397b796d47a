"""What each step of "Your own domain" buys, on the tickets of each crew in turn.

Wrote data/results/own-domain.csv on 2026-11-26:

    python -m experiments.own_domain

One training a crew, on the tickets of the three others, and one on sixteen labels a
class. A row says which crew judges, at which step, what was measured, and the number.
"""

import copy
import dataclasses
from itertools import count

import pandas as pd
import torch
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from torch.nn.functional import cross_entropy, normalize

from chapters.your_own_domain import texts as page
from experiments.results_table import RESULTS, write_table
from experiments.spam_filters import untrained
from helpers.corpus.masking import IGNORED, mask_tokens
from helpers.models import load_bert
from helpers.spam import encode, frozen_features, pad
from helpers.training import batches, train

STEPS, LOOK, PAIR_STEPS = 80, 20, 30
RATE, SIZE = 2e-4, 16  # as on the page


class MaskedLoss(torch.nn.Module):
    """The loss of a masked-word model, its scores made for hidden pieces alone."""

    def __init__(self, mlm):
        super().__init__()
        self.mlm = mlm

    def forward(self, labels, reduction="mean", **batch):
        hidden = labels != IGNORED
        scores = self.mlm.cls(self.mlm.bert(**batch).last_hidden_state[hidden])
        return {"loss": cross_entropy(scores, labels[hidden], reduction=reduction)}


@torch.inference_mode()
def surprise(bert, mlm, texts, draws):
    """Return the mean loss of hidden pieces, 15 in a hundred hidden at each draw."""
    total = []
    for seed in range(draws):
        draw = torch.Generator().manual_seed(seed)
        for at in range(0, len(texts), 50):
            batch = pad(bert, encode(bert, texts[at : at + 50]))
            ids, mask = batch["input_ids"], bert.tokenizer.mask_token_id
            batch["labels"] = mask_tokens(ids, bert.tokenizer, generator=draw)[1]
            batch["input_ids"] = torch.where(batch["labels"] != IGNORED, mask, ids)
            loss = MaskedLoss(mlm)(reduction="none", **batch.to(bert.device))["loss"]
            total.append(loss.cpu())
    return torch.cat(total).mean().item()


def plan_of(rows, steps):
    return batches(len(rows), SIZE, 1 + SIZE * steps // len(rows), seed=0)


def adapt(bert, texts, old, watch):
    """Go on with masked words on texts; return the new masked-word model.

    old: texts of which eight are added to each batch. watch: is given the model and
    the step now and then.
    """
    rows, known = encode(bert, texts), encode(bert, old) if old else []
    plan, looks = plan_of(rows, STEPS), count(LOOK, LOOK)

    def batch_at(step):
        draw = torch.Generator().manual_seed(step)
        more = torch.randint(len(known), (8,), generator=draw) if known else []
        batch = pad(bert, [rows[i] for i in plan[step]] + [known[i] for i in more])
        batch["input_ids"], labels = mask_tokens(
            batch["input_ids"], bert.tokenizer, generator=draw
        )
        return {**batch, "labels": labels}

    def evaluate(model):
        watch(model.mlm, next(looks))
        return {}

    mlm = copy.deepcopy(bert.mlm).requires_grad_(True)
    options = {"evaluate": evaluate, "every": LOOK, "progress": False}
    train(MaskedLoss(mlm), batch_at, STEPS, RATE, warmup=0.1, **options)
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


def train_on_kinds(bert, model, texts, kinds, steps, rate, name):
    """Train a model on texts and the numbers of their kinds, which it calls `name`."""
    rows, kinds = encode(bert, texts), torch.tensor(kinds)
    plan = plan_of(rows, steps)

    def batch_at(step):
        return {**pad(bert, [rows[i] for i in plan[step]]), name: kinds[plan[step]]}

    train(model, batch_at, steps, rate, warmup=0.1, progress=False)


def by_pairs(bert, texts, kinds):
    """Return a Bert whose encoder has learned from pairs."""
    encoder = copy.deepcopy(bert.model).requires_grad_(True)
    loss = PairLoss(encoder)
    train_on_kinds(bert, loss, texts, kinds, PAIR_STEPS, RATE / 2, "kinds")
    return dataclasses.replace(bert, model=encoder.eval())


def on_vectors(learn, judge, answers):
    model = make_pipeline(StandardScaler(), LogisticRegression(C=0.01, max_iter=2000))
    if answers.ndim > 1:
        model = OneVsRestClassifier(model)
    return model.fit(learn, answers).predict(judge)


def masked_words(bert, rows, crew):
    """Return the model adapted with everyday texts, and [(step, what, number)]."""
    home, found = rows.text[rows.crew == crew].tolist(), []
    sets = {
        "tickets": (home[:200], 1),
        "new phrases": (page.phrases(page.TICKETS, crew), 6),
        "everyday": (page.passages(), 2),
    }
    for way, old in (("", []), (", mixed", page.everyday())):

        def watch(mlm, step, way=way):
            for name, given in sets.items():
                found.append((step, name + way, surprise(bert, mlm, *given)))
                print(crew, found[-1], flush=True)

        if not old:
            watch(bert.mlm, 0)
        mlm = adapt(bert, rows.text[rows.crew != crew].tolist(), old, watch)
    return dataclasses.replace(bert, model=mlm.bert.eval()), found


def few_labels(bert, adapted, rows, crew):
    """Yield (0, what, share or F1) of the tickets of `crew`."""
    home, texts = (rows.crew == crew).to_numpy(), rows.text.to_numpy()
    table = rows[page.KINDS].to_numpy()
    some, judge = (part.index.to_numpy() for part in page.sixteen(rows, crew))
    kinds = table.argmax(1)

    def right(said):
        return (said == kinds[judge]).mean()

    ways = {"frozen": bert, "adapted": adapted, "random": untrained(bert, 0)}
    for name, one in ways.items():
        if name != "random":
            vectors = frozen_features(one, texts)[1]
            said = on_vectors(vectors[~home], vectors[home], table[~home])
            yield 0, f"F1, {name}", f1_score(table[home], said, average="micro")
            said = on_vectors(vectors[some], vectors[judge], kinds[some])
            yield 0, f"sixteen, {name}", right(said)
        if name != "adapted":
            paired = by_pairs(one, texts[some], kinds[some])
            pair = [frozen_features(paired, texts[at])[1] for at in (some, judge)]
            yield 0, f"sixteen, {name}, pairs", right(on_vectors(*pair, kinds[some]))
    words = make_pipeline(TfidfVectorizer(), LogisticRegression(C=10, max_iter=2000))
    said = words.fit(texts[some], kinds[some]).predict(texts[judge])
    yield 0, "sixteen, words", right(said)


def main():
    bert, rows, made = load_bert(), page.labelled(), []
    for crew in page.CREWS:
        adapted, found = masked_words(bert, rows, crew)
        found += few_labels(bert, adapted, rows, crew)
        made += [(crew, *one) for one in found]
    table = pd.DataFrame(made, columns=["crew", "step", "what", "value"])
    about = ["made by: python -m experiments.own_domain"]
    write_table(RESULTS / "own-domain.csv", table, about)


if __name__ == "__main__":
    main()
