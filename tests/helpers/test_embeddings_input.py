"""What `embed_words` takes: lists, generators, any words; all else is named."""

import numpy as np
import pytest
import torch
from hypothesis import example, given
from hypothesis import strategies as st

from helpers import embeddings
from helpers.embeddings import embed_words
from tests.bad_input import answered
from tests.strategies import few, texts

SENTENCES = [
    "a caterpillar sat on the crane .",
    "the crane rose .",
    "strawberries and cream , said the crane driver , are what the pitcher wanted .",
    "java !",
    "she drew the bow across the strings of an old double bass in the concert hall .",
    "the re-written deck's caterpillar-tracked crane , überholt , fell at 12:30 .",
]
SENTENCES = [sentence.split() for sentence in SENTENCES]
POSITIONS = [1, 1, 0, 0, 11, 3]  # words of 4, 1, 3, 1, 1 and many pieces
TWO = [["the", "crane", "rose"], ["a", "deck"]]


def test_generator_is_read_a_chunk_at_a_time(tiny, monkeypatch):
    monkeypatch.setattr(embeddings, "CHUNK", 2)
    read, embedded, ahead = 0, 0, []
    embed_batch = embeddings.embed_batch

    def counted():
        nonlocal read
        for words in SENTENCES * 4:
            read += 1
            yield words

    def watched(bert, encoder, rows, layer_ids):
        nonlocal embedded
        embedded += len(rows)
        ahead.append(read - embedded)
        return embed_batch(bert, encoder, rows, layer_ids)

    monkeypatch.setattr(embeddings, "embed_batch", watched)
    vectors = embed_words(tiny, counted(), POSITIONS * 4, [-1])
    assert read == embedded == len(vectors) == 24
    assert max(ahead) <= 4


@pytest.mark.parametrize(
    ("sentences", "positions", "words"),
    [
        ([], [0], ["no sentences"]),
        ([TWO[0]], [1, 1], ["1 sentences", "2 positions"]),
        ([*TWO, TWO[0]], [1, 1], ["more than 2 sentences", "2 positions"]),
        (TWO, [], ["no sentences"]),
        ([*TWO, TWO[1]], [1, 1, 2], ["sentence 2", "2 words", "position 2"]),
        ([*TWO, ["\u200d"]], [1, 1, 0], ["sentence 2: word '\\u200d' has no pieces"]),
    ],
)
def test_wrong_generator_is_named(
    tiny, tmp_path, monkeypatch, sentences, positions, words
):
    monkeypatch.setattr(embeddings, "CHUNK", 2)
    with pytest.raises(ValueError) as caught:
        embed_words(
            tiny, iter(sentences), positions, [-1], out=tmp_path / "vectors.npy"
        )
    message = str(caught.value)
    assert "\n" not in message and [w for w in words if w not in message] == []
    assert list(tmp_path.iterdir()) == []


def test_wrong_list_is_named_before_anything_is_computed(tiny, monkeypatch):
    monkeypatch.setattr(embeddings, "CHUNK", 2)
    monkeypatch.setattr(embeddings, "embed_batch", None)  # calling it would fail
    with pytest.raises(ValueError, match="sentence 5"):
        embed_words(tiny, SENTENCES, [*POSITIONS[:5], 99], [-1])


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"sentences": [], "positions": []}, ["no sentences"]),
        ({"positions": [1]}, ["2 sentences", "1 positions"]),
        ({"positions": [1, 1, 1]}, ["2 sentences", "3 positions"]),
        ({"positions": [1, 2]}, ["sentence 1", "2 words", "position 2"]),
        ({"positions": [-1, 1]}, ["sentence 0", "3 words", "position -1"]),
        ({"positions": [1, 10**30]}, ["sentence 1", f"position {10**30}"]),
        ({"positions": [1.0, 1]}, ["positions is [1.0, 1]", "whole numbers"]),
        ({"positions": ["1", "1"]}, ["positions is", "whole numbers"]),
        ({"positions": 1}, ["positions is 1", "whole numbers"]),
        ({"sentences": ["the crane", "a deck"]}, ["sentence 0", "list of words"]),
        ({"sentences": "ab"}, ["sentence 0", "list of words"]),
        ({"sentences": [TWO[0], ["a", 5]]}, ["sentence 1", "list of words"]),
        ({"sentences": [TWO[0], None]}, ["sentence 1", "list of words"]),
        ({"sentences": [TWO[0], []]}, ["sentence 1", "0 words"]),
        ({"sentences": [TWO[0], ["a", "\u200d"]]}, ["sentence 1", "no pieces"]),
        ({"layers": []}, ["layers []", "-3 to 2"]),
        ({"layers": [3]}, ["layers [3]", "-3 to 2"]),
        ({"layers": (0, -4)}, ["-4", "-3 to 2"]),
        ({"layers": -1}, ["layers is -1", "whole numbers"]),
        ({"layers": [1.5]}, ["layers is [1.5]", "whole numbers"]),
        ({"layers": "last"}, ["'last'", '"all"']),
        ({"dtype": "float16"}, ["'float16'", '"float32"', '"bfloat16"']),
    ],
)
def test_wrong_input_is_named(tiny, changed, words):
    arguments = {"sentences": TWO, "positions": [1, 1], "layers": [-1]} | changed
    with pytest.raises(ValueError) as caught:
        embed_words(tiny, **arguments)
    message = str(caught.value)
    assert "\n" not in message and [w for w in words if w not in message] == []


ODD = [None, ..., True, "1", b"1", [], [1], np.nan, np.zeros(0), torch.ones(1, 1)]


@few
@given(words=st.lists(texts, max_size=8), position=st.integers(-3, 10))
@example(words=["the", "crane", "rose"], position=1)
@example(words=["[MASK]", "[CLS]", "crane", "[SEP]"], position=2)
@example(words=["crane"] * 600, position=599)
@example(words=["a", "\ud83d", "crane"], position=2)
def test_any_words_give_the_vector_of_the_chosen_one_or_one_line(tiny, words, position):
    def embed(*rows):
        return embed_words(tiny, *zip(*rows, strict=True), [-1], "float32")

    alone = answered(lambda: embed((words, position)), ValueError)
    if alone is None:
        return
    assert alone.shape == (1, tiny.hidden_size) and np.isfinite(alone).all()
    # neither company nor a repeat changes it
    other = (["a", "longer", "sentence", "than", "that", "one"] * 3, 4)
    three = embed(other, (words, position), (words, position))
    assert np.abs(three[1:] - alone).max() < 1e-4


def test_ten_thousand_words_are_read_around_the_chosen_one(tiny):
    words = ["deck", "of", "cards", "."] * 2500
    words[7000] = "crane"
    far = [*reversed(words[:6000]), *words[6000:8000], *reversed(words[8000:])]
    vectors = [
        embed_words(tiny, [w], [w.index("crane")], [-1], "float32")
        for w in (words, far)
    ]
    assert np.abs(vectors[0] - vectors[1]).max() < 1e-5


@few
@given(position=st.one_of(st.integers(), st.floats(), st.sampled_from(ODD)))
def test_only_a_whole_number_within_the_sentence_is_a_position(tiny, position):
    words = ["the", "crane", "rose"]
    vector = answered(lambda: embed_words(tiny, [words], [position], [-1]), ValueError)
    assert (vector is not None) == (isinstance(position, int) and 0 <= position < 3)
