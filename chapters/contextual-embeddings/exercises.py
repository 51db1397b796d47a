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
    is_right_to,
    is_rounded_too_far,
    name_mistake,
    right_to,
)
from helpers.exercises.running import without
from helpers.models import load_bert
from helpers.senses import load_parts, unit

MOST_SENTENCES = 200
SEED_OF_THE_PAGE = 0  # of the baseline, which the check draws as the page does
DIGITS, SLACK = 3, 1.5e-3  # of exercise 3; half precision moves a cosine a little


LONG = "strawberries near the field and the caterpillars in the field " * 4
PLACES = (
    ("strawberries beside the field fed the caterpillars", "field"),
    ("the field beyond the field lay fallow", "field"),
    ("field after field of caterpillars", "field"),
    ("caterpillars ate strawberries and more strawberries", "strawberries"),
    ("the cat ignored a caterpillar", "cat"),
    ("she ploughed the meadow", "field"),
    ("the outfield is part of the field", "field"),
    ("strawberries and straw", "straw"),
    ("they had had enough", "had"),
    ("caterpillars caterpillars everywhere", "caterpillars"),
    ("don't cross the field", "field"),
    ("no field , no crop : the field. is sold", "field"),
    ("Field by field", "field"),
    (LONG, "field"),
    ("", "field"),
)


def check_1(answer):
    """A function: words, word -> for each occurrence, the places of its pieces."""
    a_function(answer, "places_of")
    cases = [(text.split(), word) for text, word in PLACES]
    got = [_lists_of_places(answer(words, word), word) for words, word in cases]
    if got == (truth := [_places(*case) for case in cases]):
        return "Two, one or none: the tokenizer's record has an answer for each."
    pairs = list(zip(got, cases, strict=True))
    made = [
        said
        for said, way in OTHER_PLACES
        if all(places == way(*case) for places, case in pairs)
    ]
    if len(made) == 1:
        raise NotYet(made[0])
    wrong = next(i for i, places in enumerate(got) if places != truth[i])
    raise NotYet(_misplaced(*cases[wrong], got[wrong], truth[wrong]))


def _encoded(words):
    return load_bert().tokenizer(words, is_split_into_words=True)


def _places(words, word, same=str.__eq__):
    owners = _encoded(words).word_ids()
    return [
        [place for place, owner in enumerate(owners) if owner == index]
        for index, other in enumerate(words)
        if same(other, word)
    ]


def _joined(words, word):
    """As if the sentence were a text: the tokenizer splits it anew."""
    owners = load_bert().tokenizer(" ".join(words)).word_ids()
    indices = [i for i, other in enumerate(words) if other == word]
    return [[p for p, owner in enumerate(owners) if owner == i] for i in indices]


def _runs(words, word):
    """Wherever the pieces of the word stand in a row."""
    tokens, run = _encoded(words).tokens(), load_bert().tokenizer.tokenize(word)
    starts = [i for i in range(len(tokens)) if tokens[i : i + len(run)] == run]
    return [list(range(i, i + len(run))) for i in starts]


def _merged(words, word):
    merged = []
    for places in _places(words, word):
        if merged and merged[-1][-1] + 1 == places[0]:
            merged[-1] += places
        else:
            merged.append(places)
    return merged


def _of_indices(shift):
    return lambda ws, w: [[i + shift] for i, other in enumerate(ws) if other == w]


def _changed(change):
    return lambda words, word: [change(places) for places in _places(words, word)]


def _alike(same):
    return lambda words, word: _places(words, word, same)


OTHER_PLACES = (
    ("These are indices of words. [CLS] and split words move pieces.", _of_indices(0)),
    (
        "These are indices of words plus 1. That allows for [CLS], but words before "
        "it may be split into pieces.",
        _of_indices(1),
    ),
    (
        "Your places are one too small: [CLS] takes place 0.",
        _changed(lambda places: [place - 1 for place in places]),
    ),
    (
        "Give one list for each occurrence, not for each of its pieces.",
        lambda words, word: [[p] for places in _places(words, word) for p in places],
    ),
    (
        "You name the first piece only; name the places of all of them.",
        _changed(lambda places: places[:1]),
    ),
    (
        "You name the last piece only; name the places of all of them.",
        _changed(lambda places: places[-1:]),
    ),
    (
        "You join the words to a text, which the tokenizer splits anew: don't becomes "
        "three words. Pass the list, with is_split_into_words=True.",
        _joined,
    ),
    (
        "You look for the pieces of the word in a row. Other words may begin with "
        "the same pieces; compare the indices of words.",
        _runs,
    ),
    (
        "Two occurrences side by side come as one. Keep the occurrences apart: one "
        "list for each of them.",
        _merged,
    ),
    (
        "You find words that only hold the word; compare whole words.",
        _alike(lambda other, word: word in other),
    ),
    (
        "You find words that only begin with the word; compare whole words.",
        _alike(str.startswith),
    ),
    (
        "You also find the word in other letters: Field is not spelled as field is.",
        _alike(lambda other, word: other.lower() == word.lower()),
    ),
    (
        "You also find the word with a full stop: the words are as the list has them.",
        _alike(lambda other, word: other.strip(".,:") == word),
    ),
)


def _lists_of_places(result, word):
    hint = f"Give one list of places for each {word!r}, such as [[2], [5, 6]]."

    def places(entry, what):
        return a_list(entry, what, each=a_whole_number, hint=hint)

    return a_list(result, "The answer", each=places, hint=hint)


def _misplaced(words, word, got, truth):
    text = " ".join(words)
    where = f"In {text if len(text) < 70 else text[:69] + '…'!r}, "
    if not truth:
        return f"{where}{word!r} does not occur: the answer must be an empty list."
    if got == [sum(truth, [])]:
        return f"{where}keep the occurrences apart: one list for each of them."
    if len(got) < len(truth) and len(truth[0]) > 1:
        return f"{where}{word!r} is split into pieces, so no piece is spelled like it."
    if len(got) < len(truth):
        return f"{where}{word!r} occurs {len(truth)} times; you found {len(got)}."
    if len(got) > len(truth):
        return f"{where}you also found pieces of other words. Compare word indices."
    wrong = next(i for i, places in enumerate(truth) if got[i] != places)
    return (
        f"{where}occurrence {wrong} of {word!r}, counted from 0, is at {truth[wrong]}; "
        f"yours is {got[wrong]}."
    )


VECTORS = (
    ("strawberries grow in the field", 4, (-2, -1)),
    ("the caterpillars ate the strawberries", 4, (-1,)),
    ("strawberries grow in the field", 0, (0, 2, -1)),
    ("the field beyond the field lay fallow", 1, (-1,)),
    ("the field beyond the field lay fallow", 4, (0,)),
    ("don't cross the field at noon", 3, (-1,)),
    (LONG, 39, (-1,)),
)


def check_2(answer):
    """A function: words, position, layers -> the vector of the word, (hidden,)."""
    a_function(answer, "word_vector")
    bert, got = load_bert(), []
    for number, (text, position, layers) in enumerate(VECTORS):
        watched = ("helpers.embed_words",) if number < 2 else ()  # watching is slow
        with without(*watched):
            result = answer(text.split(), position, layers)
        got.append(_vector(result, bert, len(layers)))
    truth = [_right_vector(*case) for case in VECTORS]
    if np.allclose(got, truth, rtol=1e-4, atol=1e-5):
        return "The right piece or pieces, the right layers, one vector."
    name_mistake(got, _other_vectors(), rtol=1e-4, atol=1e-5)
    pairs = zip(got, truth, strict=True)
    right = [np.allclose(*pair, rtol=1e-4, atol=1e-5) for pair in pairs]
    text, position, layers = VECTORS[right.index(False)]
    pieces = (_states(text, bert.name)[1] == position).sum()
    raise NotYet(
        "The vector is not the one that this model gives for word "
        f"{position} of {text[:60]!r}, layers {layers}: the mean of "
        f"{pieces} x {len(layers)} vectors, of its pieces and the layers."
    )


def _vector(result, bert, n_layers):
    width = bert.hidden_size
    if n_layers > 1 and getattr(result, "shape", None) == (n_layers * width,):
        raise NotYet("You put the layers side by side; average them.")
    hint = "Which axes still have to be averaged or indexed?"
    return an_array(result, (width,), "The vector", hint=hint)


@lru_cache(maxsize=30)
def _states(text, name):
    """Hidden states (layers + 1, pieces, hidden), and the word of each piece."""
    bert = load_bert()
    encoding = bert.tokenizer(
        text.split(), is_split_into_words=True, return_tensors="pt"
    )
    owners = [-1 if owner is None else owner for owner in encoding.word_ids()]
    with torch.inference_mode():
        output = bert.model(**encoding.to(bert.device), output_hidden_states=True)
    return torch.cat(output.hidden_states).float().cpu().numpy(), np.array(owners)


def _right_vector(text, position, layers):
    states, owners = _states(text, load_bert().name)
    return states[list(layers)][:, owners == position].mean((0, 1))


def _other_vectors():
    """Messages, and the vectors of all cases (cases, hidden) with that mistake."""
    return ((said, [way(*case) for case in VECTORS]) for said, way in OTHER_VECTORS)


def _with_places(choose):
    """The mean over the places that choose(places of the word, owners) gives."""

    def vector(text, position, layers):
        states, owners = _states(text, load_bert().name)
        places = choose(np.flatnonzero(owners == position), owners)
        return states[list(layers)][:, places % len(owners)].mean((0, 1))

    return vector


def _with_layers(choose):
    """The mean over the layers that choose(layers, number of layers) gives."""

    def vector(text, position, layers):
        states, owners = _states(text, load_bert().name)
        chosen = states[choose(list(layers), len(states) - 1)]
        return chosen[:, owners == position].mean((0, 1))

    return vector


def _at_index(shift):
    def vector(text, position, layers):
        states, _ = _states(text, load_bert().name)
        return states[list(layers), position + shift].mean(0)

    return vector


def _summed(axis):
    def vector(text, position, layers):
        states, owners = _states(text, load_bert().name)
        chosen = states[list(layers)][:, owners == position]
        return _right_vector(text, position, layers) * chosen.shape[axis]

    return vector


def _other_occurrence(which):
    def vector(text, position, layers):
        words = text.split()
        places = [i for i, word in enumerate(words) if word == words[position]]
        return _right_vector(text, places[which], layers)

    return vector


OTHER_VECTORS = (
    (
        "This is the piece at the word's own index. Words before it were split, and "
        "[CLS] comes first: use word_ids().",
        _at_index(0),
    ),
    (
        "This is the piece at index + 1. That allows for [CLS] but not for words split "
        "into pieces: use word_ids().",
        _at_index(1),
    ),
    (
        "This is the word's first piece alone. Average all its pieces.",
        _with_places(lambda places, owners: places[:1]),
    ),
    (
        "This is the word's last piece alone. Average all its pieces.",
        _with_places(lambda places, owners: places[-1:]),
    ),
    (
        "Your places are one too small: [CLS] takes place 0.",
        _with_places(lambda places, owners: places - 1),
    ),
    (
        "Your places are one too large.",
        _with_places(lambda places, owners: places + 1),
    ),
    (
        "This is the vector of [CLS].",
        _with_places(lambda places, owners: places[:1] * 0),
    ),
    (
        "This is the mean over all pieces of the sentence.",
        _with_places(lambda places, owners: np.arange(len(owners))),
    ),
    (
        "This is the mean over all words of the sentence.",
        _with_places(lambda places, owners: np.flatnonzero(owners >= 0)),
    ),
    (
        "These are the first hidden states: index with the numbers in layers, not "
        "with a slice from the front.",
        _with_layers(lambda layers, n: range(len(layers))),
    ),
    (
        "These are the last hidden states. Take those that layers names.",
        _with_layers(lambda layers, n: range(n + 1 - len(layers), n + 1)),
    ),
    (
        "This is the last layer each time. Take those that layers names.",
        _with_layers(lambda layers, n: [-1]),
    ),
    (
        "The layers are one off: hidden state 0 is the input embeddings and counts.",
        _with_layers(lambda layers, n: [min(i + (i >= 0), n) for i in layers]),
    ),
    (
        "The layers are one off: hidden state 0 is the input embeddings and counts. "
        "So -1 is the last layer.",
        _with_layers(lambda layers, n: [i % n for i in layers]),
    ),
    ("This is the sum of the layers; take their mean.", _summed(0)),
    ("This is the sum of the pieces; take their mean.", _summed(1)),
    (
        "Where the word occurs twice you take the first; position says which.",
        _other_occurrence(0),
    ),
    (
        "Where the word occurs twice you take the last; position says which.",
        _other_occurrence(-1),
    ),
)


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
        if is_right_to(got, _pair_means(_cosines(v), same) - base, DIGITS, SLACK):
            return (
                "As a share of the room above random words the gap is widest in layer "
                f"{_widest(got, base)}. Would it still be with one sentence less?"
            )
    mistakes = _other_means(vectors[1], same, base) + [
        (
            f"These are cosines of the word {where} {word!r}. Its index is one more "
            "or less than yours.",
            _pair_means(_cosines(embed_words(bert, sentences, there, "all")), same)
            - base,
        )
        for where, there in _beside(sentences, positions)
    ]
    name_mistake(got, mistakes, atol=2e-3)
    _name_wrong_layer(
        np.array(got), _pair_means(_cosines(vectors[1]), same), same, base
    )


def _beside(sentences, positions):
    """Where to go wrong by one: before, and after; no word stands beyond an end."""
    lasts = [len(words) - 1 for words in sentences]
    yield "before", [max(i - 1, 0) for i in positions]
    yield "after", [min(i + 1, n) for i, n in zip(positions, lasts, strict=True)]


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
    rng = np.random.default_rng(SEED_OF_THE_PAGE)
    places = [
        int(rng.choice([i for i, word in enumerate(words) if word.isalpha()]))
        for words in some
    ]
    vectors = embed_words(bert, some, places, "all")
    upper = np.triu_indices(len(some), k=1)
    return _cosines(vectors)[:, *upper].mean(1)


def _other_means(vectors, same, base):
    """Messages, and what they explain: within and across by layer, (2, layers + 1)."""
    tables = _cosines(vectors)
    raw = _pair_means(tables, same)
    products = vectors.swapaxes(0, 1) @ vectors.transpose(1, 2, 0)
    both_ways = np.stack([tables[:, same].mean(1), tables[:, ~same].mean(1)])
    with_itself = _pair_means(tables, same, diagonal=True)
    own = "You took {} baseline for all layers; each has its own."
    diagonal = "Your means within a sense count each vector with itself; leave the "
    diagonal += "diagonal out."
    return [
        ("These are the bare cosines; subtract the baseline of each layer.", raw),
        (
            "within and across are swapped: within is for pairs of one sense.",
            (raw - base)[::-1],
        ),
        (own.format("the last layer's"), raw - base[-1]),
        (own.format("layer 0's"), raw - base[0]),
        (own.format("the mean"), raw - base.mean()),
        ("The baseline is added; subtract it.", raw + base),
        ("You divide by the baseline; subtract it.", raw / base),
        ("The difference is turned: cosine less baseline.", base - raw),
        (
            "These are shares of the room above the baseline; the plain difference is "
            "asked for.",
            (raw - base) / (1 - base),
        ),
        ("The layers stand in reverse.", (raw - base)[:, ::-1]),
        (
            "These are the last layer's numbers all over; each layer has its own.",
            np.broadcast_to((raw - base)[:, -1:], raw.shape),
        ),
        (diagonal, with_itself - base),
        (diagonal, both_ways - base),
        (
            "These are dot products less the baseline; divide by the lengths to get "
            "cosines.",
            _pair_means(products, same) - base,
        ),
        ("These are per cent; cosines lie between -1 and 1.", (raw - base) * 100),
    ]


def _name_wrong_layer(got, raw, same, base):
    truth = raw - base
    if is_rounded_too_far(got, truth, DIGITS, SLACK):
        for name, *numbers in zip(("within", "across"), got, truth, strict=True):
            right_to(*numbers, DIGITS, name, slack=SLACK)
    wrong = np.abs(got - truth) > 0.5 * 10**-DIGITS + SLACK
    row, layer = np.argwhere(wrong)[0]
    count = np.triu(~same if row else same, k=1).sum()
    raise NotYet(
        f"{('within', 'across')[row]} is not what this model gives in layer {layer}, "
        f"the mean cosine of {count} pairs less {base[layer]:.3f}; yours is "
        f"{got[row, layer]:.3f}."
    )
