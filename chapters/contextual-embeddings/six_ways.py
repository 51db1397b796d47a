"""Training and testing the six ways of "Contextual embeddings" on word senses."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import torch
from torch import nn

from helpers.senses import majority


@dataclass(frozen=True)
class Task:
    """The senses of the twenty words, a list of two in each field: train and test.

    states: (n, layers + 1, hidden). senses: n numbers. allowed: (n, senses), True for
    the senses of an occurrence's own word. test: the rows of the test.
    """

    states: list
    senses: list
    allowed: list
    test: pd.DataFrame
    n_senses: int


def task(parts, vectors):
    """parts: train and test. vectors: of their words, divided by each layer's size."""
    scale = np.sqrt((vectors[0] ** 2).mean(axis=(0, 2), keepdims=True))
    named = [part.word + " " + part.sense for part in parts]
    names = sorted(set(named[0]))
    number = {name: i for i, name in enumerate(names)}
    words = np.array([name.split()[0] for name in names])
    return Task(
        [torch.tensor(of / scale) for of in vectors],
        [torch.tensor(labels.map(number).to_numpy()) for labels in named],
        [torch.tensor(part.word.to_numpy()[:, None] == words) for part in parts],
        parts[1],
        len(names),
    )


def fit(model, task, decay=1e-3):
    """Train a model on the first part, with at most a hundred steps of L-BFGS."""
    optimizer = torch.optim.LBFGS(
        model.parameters(), max_iter=100, line_search_fn="strong_wolfe"
    )

    def loss():
        loss = nn.functional.cross_entropy(_scores(model, task, 0), task.senses[0])
        loss = loss + decay * model.classifier.weight.square().sum()
        optimizer.zero_grad()
        loss.backward()
        return loss

    optimizer.step(loss)
    return model


@torch.no_grad()
def right_by_word(model, task):
    """Accuracy on the second part, one number a word."""
    right = _scores(model, task, 1).argmax(dim=1) == task.senses[1]
    return by_word(right.numpy(), task.test)


def _scores(model, task, part):
    return model(task.states[part]).masked_fill(~task.allowed[part], -1e9)


def by_word(right, test):
    return pd.Series(np.asarray(right) * 1.0).groupby(test.word).mean()


def most_common(train, test):
    """The accuracy of the commonest sense in `train`, one number a word."""
    commonest = train.groupby("word").label.agg(lambda s: majority(s, 1)[0])
    return by_word(test.word.map(commonest) == test.label, test)
