"""What `embed_words` takes: lists, generators, any words; all else is named."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from helpers import embeddings
from helpers.embeddings import embed_words
from tests.bad_input import answered, one_line
from tests.helpers.test_embeddings import POSITIONS, SENTENCES
from tests.strategies import few, texts

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
def test_wrong_generator_is_named(tiny, monkeypatch, sentences, positions, words):
    monkeypatch.setattr(embeddings, "CHUNK", 2)
    rows = iter(sentences)
    message = one_line(ValueError, lambda: embed_words(tiny, rows, positions, [-1]))
    assert [w for w in words if w not in message] == []


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
    message = one_line(ValueError, lambda: embed_words(tiny, **arguments))
    assert [w for w in words if w not in message] == []


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
