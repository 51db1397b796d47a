"""Claims of the chapter, and the functions that it defines."""

import numpy as np
import pandas as pd
import pytest
import torch

from helpers.models import load_bert
from tests.lifted import three

# Published or made-up figures that the text holds.
TYPED = "5.1 67.4 69.0 96.8 97.3"


@pytest.fixture(params=["course model", "random model"])
def model(request, monkeypatch):
    """The name of a model that load_bert() will give, here and in the chapter."""
    name = "embedded"
    if request.param == "random model":
        name = str(request.getfixturevalue("tiny_bert_folder"))
    monkeypatch.setenv("BERT_COURSE_MODEL", name)
    return load_bert()


def test_the_squares_are_those_that_the_text_describes(cells, model):
    names = cells.run("import nn", "def seen_by", "not_right =", "networks =")
    seen, left = names["seen"], np.tril(np.ones((6, 6), dtype=bool))
    for name in ("ULMFiT, ELMo\nforward", "OpenAI"):
        assert np.array_equal(seen[name], left), name
    assert np.array_equal(seen["ELMo\nbackward"], left.T)
    assert seen["BERT"].all()


def test_a_mixed_bidirectional_lstm_sees_what_it_has_to_predict(cells, model):
    names = cells.run(
        "import nn", "def seen_by", "not_right =", "networks =", "mixed = "
    )
    assert names["forward_half"].all()


def test_looking_spreads_unless_it_is_a_triangle_or_the_word_is_masked(cells, model):
    parts = "words = ", "def draw_squares", "networks =", "def seen_by"
    names = cells.run("import nn", *parts, "all_but_self =", "context = ")
    assert not names["all_but_self"].diagonal().any()
    assert names["two_layers"].all()
    stacked = names["context"] @ names["context"] @ names["context"]
    stick = names["words"].index("stick")
    assert not stacked[:, stick].any()
    assert np.delete(stacked, stick, axis=1).all()


def test_scalar_mix_is_the_formula_of_the_text(cells, model):
    scalar_mix = cells.run("import nn", "def scalar_mix")["scalar_mix"]
    layers, w = torch.randn(3, 5, 8), torch.tensor([0.3, -1.2, 2.0])
    s = w.exp() / w.exp().sum()
    by_hand = 1.7 * (s[0] * layers[0] + s[1] * layers[1] + s[2] * layers[2])
    torch.testing.assert_close(scalar_mix(layers, w, 1.7), by_hand)


def test_gradient_descent_finds_the_layer_and_the_size(cells, model):
    names = cells.run(
        "import nn", "def scalar_mix", "output_hidden_states", "optimizer ="
    )
    assert names["learned"].argmax() == names["middle"]
    assert abs(names["gamma"].item() - 2) < 0.2


def test_a_side_hides_the_words_of_the_other_and_nothing_else(cells, model):
    distributions = cells.run("import nn", "def distributions")["distributions"]
    texts = {
        "as it is": "We saw a [MASK] in the garden.",
        "left": "They heard the [MASK] in the garden.",
        "right": "We saw a [MASK] near some water.",
        "the stop": "We saw a [MASK] in the garden!",
        "longer": "We saw a [MASK] in the garden behind the old house.",
    }
    # what the answer depends on, by the side that may be looked at
    depends = {
        "left": {"left", "the stop", "longer"},  # the stop keeps its place
        "right": {"right", "the stop", "longer"},
        "both": {"left", "right", "the stop", "longer"},
    }
    for side, expected in depends.items():
        logs = np.log(distributions(list(texts.values()), side))
        moved = np.abs(logs - logs[0]).max(axis=1) > 1e-3
        assert {name for name, yes in zip(texts, moved, strict=True) if yes} == expected
        [alone] = np.log(distributions([texts["as it is"]], side))
        np.testing.assert_allclose(logs[0], alone, atol=1e-3)


@three("ahead of", "behind", "not told apart from", by=(4, 1 / 4, 1))
def test_the_page_says_how_the_contexts_did(cells, by, word):
    up, down = 64 * 1.2, 64 / 1.2
    ranks = pd.DataFrame(
        {
            "left": np.tile([up, down], 8),
            "right": by * np.tile([down, up], 8),
            "both": np.tile([up, up, down, down], 4) / by,
        }
    )
    said = cells.glued("doublings = ", ranks=ranks)
    assert said["both_left"] == said["both_right"] == said["left_right"] == word
    assert sum(said[f"both_{name}"] for name in ("wins", "ties", "loses")) == 16


def test_each_hidden_word_is_one_piece_of_the_vocabulary(cells, bert):
    pairs = cells.run("import nn", "pairs = [")["pairs"]
    assert len(pairs) == 16  # the text says sixteen
    for _, word in pairs:
        assert bert.tokenizer.tokenize(word) == [word]


def test_distributions_agree_with_predict_masked_in_a_padded_batch(cells, model):
    names = cells.run("import nn", "def distributions")
    texts = ["The [MASK] was cold.", "We took the [MASK] to the airport after lunch."]
    shares = names["distributions"](texts)
    np.testing.assert_allclose(shares.sum(axis=1), 1, atol=1e-4)
    for text, own in zip(texts, shares, strict=True):
        (piece, share), *_ = model.predict_masked(text, top=1)[0]
        assert model.tokenizer.convert_ids_to_tokens(int(own.argmax())) == piece
        assert own.max() == pytest.approx(share, rel=1e-3)


def test_ranks_count_from_one(cells, model):
    names = cells.run("import nn", "def distributions", "pairs = [", "ranks = {}")
    text, word = names["pairs"][0]
    guesses = [p for p, _ in model.predict_masked(text, top=len(model.tokenizer))[0]]
    assert names["ranks"].loc[word, "both"] == guesses.index(word) + 1
