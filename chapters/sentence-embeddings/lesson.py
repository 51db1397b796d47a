"""The small language from which a network learns to compare, and the search by words.

A program makes the sentences, so that it is known which of them mean the same.
"""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import torch
from scipy.stats import rankdata
from sklearn.feature_extraction.text import CountVectorizer
from transformers import BertConfig, BertModel

from helpers import DATA

PEOPLE, VERBS, PLACES = [
    [synonyms.split("/") for synonyms in line.split()]
    for line in (DATA / "synonyms.txt").read_text("utf-8").splitlines()
]
LISTS = (["the"], ["near"], *PEOPLE, *VERBS, *PLACES)
PIECES = {word: i for i, word in enumerate(w for words in LISTS for w in words)}
DRAWS = 5000


def draw_event(rng):
    """An event: the numbers of who, does what, whom and where."""
    who, whom = rng.choice(len(PEOPLE), 2, replace=False)
    return who, rng.integers(len(VERBS)), whom, rng.integers(len(PLACES))


def turned(event):
    """The event with the two people exchanged."""
    who, verb, whom, place = event
    return whom, verb, who, place


def wordings(event, n, rng):
    """n different sentences of eight words that all tell the event."""
    texts = {}  # keeps their order
    while len(texts) < n:
        said = zip((PEOPLE, VERBS, PEOPLE, PLACES), event, strict=True)
        who, verb, whom, place = [rng.choice(words[i]) for words, i in said]
        parts = [f"the {who} {verb} the {whom}", f"near the {place}"]
        texts[" ".join(parts[:: rng.choice([1, -1])])] = True
    return list(texts)


def events(seed=0):
    """What is learned and what is asked.

    pairs: a table, first and second tell the same event. asked: 200 questions about
    events that no pair tells, not even with the people exchanged. answers: 400 texts,
    first the right one for each question, then for each the one that is turned.
    """
    rng = np.random.default_rng(seed)
    drawn = list(dict.fromkeys(draw_event(rng) for _ in range(650)))
    held, known = drawn[:200], drawn[200:]
    known += [turned(event) for event in known[::2]]
    unseen = {*held, *map(turned, held)}
    told = [(event, wordings(event, 6, rng)) for event in known if event not in unseen]
    rows = [(w[i], w[i + 3], event) for event, w in told for i in range(3)]
    pairs = pd.DataFrame(rows, columns=["first", "second", "event"])
    asked, answers = zip(*[wordings(event, 2, rng) for event in held], strict=True)
    answers += tuple(wordings(turned(event), 1, rng)[0] for event in held)
    return SimpleNamespace(pairs=pairs, asked=asked, answers=answers)


def raw_encoder(seed):
    """A BERT of two layers, 64 wide, with random weights."""
    torch.manual_seed(seed)
    sizes = BertConfig(
        vocab_size=len(PIECES),
        hidden_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=128,
        initializer_range=0.1,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
    )
    return BertModel(sizes, add_pooling_layer=False)


def embed(encoder, texts):
    """Means of the last layer, (n, 64); all sentences have eight words."""
    ids = [[PIECES[word] for word in text.split()] for text in texts]
    return encoder(torch.tensor(ids)).last_hidden_state.mean(dim=1)


@torch.inference_mode()
def ask(encoder, asked, answers):
    """Cosines of the questions with the answers: (asked, answers)."""
    u, v = [
        torch.nn.functional.normalize(embed(encoder, texts), dim=1)
        for texts in (asked, answers)
    ]
    return (u @ v.T).numpy()


def found_first(scores):
    """For each row: 1 if its own column is best, 1 / k in a tie of k."""
    best = np.isclose(scores, scores.max(axis=1, keepdims=True))
    return best.diagonal() / best.sum(axis=1)


def bm25(questions, texts, k=1.5, b=0.75):
    """Scores (questions, texts), higher for the better match."""
    counter = CountVectorizer(stop_words="english").fit(texts)
    words, query = [counter.transform(x).toarray() for x in (texts, questions)]
    n = (words > 0).sum(axis=0)  # texts with the word
    rarity = np.log(1 + (len(texts) - n + 0.5) / (n + 0.5))
    length = words.sum(axis=1, keepdims=True) / words.sum(axis=1).mean()
    norm = words + k * (1 - b + b * length)
    return query @ (rarity * words * (k + 1) / norm).T


def leads(grades, cosines, of="mean"):
    """How far one method leads each other: (low, high) over 5,000 redrawn samples.

    cosines: {method: (n,)}. The level is Bonferroni's for all the others together.
    """
    rows = np.random.default_rng(0).integers(len(grades), size=(DRAWS, len(grades)))
    rho = {name: _spearman(grades[rows], c[rows]) for name, c in cosines.items()}
    out = 0.05 / (len(cosines) - 1) / 2
    return {
        name: tuple(np.quantile(rho[of] - r, [out, 1 - out]))
        for name, r in rho.items()
        if name != of
    }


def _spearman(a, b):
    """Correlation of the ranks of a and b, along their last axis."""
    a, b = [rankdata(x, axis=-1) for x in (a, b)]
    a, b = [x - x.mean(-1, keepdims=True) for x in (a, b)]
    return (a * b).sum(-1) / np.sqrt((a * a).sum(-1) * (b * b).sum(-1))
