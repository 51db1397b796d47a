"""Checks of the chapter; the truth is recomputed with the running model."""

from functools import lru_cache

import numpy as np
import torch

from helpers.datasets import coarse_wsd_senses, coarse_wsd_words, load_coarse_wsd
from helpers.embeddings import embed_words
from helpers.exercises import NotYet
from helpers.exercises.asking import (
    a_dict,
    a_function,
    a_list,
    a_number,
    a_text,
    an_array,
    name_mistake,
)
from helpers.models import load_bert
from helpers.senses import majority, nearest_sense, score, unit

LAST_K = (1, 2, 3, 4)


def check_1(answer):
    """A function: labels -> (accuracy, macro-F1) of always answering the commonest."""
    a_function(answer, "majority_scores")
    rng = np.random.default_rng(11)
    for labels in (
        [0, 0, 1],
        [2, 1, 2, 2, 0],
        rng.choice(4, 60, p=[0.1, 0.6, 0.2, 0.1]),
    ):
        labels = np.asarray(labels)
        truth = score(labels, majority(labels, len(labels)))
        hint = "Return two numbers: accuracy, macro_f1."
        got = a_list(answer(labels), "The answer", 2, each=a_number, hint=hint)
        if not np.isclose(got[0], truth["accuracy"], atol=1e-6):
            raise NotYet(
                "Expected the accuracy to be the share of the commonest label; for "
                f"{labels[:5].tolist()}… yours is {got[0]:.4f}."
            )
        if np.isclose(got[1], truth["macro_f1"], atol=1e-6):
            continue
        only_largest = truth["macro_f1"] * len(set(labels.tolist()))
        mistakes = {
            "Your F1 is that of the commonest sense alone. Macro-F1 averages over all "
            "senses, and those never answered count as 0.": only_largest,
            "Your macro-F1 equals the accuracy: that is micro-F1. Take the F1 of each "
            "sense first, then their mean.": truth["accuracy"],
        }
        name_mistake(got[1], mistakes, atol=1e-6)
        raise NotYet(f"The accuracy is right; the macro-F1, {got[1]:.4f}, is not.")
    return "Two numbers, and the second shows what the first hides."


def check_2(answer):
    """A dict: word, and accuracy as {k: share right} for the last k layers."""
    word, shares = a_dict(answer, ("word", "accuracy"))
    if a_text(word, "word") not in coarse_wsd_words():
        raise NotYet(f"{word!r} is not one of the 20 words.")
    shares = a_dict(shares, LAST_K, "accuracy", only=True)
    got = a_list(shares, "accuracy", each=a_number)
    truth = _accuracies(word, "right")
    if np.allclose(got, truth) or np.allclose(got, _accuracies(word, "exact")):
        return "One test sentence more or less can decide which k comes out best."
    name_mistake(
        got, ((said, _accuracies(word, how)) for how, said in MISTAKES.items())
    )
    if np.allclose(np.array(got) / 100, truth, atol=1e-4):
        raise NotYet("These are per cent; give shares between 0 and 1.")
    far = [
        k for k, a, b in zip(LAST_K, got, truth, strict=True) if not np.isclose(a, b)
    ]
    raise NotYet(f"The accuracy for k = {far[0]} is not the one that this model gives.")


MISTAKES = {
    "first layers": "These are the accuracies of the first k layers: [:k] slices from "
    "the front.",
    "test centroids": "These come from centroids of the test sentences. The test set "
    "must stay unseen: average the training vectors.",
    "not aligned": "These come from the piece at the word's own index, but [CLS] and "
    "split words have moved it. Let embed_words or word_ids() find the word.",
}


@lru_cache(maxsize=100)
def _accuracies(word, how):
    """Accuracies for k = 1 to 4: "right", "exact" (float32), or by a mistake."""
    frames = train, test = [load_coarse_wsd(word, split) for split in ("train", "test")]
    if how == "not aligned":
        learn, evaluate = (_unaligned(frame) for frame in frames)
    else:
        dtype = "float32" if how == "exact" else None
        learn, evaluate = (_all_layers(frame, dtype) for frame in frames)
    labels = train.label
    if how == "test centroids":
        learn, labels = evaluate, test.label
    shares = []
    for k in LAST_K:
        layers = slice(None, k) if how == "first layers" else slice(-k, None)
        means = [part[:, layers].mean(axis=1) for part in (learn, evaluate)]
        predicted = nearest_sense(means[0], labels, means[1])
        shares.append(float((predicted == test.label.to_numpy()).mean()))
    return shares


def _all_layers(frame, dtype=None):
    return embed_words(load_bert(), frame.sentence, frame.word_pos, "all", dtype)


def _unaligned(frame):
    """Hidden states at the word's index, as if words and pieces were the same."""
    bert, rows = load_bert(), []
    for words, position in zip(frame.sentence, frame.word_pos, strict=True):
        encoding = bert.tokenizer(" ".join(words), return_tensors="pt").to(bert.device)
        with torch.inference_mode():
            states = bert.model(**encoding, output_hidden_states=True).hidden_states
        rows.append([state[0, position].cpu().numpy() for state in states])
    return np.array(rows)


def check_3(answer):
    """A dict: word, sentence (str) of one's own, the sense meant, nearest rows."""
    keys = ("word", "sentence", "sense", "nearest")
    word, sentence, sense, given = a_dict(answer, keys)
    if a_text(word, "word") not in coarse_wsd_words():
        raise NotYet(f"{word!r} is not one of the 20 words.")
    if sense not in coarse_wsd_senses(word).values():
        raise NotYet(
            f"{sense!r} is no sense of {word}: see coarse_wsd_senses({word!r})."
        )
    words = a_text(sentence, "sentence").lower().split()
    if words.count(word) != 1 or len(words) < 5:
        raise NotYet(
            f"The sentence needs five words or more and the word {word} exactly once, "
            "with spaces around it."
        )
    train = load_coarse_wsd(word)
    if words in train.sentence.tolist():
        raise NotYet("This is a training sentence; write one of your own.")
    rows = embed_words(load_bert(), train.sentence, train.word_pos, layers=(-1,))
    own = embed_words(load_bert(), [words], [words.index(word)], layers=(-1,))
    predicted = coarse_wsd_senses(word)[int(nearest_sense(rows, train.label, own)[0])]
    if predicted == sense:
        raise NotYet(f"The model is right: it answers {predicted}. Lead it astray.")
    nearest = np.argsort(-(unit(rows) @ unit(own)[0]))[:3]
    given = an_array(given, None, "nearest").ravel()
    if sorted(given.tolist()) != sorted(nearest.tolist()):
        raise NotYet(
            "The model is wrong, as you wanted, but nearest does not hold the three "
            "training rows with the highest cosine (last layer)."
        )
    return (
        f"It answers {predicted}. Now read those three sentences: what do they share?"
    )
