"""Checks of the chapter, contextual embeddings; the running model gives the truth."""

import reprlib
from collections import Counter
from functools import lru_cache, partial

import numpy as np
import pandas as pd
import torch

from helpers.datasets import coarse_wsd_words
from helpers.embeddings import embed_words
from helpers.exercises import NotYet
from helpers.exercises.asking import (
    a_dict,
    a_list,
    a_text,
    a_whole_number,
    an_array,
    is_right_to,
)
from helpers.exercises.mistakes import Mistakes
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
    ("it's a field beside a field", "field"),
    ("no field , no crop : the field. is sold", "field"),
    ("Field by field", "field"),
    ("a Field is no field", "Field"),
    ("the café beside the cafe", "café"),
    (LONG, "field"),
    ("caterpillars", "caterpillars"),
    ("", "field"),
)


def check_1(answer):
    """A function: words, word -> for each occurrence, the places of its pieces."""
    cases = [(text.split(), word) for text, word in PLACES]
    TABLES[1].ask(
        "places_of", answer, cases, read=_lists_of_places, otherwise=_misplaced
    )
    return "Two, one or none: the tokenizer's record has an answer for each."


END = -1  # of an occurrence, where lists of places are put in a row


def _in_a_row(lists):
    return [place for places in lists for place in (*places, END)]


def _lists(row):
    """The lists of places that `_in_a_row` has put in a row."""
    found = [[]]
    for place in map(int, row):
        found[-1:] = [found[-1], []] if place == END else [[*found[-1], place]]
    return found[:-1]


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


def _of_indices(shift):
    return lambda ws, w: [[i + shift] for i, other in enumerate(ws) if other == w]


def _changed(change):
    return lambda words, word: [change(places) for places in _places(words, word)]


PLACE_MISTAKES = {
    "These are indices of words, or those plus 1. [CLS] and split words move pieces.": (
        _of_indices(0),
        _of_indices(1),
    ),
    "Your places are one too small: [CLS] takes place 0.": (
        _changed(lambda places: [place - 1 for place in places])
    ),
    "You name one piece of the word only; name the places of all of them.": (
        _changed(lambda places: places[:1]),
        _changed(lambda places: places[-1:]),
    ),
    "You name one occurrence only; give one list for each.": (
        lambda words, word: _places(words, word)[:1],
        lambda words, word: _places(words, word)[-1:],
    ),
    "You name the first occurrence each time, as words.index finds it.": (
        lambda words, word: _places(words, word)[:1] * words.count(word)
    ),
    "You join the words to a text, which the tokenizer splits anew: don't becomes "
    "three words. Pass the list, with is_split_into_words=True.": _joined,
    "You look for the pieces of the word in a row. Other words may begin with the same "
    "pieces; compare the indices of words.": _runs,
    "You also find the word in other letters: Field is not spelled as field is.": (
        lambda words, word: _places(words, word, lambda a, b: a.lower() == b.lower())
    ),
}


def _lists_of_places(result, words, word):
    hint = f"Give one list of places for each {word!r}, such as [[2], [5, 6]]."

    def places(entry, what):
        return a_list(entry, what, each=a_whole_number, hint=hint)

    return _in_a_row(a_list(result, "The answer", each=places, hint=hint))


def _misplaced(got, truth, words, word):
    return (
        f"In {reprlib.repr(' '.join(words))} expected {_lists(truth)[:5]}, a list of "
        f"places for each {word!r}; yours is {_lists(got)[:5]}."
    )


VECTORS = (
    ("strawberries grow in the field", 4, (-2, -1)),
    ("the caterpillars ate the strawberries", 4, (-1,)),
    ("strawberries grow in the field", 0, (0, 2, -1)),
    ("the field beyond the field lay fallow", 1, (-1,)),
    ("the field beyond the field lay fallow", 4, (0,)),
    ("don't cross the field at noon", 3, (-1,)),
    (LONG, 39, (-1,)),
    ("strawberries grow", 1, (0, -1)),
    ("strawberries", 0, (-1,)),
    ("the caterpillars ate the strawberries", 1, (-1,)),
)


def check_2(answer):
    """A function: words, position, layers -> the vector of the word, (hidden,)."""
    ours = [(text.split(), *given) for text, *given in VECTORS]
    TABLES[2].ask("word_vector", answer, ours, read=_vector, otherwise=_another)
    for case in ours[:2]:  # watching is slow
        with without("helpers.embed_words"):
            answer(*case)
    return "The right piece or pieces, the right layers, one vector."


def _near_vector(got, wanted, *case):
    return np.allclose(got, wanted, rtol=1e-4, atol=6e-5)  # to four decimals


def _another(got, wanted, words, position, layers):
    text = " ".join(words)
    pieces = (_states(text, load_bert().name)[1] == position).sum()
    return (
        "The vector is not the one that this model gives for word "
        f"{position} of {text[:60]!r}, layers {layers}: the mean of "
        f"{pieces} x {len(layers)} vectors, of its pieces and the layers."
    )


def _vector(result, words, position, layers):
    width, n = load_bert().hidden_size, len(layers)
    if n > 1 and getattr(result, "shape", None) == (n * width,):
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


def _mean_of(places=lambda own, owners: own, layers=lambda named, n: named):
    """The mean over places and layers, both as functions choose them.

    places(those of the word, owners); layers(those that are named, the last one).
    """

    def vector(words, position, named):
        states, owners = _states(" ".join(words), load_bert().name)
        own = places(np.flatnonzero(owners == position), owners) % len(owners)
        return states[layers(list(named), len(states) - 1)][:, own].mean((0, 1))

    return vector


_right_vector = _mean_of()


def _at_index(shift):
    def vector(words, position, layers):
        states, _ = _states(" ".join(words), load_bert().name)
        return states[list(layers), position + shift].mean(0)

    return vector


def _summed(axis):
    def vector(words, position, layers):
        states, owners = _states(" ".join(words), load_bert().name)
        chosen = states[list(layers)][:, owners == position]
        return _right_vector(words, position, layers) * chosen.shape[axis]

    return vector


def _other_occurrence(which):
    def vector(words, position, layers):
        places = [i for i, word in enumerate(words) if word == words[position]]
        return _right_vector(words, places[which], layers)

    return vector


VECTOR_MISTAKES = {
    "This is the piece at the word's own index, or the next. [CLS] comes first, and "
    "words before it were split: use word_ids().": (_at_index(0), _at_index(1)),
    "This is one piece of the word alone. Average all its pieces.": (
        _mean_of(lambda own, owners: own[:1]),
        _mean_of(lambda own, owners: own[-1:]),
    ),
    "Your places are one off: [CLS] takes place 0.": (
        _mean_of(lambda own, owners: own - 1),
        _mean_of(lambda own, owners: own + 1),
    ),
    "This is the mean over the whole sentence; average the pieces of the word.": (
        _mean_of(lambda own, owners: np.arange(len(owners))),
        _mean_of(lambda own, owners: np.flatnonzero(owners >= 0)),
    ),
    "These are other hidden states, the first, the last or all of them. Take those "
    "that layers names.": (
        _mean_of(layers=lambda named, n: range(len(named))),
        _mean_of(layers=lambda named, n: range(n + 1 - len(named), n + 1)),
        _mean_of(layers=lambda named, n: [-1]),
        _mean_of(layers=lambda named, n: range(n + 1)),
    ),
    "The layers are one off: hidden state 0 is the input embeddings and counts. So -1 "
    "is the last layer.": (
        _mean_of(layers=lambda named, n: [min(i + (i >= 0), n) for i in named]),
        _mean_of(layers=lambda named, n: [i % n for i in named]),
    ),
    "This is the sum of the layers, or of the pieces; take their mean.": (
        _summed(0),
        _summed(1),
    ),
    "Where the word occurs twice you take another one; position says which.": (
        _other_occurrence(0),
        _other_occurrence(-1),
    ),
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
    given = tuple(map(tuple, sentences)), tuple(positions), tuple(senses)
    TABLES[3].judge([(given, got)], _wrong_layer)
    return (
        "As a share of the room above random words the gap is widest after "
        f"{_widest(got, _base())} layers. Would it still be with one sentence less?"
    )


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
    vectors = unit(vectors).swapaxes(0, 1)
    return vectors @ vectors.swapaxes(1, 2)


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


def _base():
    return _baseline(load_bert().name)


@lru_cache(maxsize=20)
def _tables(name, sentences, positions, dtype):
    """Cosines of every two words: (layers + 1, n, n)."""
    sentences = [list(words) for words in sentences]
    return _cosines(embed_words(load_bert(), sentences, positions, "all", dtype))


def _means(sentences, positions, senses, dtype="float32", pairs=None):
    """The means within and across by layer: (2, layers + 1).

    pairs(an array of True): those that are taken, in place of each pair once.
    """
    tables = _tables(load_bert().name, sentences, positions, dtype)
    same = np.array(senses)[:, None] == np.array(senses)
    taken = (pairs or partial(np.triu, k=1))(np.ones_like(same))
    kinds = same & taken, ~same & taken
    return np.stack([tables[:, kind].mean(1) for kind in kinds])


def _gaps(*given, **options):
    return _means(*given, **options) - _base()


def _near_gaps(got, wanted, *given):
    """Near, or what half precision gives."""
    halves = _gaps(*given, dtype="bfloat16")
    return any(is_right_to(got, x, DIGITS, SLACK) for x in (wanted, halves))


GAP_MISTAKES = {
    "These are the bare cosines; subtract the baseline of each layer.": _means,
    "within and across are swapped: within is for pairs of one sense.": (
        lambda *given: _gaps(*given)[::-1]
    ),
    "You took one baseline for all layers; each has its own.": (
        lambda *given: _means(*given) - _base()[-1],
        lambda *given: _means(*given) - _base()[0],
        lambda *given: _means(*given) - _base().mean(),
    ),
    "The baseline is added, or the difference is turned: cosine less baseline.": (
        lambda *given: _means(*given) + _base(),
        lambda *given: -_gaps(*given),
    ),
    "Your means within a sense count each vector with itself; leave the diagonal "
    "out.": (partial(_gaps, pairs=np.triu), partial(_gaps, pairs=np.copy)),
}


def _wrong_layer(got, truth, sentences, positions, senses):
    wrong = np.abs(got - truth) > 0.5 * 10**-DIGITS + SLACK
    row, layer = np.argwhere(wrong)[0]
    same = sum(n * (n - 1) // 2 for n in Counter(senses).values())
    count = len(senses) * (len(senses) - 1) // 2 - same if row else same
    return (
        f"{('within', 'across')[row]} is not what this model gives in layer {layer}, "
        f"the mean cosine of {count} pairs less {_base()[layer]:.3f}; yours is "
        f"{got[row, layer]:.3f}."
    )


TABLES = {
    1: Mistakes(
        _places,
        PLACE_MISTAKES,
        "Each place",
        numbers=lambda places, *given: _in_a_row(places(*given)),
    ),
    2: Mistakes(_right_vector, VECTOR_MISTAKES, "Each number", near=_near_vector),
    3: Mistakes(_gaps, GAP_MISTAKES, "Each number", DIGITS, _near_gaps),
}
