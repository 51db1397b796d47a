"""Checks of the chapter, contextual embeddings; the running model gives the truth."""

from functools import lru_cache

import numpy as np
import pandas as pd
import torch

from helpers.datasets import coarse_wsd_words
from helpers.embeddings import embed_words
from helpers.exercises import NotYet
from helpers.exercises.asking import (
    a_dict,
    a_function,
    a_list,
    a_text,
    a_whole_number,
    an_array,
    name_mistake,
)
from helpers.models import load_bert
from helpers.senses import load_parts, unit

MOST_SENTENCES = 200


def check_1(answer):
    """A function: words, word -> for each occurrence, the places of its pieces."""
    a_function(answer, "places_of")
    for text, word in (
        ("strawberries beside the field fed the caterpillars", "field"),
        ("the field beyond the field lay fallow", "field"),
        ("caterpillars ate strawberries and more strawberries", "strawberries"),
        ("the cat ignored a caterpillar", "cat"),
        ("she ploughed the meadow", "field"),
        ("the outfield is part of the field", "field"),
    ):
        words = text.split()
        got = _lists_of_places(answer(words, word), word)
        truth = _places(words, word)
        if got != truth:
            raise NotYet(_misplaced(words, word, got, truth))
    return "Two, one or none: the tokenizer's record has an answer for each."


def _places(words, word):
    owners = load_bert().tokenizer(words, is_split_into_words=True).word_ids()
    return [
        [place for place, owner in enumerate(owners) if owner == index]
        for index, other in enumerate(words)
        if other == word
    ]


def _lists_of_places(result, word):
    hint = f"Give one list of places for each {word!r}, such as [[2], [5, 6]]."

    def places(entry, what):
        return a_list(entry, what, each=a_whole_number, hint=hint)

    return a_list(result, "The answer", each=places, hint=hint)


def _misplaced(words, word, got, truth):
    where = f"In {' '.join(words)!r}, "
    indices = [i for i, other in enumerate(words) if other == word]
    if not truth:
        return f"{where}{word!r} does not occur: the answer must be an empty list."
    if got == [[index] for index in indices]:
        return f"{where}these are indices of words. [CLS] and split words move pieces."
    if got == [[place - 1 for place in places] for places in truth]:
        return f"{where}your places are one too small: [CLS] takes place 0."
    if got == [sum(truth, [])]:
        return f"{where}keep the occurrences apart: one list for each of them."
    if got == [places[:1] for places in truth]:
        return f"{where}{word!r} is several pieces; name the places of all of them."
    if len(got) < len(truth) and len(truth[0]) > 1:
        return f"{where}{word!r} is split into pieces, so no piece is spelled like it."
    if len(got) < len(truth):
        return f"{where}{word!r} occurs {len(truth)} times; you found {len(got)}."
    if len(got) > len(truth):
        return f"{where}you also found pieces of other words. Compare word indices."
    return f"{where}the places of {word!r} are not {got}."


def check_2(answer):
    """A function: words, position, layers -> the vector of the word, (hidden,)."""
    a_function(answer, "word_vector")
    bert = load_bert()
    for text, position, layers in (
        ("the striker left the field", 4, (-1,)),
        ("strawberries grow in the field", 4, (-1,)),
        ("the caterpillars ate the strawberries", 4, (-1,)),
        ("strawberries grow in the field", 4, (-2, -1)),
        ("crows settled on the strawberries", 4, (-2, -1)),
        ("strawberries grow in the field", 4, (0,)),
        ("strawberries grow in the field", 4, (0, 2, -1)),
    ):
        words = text.split()
        got = _vector(answer(words, position, layers), bert, len(layers))
        truth = embed_words(bert, [words], [position], layers, "float32")[0]
        if not np.allclose(got, truth, rtol=1e-4, atol=1e-5):
            _name_mistake(words, position, layers, got, truth)
    return "The right piece or pieces, the right layers, one vector."


def _vector(result, bert, n_layers):
    width = bert.hidden_size
    if n_layers > 1 and getattr(result, "shape", None) == (n_layers * width,):
        raise NotYet("You put the layers side by side; average them.")
    hint = "Which axes still have to be averaged or indexed?"
    return an_array(result, (width,), "The vector", hint=hint)


def _name_mistake(words, position, layers, got, truth):
    bert = load_bert()
    encoding = bert.tokenizer(words, is_split_into_words=True, return_tensors="pt")
    owners = encoding.word_ids()
    places = [place for place, owner in enumerate(owners) if owner == position]
    with torch.inference_mode():
        output = bert.model(**encoding.to(bert.device), output_hidden_states=True)
    states = torch.cat(output.hidden_states).float().cpu().numpy()  # (L, pieces, H)
    chosen = states[list(layers)]
    about = f"for word {position} of {' '.join(words)!r}, layers {layers}"
    wrong = {
        "own index": chosen[:, position].mean(0),
        "index + 1": chosen[:, min(position + 1, len(owners) - 1)].mean(0),
        "first piece": chosen[:, places[0]].mean(0),
        "all pieces": chosen.mean((0, 1)),
        "first layers": states[: len(layers), places].mean((0, 1)),
        "last layers": states[-len(layers) :, places].mean((0, 1)),
        "one off": states[1:][[i - (i > 0) for i in layers]][:, places].mean((0, 1)),
        "sum of layers": truth * len(layers),
        "sum of pieces": truth * len(places),
    }
    mistakes = ((MISTAKES[key].format(about), wrong[key]) for key in wrong)
    name_mistake(got, mistakes, rtol=1e-4, atol=1e-5)
    raise NotYet(f"The vector is not the one that this model gives {about}.")


MISTAKES = {
    "own index": "This is the piece at the word's own index, {}. Words before it were "
    "split, and [CLS] comes first: use word_ids().",
    "index + 1": "This is the piece at index + 1, {}. That allows for [CLS] but not "
    "for words split into pieces: use word_ids().",
    "first piece": "This is the word's first piece alone, {}. Average all its pieces.",
    "all pieces": "This is the mean over all pieces of the sentence, {}.",
    "first layers": "These are the first hidden states, {}: index with the numbers in "
    "layers, not with a slice from the front.",
    "last layers": "These are the last hidden states, {}. Take those that layers "
    "names.",
    "one off": "The layers are one off, {}: hidden state 0 is the input embeddings and "
    "counts.",
    "sum of layers": "This is the sum of the layers, {}; take their mean.",
    "sum of pieces": "This is the sum of the pieces, {}; take their mean.",
}


def check_3(answer):
    """A dict: word, sentences, senses, and within and across less the baseline."""
    keys = ("word", "sentences", "senses", "within", "across")
    word, sentences, senses, within, across = a_dict(answer, keys)
    sentences, senses = _own_sentences(a_text(word, "word"), sentences, senses)
    positions = [words.index(word) for words in sentences]
    bert = load_bert()
    hint = "Give one number for each hidden state, the input embeddings included."
    got = [
        an_array(values, (bert.n_layers + 1,), f"{key}, a list of numbers,", hint=hint)
        for key, values in (("within", within), ("across", across))
    ]
    vectors = [
        embed_words(bert, sentences, positions, "all", dtype)
        for dtype in (None, "float32")
    ]
    base = _baseline(bert.name)
    same = np.array(senses)[:, None] == np.array(senses)
    for v in vectors:
        if np.allclose(got, _pair_means(_cosines(v), same) - base, atol=2e-3):
            return (
                "As a share of the room above random words the gap is widest in layer "
                f"{_widest(got, base)}. Would it still be with one sentence less?"
            )
    _name_other_means(got, vectors[1], same, base)


def _widest(got, baseline):
    """Layer of the widest gap, on one scale: the room from the baseline to 1."""
    return int(np.argmax(np.subtract(*got) / (1 - baseline)))


def _own_sentences(word, sentences, senses):
    def words_of(sentence, what):
        words = a_list(sentence, what, each=a_text, hint="It is a list of words.")
        if words.count(word) != 1:
            raise NotYet(
                f"Every sentence must be a list of words that holds {word!r} exactly "
                f"once; look at {' '.join(words)[:60]!r}."
            )
        return words

    sentences = a_list(sentences, "sentences", each=words_of)
    senses = list(map(str, a_list(senses, "senses")))
    if len(sentences) > MOST_SENTENCES:
        raise NotYet(f"Take at most {MOST_SENTENCES} sentences.")
    if len(sentences) != len(senses):
        raise NotYet(f"{len(sentences)} sentences but {len(senses)} senses.")
    if len({tuple(words) for words in sentences}) < len(sentences):
        raise NotYet("A sentence comes twice; write another.")
    counts = pd.Series(senses).value_counts()
    if len(counts) < 2 or counts.min() < 3:
        raise NotYet("Two senses or more, and three sentences or more for each.")
    return sentences, senses


def _cosines(vectors):
    """Cosine of every two of (n, layers + 1, hidden): (layers + 1, n, n)."""
    scaled = unit(vectors).swapaxes(0, 1)
    return scaled @ scaled.swapaxes(1, 2)


def _pair_means(tables, same, diagonal=False):
    """Means within and across of tables (layers + 1, n, n): (2, layers + 1)."""
    pairs = np.triu(np.ones(same.shape, bool), k=0 if diagonal else 1)
    return np.stack([tables[:, same & pairs].mean(1), tables[:, ~same & pairs].mean(1)])


@lru_cache(maxsize=4)
def _baseline(name):
    """Mean cosine of random words by layer, drawn as in the chapter.

    name: of the running model, so that another one is measured anew.
    """
    bert = load_bert()
    frames = [load_parts(word, most=40)[0] for word in coarse_wsd_words()]
    some = pd.concat(frames, ignore_index=True).sentence[::3].tolist()
    rng = np.random.default_rng(0)
    places = [
        int(rng.choice([i for i, word in enumerate(words) if word.isalpha()]))
        for words in some
    ]
    vectors = embed_words(bert, some, places, "all")
    upper = np.triu_indices(len(some), k=1)
    return _cosines(vectors)[:, *upper].mean(1)


def _name_other_means(got, vectors, same, base):
    tables = _cosines(vectors)
    raw = _pair_means(tables, same)
    products = vectors.swapaxes(0, 1) @ vectors.transpose(1, 2, 0)
    both_ways = np.stack([tables[:, same].mean(1), tables[:, ~same].mean(1)])
    mistakes = {
        "These are the bare cosines; subtract the baseline of each layer.": raw,
        "within and across are swapped: within is for pairs of one sense.": (
            (raw - base)[::-1]
        ),
        "You took the last layer's baseline for all layers; each has its own.": (
            raw - base[-1]
        ),
        "Your means within a sense count each vector with itself; leave the diagonal "
        "out.": _pair_means(tables, same, diagonal=True) - base,
        "Your means within a sense count each vector with itself, and each pair twice; "
        "leave the diagonal out.": both_ways - base,
        "These are dot products less the baseline; divide by the lengths to get "
        "cosines.": _pair_means(products, same) - base,
    }
    name_mistake(got, mistakes, atol=2e-3)
    key, layer = np.argwhere(~np.isclose(got, raw - base, atol=2e-3))[0]
    key = ("within", "across")[key]
    raise NotYet(
        f"{key} is not what this model gives in layer {layer}, less the baseline."
    )
