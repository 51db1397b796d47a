"""The vector of a word: its pieces and layers, for any words; all else is named."""

import numpy as np
import pytest
import torch

from helpers import embeddings
from helpers.embeddings import embed_words
from tests.bad_input import one_line

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


def pieces_of(bert, words, position):
    """Encode a sentence and find a word by its characters, not by word_ids()."""
    text = " ".join(words)
    begin = len(" ".join([*words[:position], ""])) if position else 0
    end = begin + len(words[position])
    encoding = bert.tokenizer(text, return_offsets_mapping=True, verbose=False)
    places = [
        i
        for i, (start, stop) in enumerate(encoding["offset_mapping"])
        if begin <= start < stop <= end
    ]
    return encoding["input_ids"], places


@torch.no_grad()
def plain(bert, words, position):
    """Embed one word with nothing but the model: (n_layers + 1, hidden)."""
    ids, places = pieces_of(bert, words, position)
    output = bert.model(torch.tensor([ids]).to(bert.device), output_hidden_states=True)
    states = torch.stack(output.hidden_states)[:, 0]
    return sum(states[:, place] for place in places).cpu().numpy() / len(places)


def test_batches_equal_one_sentence_at_a_time(bert, monkeypatch):
    monkeypatch.setattr(embeddings, "BATCH_PIECES", 60)  # several uneven batches
    expected = np.stack(
        [plain(bert, *row) for row in zip(SENTENCES, POSITIONS, strict=True)]
    )
    every = embed_words(bert, SENTENCES, POSITIONS, layers="all", dtype="float32")
    assert every.shape == expected.shape == (6, bert.n_layers + 1, bert.hidden_size)
    assert every.dtype == np.float32 and np.isfinite(every).all()
    assert np.abs(every - expected).max() < 1e-5
    mean = embed_words(bert, SENTENCES, POSITIONS, dtype="float32")
    assert mean.shape == (6, bert.hidden_size)
    assert np.abs(mean - expected[:, -4:].mean(1)).max() < 1e-5
    # the vectors of different sentences are far apart, so their order matters
    assert np.abs(expected[1:] - expected[:-1]).max((1, 2)).min() > 0.1


def test_layers_are_counted_as_documented(tiny):
    def embed(layers):
        return embed_words(tiny, SENTENCES, POSITIONS, layers=layers, dtype="float32")

    every = embed("all")
    for layer in range(3):
        assert np.allclose(embed([layer]), every[:, layer], atol=1e-5)
        assert np.array_equal(embed([layer - 3]), embed([layer]))
    assert np.array_equal(embed([1, 1]), embed([1]))
    assert np.allclose(embed(np.array([0, -1])), every[:, [0, 2]].mean(1), atol=1e-6)
    assert not np.allclose(every[:, 1], every[:, 2], atol=0.1)


@pytest.mark.parametrize("position", [0, 1000, 1999])
def test_word_of_a_very_long_sentence_is_kept_in_view(tiny, position):
    words = ["strawberries", "on", "a", "deck"] * 500  # 3,000 pieces
    words[position] = "caterpillar"
    vector = embed_words(tiny, [words], [position], layers=[-1], dtype="float32")[0]
    ids, places = pieces_of(tiny, words, position)
    seen = range(max(1, places[0] - 230), min(len(ids) - 1, places[-1] + 230))
    start = min(max(places[len(places) // 2] - 255, 1), len(ids) - 1 - 510)
    window = [ids[0], *ids[start : start + 510], ids[-1]]
    assert set(seen) <= set(range(start, start + 510))
    with torch.no_grad():
        last = tiny.model(torch.tensor([window])).last_hidden_state[0]
    chosen = [place - start + 1 for place in places]
    assert np.abs(vector - last[chosen].mean(0).numpy()).max() < 1e-5


def test_sentence_of_exactly_the_limit_is_read_whole(tiny):
    for n_words in (510, 511):
        words = ["deck"] * (n_words - 1) + ["crane"]
        vector = embed_words(tiny, [words], [n_words - 1], [-1], "float32")[0]
        ids = pieces_of(tiny, words[-510:], 509)[0]
        with torch.no_grad():
            last = tiny.model(torch.tensor([ids])).last_hidden_state[0, 510]
        assert np.abs(vector - last.numpy()).max() < 1e-5


def test_bfloat16_is_close(bert):
    exact = embed_words(bert, SENTENCES, POSITIONS, layers="all", dtype="float32")
    rough = embed_words(bert, SENTENCES, POSITIONS, layers="all", dtype="bfloat16")
    assert rough.dtype == np.float32 and not np.array_equal(rough, exact)
    lengths = np.linalg.norm(rough, axis=-1) * np.linalg.norm(exact, axis=-1)
    assert ((rough * exact).sum(-1) / lengths).min() > 0.99
    assert next(bert.model.parameters()).dtype == torch.float32


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_trained_weights_give_new_vectors(tiny, dtype):
    before = embed_words(tiny, SENTENCES, POSITIONS, [-1], dtype)
    table = tiny.model.get_input_embeddings().weight
    try:
        with torch.no_grad():
            table.neg_()
        after = embed_words(tiny, SENTENCES, POSITIONS, [-1], dtype)
    finally:
        with torch.no_grad():
            table.neg_()
    assert np.abs(after - before).max() > 0.1


def test_states_of_texts_and_pairs_are_those_of_each_alone(tiny):
    pairs = [("the crane is late", "ok"), ("a bus",), ("win", "the bus is late again")]
    encodings = [tiny.tokenizer(*pair) for pair in pairs]
    found = embeddings.piece_states(tiny, encodings, size=2)
    for pair, states in zip(pairs, found, strict=True):
        with torch.inference_mode():
            whole = tiny.model(**tiny.tokenizer(*pair, return_tensors="pt"))
        [alone] = whole.last_hidden_state
        assert states.shape == alone.shape
        assert np.allclose(states, alone, atol=1e-5)


# What it takes: lists, any words


TWO = [["the", "crane", "rose"], ["a", "deck"]]


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"sentences": [], "positions": []}, ["no sentences"]),
        ({"positions": [1]}, ["2 sentences", "1 positions"]),
        ({"positions": [1, 2]}, ["sentence 1", "2 words", "position 2"]),
        ({"positions": [1.0, 1]}, ["positions is [1.0, 1]", "whole numbers"]),
        ({"sentences": ["the crane", "a deck"]}, ["sentence 0", "list of words"]),
        ({"sentences": [TWO[0], ["a", "\u200d"]]}, ["sentence 1", "no pieces"]),
        ({"sentences": [TWO[0], ["a", "\ud83d"]]}, ["sentence 1", "half a character"]),
        ({"layers": (0, -4)}, ["-4", "-3 to 2"]),
        ({"layers": "last"}, ["'last'", '"all"']),
        ({"dtype": "float16"}, ["'float16'", '"float32"', '"bfloat16"']),
    ],
)
def test_wrong_input_is_named(tiny, changed, words):
    arguments = {"sentences": TWO, "positions": [1, 1], "layers": [-1]} | changed
    message = one_line(ValueError, lambda: embed_words(tiny, **arguments))
    assert [w for w in words if w not in message] == []
