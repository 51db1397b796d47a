"""Typical wrong answers of the chapter and the words that name each mistake."""

from functools import cache

import numpy as np
from sklearn.metrics import f1_score

from helpers.datasets import load_coarse_wsd
from helpers.embeddings import embed_words
from helpers.models import load_bert
from helpers.senses import nearest_sense, unit


def wrong_1(names):
    def counted(way):
        """way: share of the commonest, number of senses, of labels -> two scores."""

        def scores(labels):
            counts = np.unique(labels, return_counts=True)[1]
            return way(counts.max() / counts.sum(), len(counts), counts.sum())

        return scores

    def always(choose):
        def scores(labels):
            share = (labels == choose(labels)).mean()
            return share, 2 * share / (1 + share) / len(set(labels.tolist()))

        return scores

    def f1(share):
        return 2 * share / (1 + share)

    def rarest(labels):
        values, counts = np.unique(labels, return_counts=True)
        return values[counts.argmin()]

    def numbers_only(labels):
        counts = np.bincount(labels)
        share = counts.max() / len(labels)
        return share, f1(share) / len(counts)

    def of_sklearn(labels):
        values, counts = np.unique(labels, return_counts=True)
        given = np.full(len(labels), values[counts.argmax()])
        share = (given == labels).mean()
        return share, f1_score(labels, given, average="macro", zero_division=0)

    yield counted(lambda p, k, n: (p, p)), "micro-F1"
    yield counted(lambda p, k, n: (p, f1(p))), "commonest sense alone"
    yield counted(lambda p, k, n: (1.0, f1(p))), "share of the commonest"
    yield counted(lambda p, k, n: p), "two numbers"
    yield counted(lambda p, k, n: (p, f1(p) / 2)), "is divided by 2"
    yield counted(lambda p, k, n: (p, p * f1(p))), "weighted"
    yield counted(lambda p, k, n: (p, f1(p) / n)), "number of labels"
    yield counted(lambda p, k, n: (p, (1 + p) / 2 / k)), "harmonic"
    yield counted(lambda p, k, n: (p, p / (1 + p) / k)), "half of it"
    yield counted(lambda p, k, n: (p, p / k)), "the macro-F1 for"
    yield counted(lambda p, k, n: (p, 1 / k)), "the macro-F1 for"
    yield counted(lambda p, k, n: (p, f1(p) / max(k - 1, 1))), "the macro-F1 for"
    yield counted(lambda p, k, n: (p, f1(p) / (k + 1))), "the macro-F1 for"
    yield counted(lambda p, k, n: (100 * p, 100 * f1(p) / k)), "per cent"
    yield counted(lambda p, k, n: (p * n, f1(p) / k)), "share"
    yield counted(lambda p, k, n: (f1(p) / k, p)), "exchanged"
    yield counted(lambda p, k, n: (1 / k, f1(p) / k)), "share of the commonest"
    yield counted(lambda p, k, n: (1 - p, f1(p) / k)), "share of the commonest"
    yield counted(lambda p, k, n: (round(p, 1), round(f1(p) / k, 1))), "three decimals"
    yield always(rarest), "rarest label"
    yield always(lambda labels: labels[0]), "first label"
    yield always(lambda labels: labels[-1]), "last label"
    yield always(lambda labels: sorted(labels)[-1]), "largest label"
    yield always(lambda labels: sorted(labels)[0]), "smallest label"
    yield numbers_only, "TypeError"
    yield of_sklearn, "calls f1_score"
    yield lambda labels: 1 / 0, "ZeroDivisionError"
    yield (
        counted(lambda p, k, n: (round(p, 2), f1(p) / k)),
        "right to three decimals",
    )


def wrong_2(names):
    bert = names["bert"]
    for mistake, said in (
        ("first", "first k layers"),
        ("test centroids", "test set"),
        ("shifted", "[CLS]"),
        ("layers 1 to k", "layers 1 to k"),
        ("all but last", "last layer is left out"),
        ("one more", "last k + 1"),
        ("layer -k", "layer -k alone"),
        ("side by side", "side by side"),
        ("last layer", "for every k"),
        ("training sentences", "training sentences"),
        ("products", "divide by the lengths"),
        ("of the answer", "sense that is answered"),
        ("mean of the others", "take the highest of them"),
        ("without the others", "take the highest of the others away"),
        ("median", "yours is the median"),
    ):
        for word in ("club", "bow"):  # with equal accuracies among them
            yield measured(bert, word, mistake), said
    right = measured(bert, "club")
    shares, leads = right["accuracy"], right["lead"]
    yield right | {"lead": {k: -lead for k, lead in leads.items()}}, "wrong sign"
    yield right | {"lead": {k: lead + 0.01 for k, lead in leads.items()}}, "lead for"
    yield right | {"lead": {k: round(x, 2) for k, x in leads.items()}}, "four decimals"
    yield right | {"lead": leads[1]}, "lead must be a dict"
    other = {
        key: {k: right[key][5 - k] for k in shares} for key in ("accuracy", "lead")
    }
    yield right | other, "reverse"
    for change, said in (
        (lambda share: 100 * share, "per cent"),
        (lambda share: 1 - share, "wrong answers"),
        (lambda share: round(share, 1), "three decimals"),
    ):
        wrong = {k: change(share) for k, share in shares.items()}
        yield right | {"accuracy": wrong}, said
    yield right | {"accuracy": {k - 1: shares[k] for k in shares}}, "yours lacks 4"
    yield right | {"word": "tree"}, "20 words"
    yield right | {"accuracy": {1: 0.5}}, "keys 1, 2, 3 and 4"
    yield right | {"accuracy": dict.fromkeys(shares, "x")}, "number"
    yield right | {"accuracy": dict.fromkeys(shares, 0.1)}, "k = 1"
    yield [0.8, 0.7, 0.7, 0.6], "keys word, accuracy and lead"


@cache
def all_layers(word, part):
    frame = load_coarse_wsd(word, part)
    return embed_words(load_bert(), frame.sentence, frame.word_pos, "all")


def vectors(bert, word, part, mistake):
    if mistake == "shifted":
        return vectors_at_own_index(bert, load_coarse_wsd(word, part))
    return all_layers(word, part)


def measured(bert, word, mistake=None):
    train, test = load_coarse_wsd(word, "train"), load_coarse_wsd(word, "test")
    parts = [vectors(bert, word, part, mistake) for part in ("train", "test")]
    if mistake == "test centroids":
        parts[0], train = parts[1], test
    if mistake == "training sentences":
        parts[1], test = parts[0], train
    accuracy, lead = {}, {}
    for k in (1, 2, 3, 4):
        learned, judged = (mixed(part, k, mistake) for part in parts)
        names = np.unique(train.label)
        near = np.stack([learned[train.label == name].mean(axis=0) for name in names])
        if mistake != "products":
            judged, near = unit(judged), unit(near)
        closeness = judged @ near.T
        predicted = names[closeness.argmax(axis=1)]
        accuracy[k] = float((predicted == test.label).mean())
        lead[k] = float(lead_of(closeness, names, test.label, mistake))
    return {"word": word, "accuracy": accuracy, "lead": lead}


def lead_of(closeness, names, labels, mistake):
    leads = []
    for row, label in zip(closeness, labels, strict=True):
        own, others = row[names == label][0], row[names != label]
        if mistake == "of the answer":
            best = np.sort(row)
            own, others = best[-1], best[-2:-1]
        taken = others.mean() if mistake == "mean of the others" else others.max()
        leads.append(own - taken * (mistake != "without the others"))
    return np.median(leads) if mistake == "median" else np.mean(leads)


def mixed(part, k, mistake):
    slices = {
        "first": slice(k),
        "layers 1 to k": slice(1, k + 1),
        "all but last": slice(-k - 1, -1),
        "one more": slice(-k - 1, None),
        "layer -k": slice(-k, -k + 1 or None),
        "last layer": slice(-1, None),
    }
    chosen = part[:, slices.get(mistake, slice(-k, None))]
    if mistake == "side by side":
        return chosen.reshape(len(part), -1)
    return chosen.mean(axis=1)


def vectors_at_own_index(bert, frame):
    """Hidden states taken at the word's own index, one sentence at a time."""
    vectors = []
    for words, place in zip(frame.sentence, frame.word_pos, strict=True):
        encoding = bert.tokenizer(" ".join(words), return_tensors="pt")
        states = bert.model(**encoding, output_hidden_states=True).hidden_states
        vectors.append([state[0, place].detach().numpy() for state in states])
    return np.array(vectors)


def wrong_3(names):
    bert, train = names["bert"], load_coarse_wsd("crane", "train")
    text = "the yellow crane , tall as a heron , bent its neck of steel"
    words = text.split()
    rows = embed_words(bert, train.sentence, train.word_pos, (-1,))
    own = embed_words(bert, [words], [words.index("crane")], (-1,))
    predicted = nearest_sense(rows, train.sense, own)[0]
    senses = {"crane_(bird)": "crane_(machine)", "crane_(machine)": "crane_(bird)"}
    answer = {
        "word": "crane",
        "sentence": text,
        "sense": senses[predicted],
        "nearest": np.argsort(-(unit(rows) @ unit(own)[0]))[:3].tolist(),
    }
    cosines, test = unit(rows) @ unit(own)[0], load_coarse_wsd("crane", "test")
    order = np.argsort(-cosines)
    meant = order[(train.sense == answer["sense"]).to_numpy()[order]]
    yield answer | {"nearest": [0, 0, 0]}, "names a row twice"
    yield answer | {"nearest": order[-3:]}, "lowest cosine"
    yield answer | {"nearest": order[1:4]}, "leaves out the very nearest"
    yield answer | {"nearest": [*order[:2], order[3]]}, "yours come as numbers 1, 2, 4"
    yield answer | {"nearest": meant[:3]}, "sense that you mean"
    yield answer | {"nearest": order[:4]}, "3 entries"
    yield answer | {"nearest": order[:2]}, "3 entries"
    yield answer | {"nearest": cosines[order[:3]]}, "whole number"
    yield answer | {"nearest": order[:3] - len(train)}, "whole number from 0"
    yield answer | {"nearest": train.sense[order[:3]]}, "this is text"
    yield answer | {"sense": "bird"}, "no sense of crane"
    yield answer | {"sentence": text.replace("crane", "cranes")}, "exactly once"
    yield answer | {"sentence": f"{text} by a crane"}, "exactly once"
    yield answer | {"sentence": text.replace("crane ", "crane")}, "exactly once"
    yield answer | {"sentence": " ".join(test.sentence[0])}, "of the data set"
    yield answer | {"sense": "crane_(fly)"}, "no sense"
    yield answer | {"sentence": "the crane"}, "five words"
    yield answer | {"sentence": "no such word stands in here"}, "exactly once"
    yield answer | {"sense": predicted}, "The model is right"
    yield answer | {"sentence": " ".join(train.sentence[0])}, "of the data set"
