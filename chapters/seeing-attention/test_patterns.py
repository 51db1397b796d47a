"""The patterns: which token should look at which, and how well heads do so."""

import numpy as np
import torch

from chapters.seeing_attention.patterns import (
    head_scores,
    most_predictive,
    pattern_targets,
)
from helpers.attention import Reading
from tests.bad_input import one_line


def reading_of(tokens, segments=None, attention=None):
    """A Reading made by hand; a piece that starts with ## belongs to the last word."""
    special = np.isin(tokens, ["[CLS]", "[SEP]", "[PAD]"])
    starts = [not s and t[:2] != "##" for t, s in zip(tokens, special, strict=True)]
    owners = np.where(special, -1, np.cumsum(starts) - 1)
    n = len(tokens)
    return Reading(
        tokens=tokens,
        attention=np.full((1, 1, n, n), 1 / n) if attention is None else attention,
        special=special,
        segments=np.zeros(n, int) if segments is None else np.array(segments),
        owners=owners,
    )


def looks(reading, targets):
    """Which token looks at which, as a set of (token, token)."""
    names = reading.tokens
    return {(names[i], names[j]) for i, j in zip(*np.nonzero(targets), strict=True)}


def test_neighbours_are_words_within_a_sentence():
    reading = reading_of("[CLS] a b [SEP] c , [SEP] [PAD]".split(), [0] * 4 + [1] * 4)
    targets = pattern_targets(reading)
    assert looks(reading, targets["next word"]) == {("a", "b"), ("c", ",")}
    assert looks(reading, targets["previous word"]) == {("b", "a"), (",", "c")}
    assert (targets["next word"] == targets["previous word"].T).all()


def test_a_word_is_not_its_own_target_and_its_pieces_are_not_either():
    tokens = "[CLS] straw ##berries , a [SEP] straw ##berries , [SEP]".split()
    reading = reading_of(tokens, [0] * 6 + [1] * 4)
    same = pattern_targets(reading)["same or related word"]
    assert np.flatnonzero(same[1]).tolist() == [6, 7]
    assert np.flatnonzero(same[7]).tolist() == [1, 2]
    assert not same[3].any()  # punctuation


def test_the_other_sentence_is_the_other_one():
    tokens = "[CLS] the cat the [SEP] the kitten [SEP]".split()
    reading = reading_of(tokens, [0] * 5 + [1] * 3)
    targets = pattern_targets(reading, related=[("kitten", "cat")])
    same = targets["same or related word"]
    assert np.flatnonzero(same[1]).tolist() == [3, 5]
    assert np.flatnonzero(same[2]).tolist() == [6]  # a kitten is related to a cat
    other = targets["same word, other sentence"]
    assert np.flatnonzero(other[1]).tolist() == [5]
    assert np.flatnonzero(other[6]).tolist() == [2]


def test_delimiters_are_looked_at_by_words_only():
    reading = reading_of("[CLS] a b [SEP] [PAD]".split())
    delimiter = pattern_targets(reading)["delimiter"]
    assert delimiter.any(axis=1).tolist() == [False, True, True, False, False]
    assert np.flatnonzero(delimiter[1]).tolist() == [0, 3, 4]


def test_predictive_words_are_taken_as_given_where_they_fit():
    reading = reading_of("[CLS] a b [SEP]".split())
    targets = pattern_targets(reading, predictors=[-1, 2, 1, -1])
    assert looks(reading, targets["predictive word"]) == {("a", "b"), ("b", "a")}
    assert "predictive word" not in pattern_targets(reading)
    for places in ([0], [99] * 4):
        one_line(ValueError, lambda p=places: pattern_targets(reading, (), p))


def test_the_predictive_word_is_the_one_that_is_missed_most(bert):
    assert most_predictive(bert, "Birds.").tolist() == [-1] * 4
    sentence = "The old man fed the birds."
    ids = bert.tokenizer(sentence, return_tensors="pt")["input_ids"]
    best = most_predictive(bert, sentence)
    assert best[0] == best[-1] == best[-2] == -1  # [CLS], the stop, [SEP]

    def chance(i, j):
        masked = ids.clone()
        masked[0, [i, j]] = bert.tokenizer.mask_token_id
        with torch.inference_mode():
            logits = bert.mlm(input_ids=masked).logits
        return logits[0, i].log_softmax(-1)[ids[0, i]].item()

    for i in (1, 4, 6):
        others = [j for j in range(1, 7) if j != i]
        assert best[i] == min(others, key=lambda j: chance(i, j))


def test_a_score_is_the_mean_weight_on_the_targets():
    attention = np.zeros((2, 1, 3, 3))
    attention[0, 0] = [[0.1, 0.2, 0.7], [0.3, 0.3, 0.4], [0.5, 0.5, 0.0]]
    targets = np.array([[0, 1, 1], [0, 0, 0], [1, 0, 0]])
    np.testing.assert_allclose(head_scores(attention, targets), [[0.7], [0.0]])
    assert np.isnan(head_scores(attention, np.zeros((3, 3)))).all()
