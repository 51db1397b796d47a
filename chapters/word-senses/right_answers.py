"""Right answers of the chapter by other ways than the solutions."""

from collections import Counter
from fractions import Fraction

import numpy as np
from sklearn.metrics.pairwise import cosine_similarity

from helpers.datasets import load_coarse_wsd
from helpers.embeddings import embed_words
from helpers.senses import nearest_sense, sense_centroids, unit


def right_1(names):
    def exact(labels):
        counts = Counter(np.asarray(labels).tolist())
        share = Fraction(max(counts.values()), len(labels))
        return share, 2 * share / (1 + share) / len(counts)

    yield exact


def right_2(names):
    bert, word = names["bert"], "crane"
    train, test = load_coarse_wsd(word, "train"), load_coarse_wsd(word, "test")
    learn, judge = (
        embed_words(bert, frame.sentence, frame.word_pos, "all")
        for frame in (train, test)
    )

    def measured(k):
        """By sums, which the cosine takes for means."""
        known, judged = learn[:, -k:].sum(axis=1), judge[:, -k:].sum(axis=1)
        given = nearest_sense(known, train.sense, judged)
        names, centroids = sense_centroids(known, train.sense)
        leads = []
        for near, sense in zip(
            cosine_similarity(judged, centroids), test.sense, strict=True
        ):
            by_name = dict(zip(names, near, strict=True))
            leads.append(by_name.pop(sense) - max(by_name.values()))
        return float((given == test.sense.to_numpy()).mean()), float(np.mean(leads))

    numbers = {np.int64(k): measured(k) for k in (4, 1, 2, 3)}
    accuracy = {k: share for k, (share, _) in numbers.items()}
    lead = {k: lead for k, (_, lead) in numbers.items()}
    yield {"word": np.str_(word), "accuracy": accuracy, "lead": lead}
    as_text = {str(k): share for k, share in accuracy.items()}
    yield {"word": word, "accuracy": as_text, "lead": lead}


def right_3(names):
    bert, train = names["bert"], load_coarse_wsd("crane", "train")
    rows = embed_words(bert, train.sentence, train.word_pos, (-1,))
    for sentence in (
        "a Crane of paper hung over the harbour",
        "Two hundred feet up a Crane built its nest",
    ):
        words = sentence.lower().split()
        own = embed_words(bert, [words], [words.index("crane")], (-1,))
        predicted = nearest_sense(rows, train.sense, own)[0]
        cosines = unit(rows) @ unit(own)[0]
        nearest = cosines.argsort()[::-1][:3]
        answer = {"word": "crane", "sentence": f"  {sentence} "}
        answer["sense"] = next(s for s in train.sense.unique() if s != predicted)
        yield answer | {"nearest": nearest[[2, 0, 1]]}
    yield answer | {"nearest": train.index[nearest]}
    yield answer | {"nearest": set(nearest.tolist())}
