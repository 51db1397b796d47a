"""What is read in "Encoders today", in batches, and what reading costs here."""

import numpy as np
import pandas as pd
import torch
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

from helpers.datasets import coarse_wsd_words
from helpers.senses import load_parts
from helpers.verdicts import in_turn


def sentences():
    """Two hundred sentences of twenty words: the rows, and their texts."""
    rows = pd.concat(
        [load_parts(word, most=10)[0].assign(word=word) for word in coarse_wsd_words()]
    )
    return rows, rows.sentence.map(" ".join).tolist()


def counting(texts, words):
    """A function that classifies texts by counted words."""
    vectorizer = TfidfVectorizer().fit(texts)
    linear = LogisticRegression().fit(vectorizer.transform(texts), words)
    return lambda some: linear.predict(vectorizer.transform(some))


def batches(bert, texts, size=16):
    """Yield the texts' pieces, `size` texts at a time, padded to the longest."""
    options = dict(padding=True, truncation=True, return_tensors="pt")
    for start in range(0, len(texts), size):
        yield bert.tokenizer(texts[start : start + size], **options)


def pieces(bert, texts, size=16):
    """Return how many pieces the texts have, and how many with padding."""
    counts = [
        (int(batch.attention_mask.sum()), batch.input_ids.numel())
        for batch in batches(bert, texts, size)
    ]
    return tuple(map(sum, zip(*counts, strict=True)))


@torch.inference_mode()
def read(bert, texts, model=None, size=16):
    """Let a model, or the running one, read texts in batches."""
    model = model or bert.model
    for batch in batches(bert, texts, size):
        mask = batch.attention_mask.to(bert.device)
        model(batch.input_ids.to(bert.device), attention_mask=mask)


def by_length(bert, texts):
    return sorted(texts, key=lambda text: len(bert.tokenizer(text).input_ids))


def costs_here(bert, texts, count_words):
    """What the calculator starts from: this encoder's work, a writer of a billion."""
    own = sum(p.numel() for p in bert.model.encoder.parameters())
    ordered = by_length(bert, texts)
    (real, done), (_, mixed) = pieces(bert, ordered), pieces(bert, texts)
    ways = {"count": lambda: count_words(texts), "read": lambda: read(bert, ordered)}
    taken = {name: np.median(each) for name, each in in_turn(ways, 2).items()}
    return {
        "texts": 1e6,
        "pieces": real / len(texts),
        "encoder": own,
        "writer": 1e9,
        "instruction": 100,
        "answer": 5,
        "price": 1,
        "speed": done * own / taken["read"],
        "words": len(texts) / taken["count"],
        "padding": 1 - real / mixed,
        "padding_sorted": 1 - real / done,
    }
