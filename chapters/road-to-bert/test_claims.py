"""Claims of the chapter, and the functions that it defines."""

import re

import numpy as np
import pytest
import torch

from helpers.models import load_bert

# Published or made-up figures that the text holds.
TYPED = "5.1 67.4 69.0 96.8 97.3 82.1 83.9"


@pytest.fixture
def model(tiny_bert_folder, monkeypatch):
    """The random model that load_bert() will give, here and in the chapter."""
    monkeypatch.setenv("BERT_COURSE_MODEL", str(tiny_bert_folder))
    return load_bert()


def test_a_path_from_word_to_place_is_found_where_one_is_planted(cells):
    seen_by = cells.run("import nn", "def seen_by", load_bert=load_bert)["seen_by"]
    path = torch.zeros(5, 5)
    path[3, 1] = path[0, 4] = 0.01  # faint, and in both directions
    found = seen_by(lambda x: path @ x, torch.randn(1, 5, 8))
    assert np.argwhere(found).tolist() == [[0, 4], [3, 1]]


def test_products_of_masks_are_what_real_layers_see(cells, model):
    """With residual connections, as in the deeper section; any two masks."""
    parts = "not_right =", "def seen_by", "others = ", "everything = "
    names = cells.run("import nn", *parts, "def seen_after", load_bert=load_bert)
    own, random = np.eye(6, dtype=bool), np.random.default_rng(0)
    for _ in range(5):
        masks = random.random((2, 6, 6)) < 0.3
        masks |= masks.sum(axis=2, keepdims=True) == 0  # somewhere to look
        below = masks[0] | own
        for depth, told in ((1, below), (2, (masks[1] | own) @ below)):
            assert np.array_equal(names["seen_after"](depth, masks), told)


def test_a_side_hides_the_words_of_the_other_and_nothing_else(cells, model):
    distributions = cells.run("import nn", "def distributions", load_bert=load_bert)[
        "distributions"
    ]
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


def test_the_sentences_have_words_on_both_sides_of_one_piece(cells, bert):
    names = cells.run("import nn", "cloze = pd.read_csv", load_bert=load_bert)
    assert len(names["texts"]) == len(names["answers"])
    for text, word in zip(names["texts"], names["answers"], strict=True):
        left, right = text.removesuffix(".").split("[MASK]")
        for side in (left, right):
            assert len(re.findall(r"\w+", side)) >= 3, text
        assert bert.tokenizer.tokenize(word) == [word]


def test_distributions_agree_with_predict_masked_in_a_padded_batch(cells, model):
    names = cells.run("import nn", "def distributions", load_bert=load_bert)
    texts = ["The [MASK] was cold.", "We took the [MASK] to the airport after lunch."]
    shares = names["distributions"](texts)
    np.testing.assert_allclose(shares.sum(axis=1), 1, atol=1e-4)
    for text, own in zip(texts, shares, strict=True):
        (piece, share), *_ = model.predict_masked(text, top=1)[0]
        assert model.tokenizer.convert_ids_to_tokens(int(own.argmax())) == piece
        assert own.max() == pytest.approx(share, rel=1e-3)


def test_ranks_count_from_one(cells, model):
    names = cells.run(
        "import nn", "def distributions", "cloze = ", "ranks = pd", load_bert=load_bert
    )
    text, word = names["texts"][0], names["answers"][0]
    guesses = [p for p, _ in model.predict_masked(text, top=len(model.tokenizer))[0]]
    assert names["ranks"]["both"].iloc[0] == guesses.index(word) + 1
