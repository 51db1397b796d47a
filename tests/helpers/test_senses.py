"""Nearest-sense classification, its scores, and its baselines."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis.extra import numpy as arrays

from experiments.word_senses import evaluate_word
from helpers import senses
from helpers.embeddings import embed_words
from helpers.senses import (
    bootstrap_interval,
    nearest_sense,
    score,
    static_context_vectors,
)
from tests.bad_input import answered, one_line
from tests.strategies import many

# By hand


def test_nearest_sense_goes_by_angle():
    train = np.array([[10.0, 0], [10, 2], [0, 1], [0, 1]])
    labels = [5, 5, 2, 2]
    # by distance the first would be 2, by angle it is 5
    test = np.array([[1.0, 0.1], [0, 40], [3, 1], [1, 3]])
    assert nearest_sense(train, labels, test).tolist() == [5, 2, 5, 2]
    # a sense is the mean of its vectors, not the nearest of them
    spread = np.array([[1.0, 0], [0, 1], [0.9, -0.1]])
    assert nearest_sense(spread, [1, 1, 0], np.array([[1.0, 0.05]])).tolist() == [0]


def test_senses_that_are_not_answered_or_not_there_in_macro_f1():
    # a sense that is never answered counts as 0, one not in the labels not at all
    assert score([0, 0, 1], [0, 0, 0])["macro_f1"] == pytest.approx(0.4)
    assert score([0, 0], [0, 2])["macro_f1"] == pytest.approx(2 / 3)


# The bootstrap


def test_interval_of_nothing_or_of_no_numbers_is_refused():
    with pytest.raises(ValueError, match="give at least one"):
        bootstrap_interval([])
    for correct in ([0, 1, np.nan], ["a"]):
        one_line(ValueError, lambda correct=correct: bootstrap_interval(correct))


# The static baseline


def test_static_vectors_are_the_mean_of_the_other_pieces(tiny):
    words = ["the", "crane", "ate", "strawberries"]
    ids = tiny.tokenizer("the ate strawberries", add_special_tokens=False)["input_ids"]
    assert len(ids) == 4  # strawberries is two pieces
    table = tiny.model.get_input_embeddings().weight.detach().numpy()
    vectors = static_context_vectors(tiny, [words], [1])
    assert vectors.shape == (1, 32) and vectors.dtype == np.float32
    assert np.allclose(vectors[0], table[ids].mean(0), atol=1e-6)


# A word


@pytest.fixture(scope="module")
def crane(bert):
    """The train and test sentences of the sample, and the table of scores."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COARSE_WSD_HOME", "sample")
        train, test = (senses.load_coarse_wsd("crane", s) for s in ("train", "test"))
        return train, test, evaluate_word(bert, "crane")


@pytest.mark.parametrize(
    ("layers", "row"), [([0], 0), ([3], 3), ((-4, -3, -2, -1), "last four")]
)
def test_score_of_a_layer_is_the_one_by_hand(bert, crane, layers, row):
    *parts, table = crane
    train, test = (
        embed_words(bert, part.sentence, part.word_pos, layers, "float32")
        for part in parts
    )
    answers = nearest_sense(train, parts[0].label, test)
    expected = score(parts[1].label, answers)
    found = table[(table.layer.fillna(-1) == row) | (table.method == row)]
    assert found[["accuracy", "macro_f1"]].to_dict("records") == [expected]


@many
@given(vectors=arrays.arrays(np.float64, (2, 3)))
@example(vectors=np.array([[1e300, 1e300, 0.0]]))
@example(vectors=np.array([[5e-324, 0.0, 0.0]]))
@example(vectors=np.array([[np.nan, 1.0, 0.0]]))
@example(vectors=np.array([[np.inf, 1.0, 0.0]]))
def test_unit_vectors_have_length_1_or_nothing_is_returned(vectors):
    scaled = answered(lambda: senses.unit(vectors), ValueError)
    assert (scaled is not None) == np.isfinite(vectors).all()
    if scaled is not None:
        lengths = np.linalg.norm(scaled, axis=-1)
        assert np.allclose(lengths, (vectors != 0).any(axis=-1))
        assert (scaled * vectors >= 0).all()


@pytest.mark.parametrize("labels", [[0], [[0, 1]]])
def test_labels_that_do_not_fit_the_vectors_are_refused(labels):
    message = one_line(ValueError, lambda: senses.sense_centroids(np.eye(2), labels))
    assert "one label for each vector" in message
