"""Typical wrong answers of the chapter and the words that name each mistake."""

import numpy as np

from helpers.datasets import load_coarse_wsd
from helpers.embeddings import embed_words
from helpers.senses import nearest_sense, unit


def wrong_1(names):
    def share(labels):
        return max(np.bincount(labels)) / len(labels)

    def f1(labels):
        return 2 * share(labels) / (share(labels) + 1)

    yield lambda labels: (share(labels), share(labels)), "micro-F1"
    yield lambda labels: (share(labels), f1(labels)), "commonest sense alone"
    yield lambda labels: (1.0, f1(labels)), "share of the commonest"
    yield lambda labels: share(labels), "two numbers"
    yield lambda labels: 1 / 0, "ZeroDivisionError"


def wrong_2(names):
    bert = names["bert"]
    for mistake, said in (
        ("first", "first k layers"),
        ("test centroids", "test set"),
        ("shifted", "[CLS]"),
    ):
        words = ("club", "bow", "mole", "square")  # not every score need change
        pairs = ((accuracies(bert, w, mistake), accuracies(bert, w)) for w in words)
        yield next(wrong for wrong, right in pairs if wrong != right), said
    yield {"word": "tree", "accuracy": {1: 0.5}}, "20 words"
    yield {"word": "club", "accuracy": {1: 0.5}}, "keys 1, 2, 3 and 4"
    yield {"word": "club", "accuracy": dict.fromkeys((1, 2, 3, 4), "x")}, "number"
    yield {"word": "club", "accuracy": dict.fromkeys((1, 2, 3, 4), 0.1)}, "k = 1"
    yield [0.8, 0.7, 0.7, 0.6], "keys word and accuracy"


def accuracies(bert, word, mistake=None):
    train, test = load_coarse_wsd(word, "train"), load_coarse_wsd(word, "test")
    if mistake == "shifted":
        parts = [vectors_at_own_index(bert, frame) for frame in (train, test)]
    else:
        parts = [
            embed_words(bert, frame.sentence, frame.word_pos, "all")
            for frame in (train, test)
        ]
    if mistake == "test centroids":
        parts[0], train = parts[1], test
    accuracy = {}
    for k in (1, 2, 3, 4):
        layers = slice(k) if mistake == "first" else slice(-k, None)
        means = [part[:, layers].mean(axis=1) for part in parts]
        predicted = nearest_sense(means[0], train.label, means[1])
        accuracy[k] = float((predicted == test.label).mean())
    return {"word": word, "accuracy": accuracy}


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
    yield answer | {"nearest": [0, 0, 0]}, "nearest"
    yield answer | {"sense": "crane_(fly)"}, "no sense"
    yield answer | {"sentence": "the crane"}, "five words"
    yield answer | {"sentence": "no such word stands in here"}, "exactly once"
    yield answer | {"sense": predicted}, "The model is right"
    yield answer | {"sentence": " ".join(train.sentence[0])}, "training sentence"
