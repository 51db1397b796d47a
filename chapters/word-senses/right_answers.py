"""Right answers of the chapter in forms that nobody thinks of first."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pandas as pd
import torch
from sklearn.metrics.pairwise import cosine_similarity

from helpers.datasets import load_coarse_wsd
from helpers.embeddings import embed_words
from helpers.senses import nearest_sense, sense_centroids, unit


def right_1(names):
    def scores(labels):
        counts = np.unique(labels, return_counts=True)[1]
        share = counts.max() / counts.sum()
        return share, 2 * share / (1 + share) / len(counts)

    yield lambda labels: np.float32(scores(labels))
    yield lambda labels: torch.tensor(scores(labels))
    yield lambda labels: tuple(map(torch.tensor, scores(labels)))
    yield lambda labels: tuple(map(np.array, scores(labels)))
    yield lambda labels: pd.Series(scores(labels), ["accuracy", "macro_f1"])
    yield lambda labels: tuple(map(str, scores(labels)))
    yield lambda labels: [round(number, 3) for number in scores(labels)]
    yield lambda labels: iter(scores(labels))

    def exact(labels):
        counts = Counter(np.asarray(labels).tolist())
        share = Fraction(max(counts.values()), len(labels))
        return share, 2 * share / (1 + share) / len(counts)

    yield exact

    def sense_by_sense(labels):
        senses, counts = np.unique(labels, return_counts=True)
        answer = senses[counts.argmax()]
        f1 = []
        for sense in senses:
            found = ((labels == sense) & (answer == sense)).sum()
            wrong = ((labels == sense) != (answer == sense)).sum()
            f1.append(2 * found / (2 * found + wrong))
        return (labels == answer).mean(), np.mean(f1)

    yield sense_by_sense


def right_2(names):
    bert, word = names["bert"], "crane"
    train, test = load_coarse_wsd(word, "train"), load_coarse_wsd(word, "test")
    learn, judge = (
        embed_words(bert, frame.sentence, frame.word_pos, "all")
        for frame in (train, test)
    )

    def accuracy(k, mix):
        given = nearest_sense(
            mix(learn[:, -k:], axis=1), train.sense, mix(judge[:, -k:], axis=1)
        )
        return float((given == test.sense.to_numpy()).mean())

    def lead(k, mix):
        names, centroids = sense_centroids(mix(learn[:, -k:], axis=1), train.sense)
        near = cosine_similarity(mix(judge[:, -k:], axis=1), centroids)
        leads = []
        for cosines, sense in zip(near, test.sense, strict=True):
            by_name = dict(zip(names, cosines, strict=True))
            leads.append(by_name.pop(sense) - max(by_name.values()))
        return float(np.mean(leads))

    def answer(form, mix=np.mean):
        ks = (4, 1, 2, 3)
        return {
            "word": word,
            "accuracy": {k: form(accuracy(k, mix)) for k in ks},
            "lead": {k: form(lead(k, mix)) for k in ks},
        }

    yield answer(float, np.sum)  # as far apart, by the cosine
    yield answer(torch.tensor)
    yield answer(np.array)
    yield answer(Fraction)
    yield answer(lambda share: round(share, 4))
    yield answer(lambda share: f"{share:.4f}")
    plain = answer(np.float32)
    shares, leads = plain["accuracy"], pd.Series(plain["lead"])
    yield {"word": np.str_(word), "accuracy": pd.Series(shares), "lead": leads}
    yield plain | {"accuracy": {np.int64(k): shares[k] for k in shares}}


def right_3(names):
    bert, train = names["bert"], load_coarse_wsd("crane", "train")
    rows = embed_words(bert, train.sentence, train.word_pos, (-1,))
    sentence = "The harbour Crane flew over the marsh , said the bird watcher"
    words = sentence.lower().split()
    own = embed_words(bert, [words], [words.index("crane")], (-1,))
    predicted = nearest_sense(rows, train.sense, own)[0]
    cosines = unit(rows) @ unit(own)[0]
    nearest = cosines.argsort()[::-1][:3]
    answer = {"word": "crane", "sentence": f"  {sentence} "}
    answer["sense"] = next(s for s in train.sense.unique() if s != predicted)
    yield answer | {"nearest": nearest[[2, 0, 1]]}
    yield answer | {"nearest": torch.tensor(cosines).topk(3).indices}
    yield answer | {"nearest": train.index[nearest]}
    yield answer | {"nearest": pd.Series(cosines).nlargest(3).index}
    yield answer | {"nearest": set(nearest.tolist())}
    yield answer | {"nearest": [str(row) for row in nearest]}
    yield answer | {"nearest": (float(row) for row in nearest)}
    yield answer | {"nearest": nearest[None]}
    yield answer | {"nearest": tuple(nearest), "sense": np.str_(answer["sense"])}
