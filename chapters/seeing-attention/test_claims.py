"""What the chapter computes and claims, on a small random BERT."""

import numpy as np
import pytest

from helpers.attention import head_scores
from helpers.attention import patterns as attention_patterns

# Published or made-up figures that the text holds.
TYPED = "0.05 0.1 0.8"


@pytest.fixture(scope="module")
def chapter(cells, tiny_bert_folder):
    """All names after the cells before the quiz, with three of the sentence pairs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(attention_patterns, "PAIRS", attention_patterns.PAIRS[:3])
        return cells.before("import quiz", tiny_bert_folder)


def test_next_word_targets_leave_out_special_tokens_on_both_sides(chapter):
    tokens = ["[CLS]", "a", "b", "[SEP]", "c", "d", "[SEP]", "[PAD]"]
    found = np.argwhere(chapter["next_word_targets"](tokens))
    assert found.tolist() == [[1, 2], [4, 5]]


def test_a_score_is_the_mean_weight_of_the_tokens_that_have_a_target(chapter):
    """Token 0 may look at 1 or 2, token 1 at 0, token 2 at nothing."""
    targets = np.array([[0, 1, 1], [1, 0, 0], [0, 0, 0]], bool)
    first = [[0.2, 0.5, 0.3], [0.6, 0.2, 0.2], [1, 0, 0]]
    second = [[1, 0, 0], [0, 1, 0], [0, 1, 0]]
    found = chapter["pattern_score"](np.array([[first, second]]), targets)
    np.testing.assert_allclose(found, [[0.7, 0]])
    real = chapter["pair"].attention
    follows = chapter["next_word_targets"](chapter["pair"].tokens)
    live = head_scores(real, follows)  # what the box of the page shows
    np.testing.assert_allclose(chapter["pattern_score"](real, follows), live)


def test_a_pair_is_scored_by_the_head_chosen_on_the_other_half(chapter, monkeypatch):
    monkeypatch.setitem(chapter, "half", np.arange(4) % 2)
    scores = np.zeros((4, 2, 3))  # pairs, layers, heads
    scores[[0, 2], 0, 1] = 0.9, 0.7  # best on pairs 0 and 2
    scores[[1, 3], 0, 1] = 0.2, 0.1
    scores[[1, 3], 1, 2] = 0.8, 0.6  # best on pairs 1 and 3
    scores[[0, 2], 1, 2] = 0.4, 0.3
    found = chapter["held_out"](scores, scores)
    np.testing.assert_allclose(found, [0.4, 0.2, 0.3, 0.1])
    elsewhere = chapter["held_out"](scores, np.flip(scores, axis=2))
    np.testing.assert_allclose(elsewhere, [0, 0.2, 0, 0.1])


def test_the_best_distance_is_all_that_positions_can_give(chapter):
    results = chapter["results"]
    for pattern in ("next word", "previous word"):
        np.testing.assert_allclose(results[pattern]["best distance"], 1)
    assert np.mean(results["predictive word"]["best distance"]) < 1
    of_distances = chapter["pair_scores"](
        chapter["examples"], "next word", distances=True
    )
    assert of_distances.shape == (len(chapter["examples"]), 1, 41)
    assert of_distances[:, 0, 21].tolist() == [1] * len(
        of_distances
    )  # one to the right


def test_moved_targets_are_as_many_for_each_token(chapter, monkeypatch):
    seen = []
    monkeypatch.setitem(
        chapter, "pattern_score", lambda _, targets: seen.append(targets) or 0
    )
    examples = chapter["examples"]
    chapter["pair_scores"](examples, "delimiter", rng=np.random.default_rng(0))
    for example, moved in zip(examples, seen, strict=True):
        targets = example.targets["delimiter"]
        assert (moved.sum(axis=1) == targets.sum(axis=1)).all()
        assert (moved != targets).any()


def test_the_pair_has_the_nineteen_tokens_of_the_text(chapter):
    assert len(chapter["pair"].tokens) == 19
    assert chapter["pair"].tokens[12:14] == ["i", "bought"]  # "which is i"


def test_queries_and_keys_give_the_weights_of_the_view(chapter, cells):
    names = cells.run("products = query", page=dict(chapter))
    products = names["products"].sum(dim=-1).softmax(dim=-1)
    before = names["layer"], names["head"]
    np.testing.assert_allclose(products, names["pair"].attention[before], atol=1e-5)


def test_what_arrives_adds_up_to_the_output_of_the_layer(chapter, tiny):
    """Weights times what each token hands over: the output, but for its bias."""
    pair, layer = tiny.encode("A cat sat.", "It slept."), 1
    states = tiny.model(**pair, output_hidden_states=True).hidden_states[layer]
    block = tiny.model.encoder.layer[layer].attention
    value = block.self.value(states)[0].unflatten(-1, (tiny.n_heads, -1))
    weight = block.output.dense.weight.unflatten(-1, (tiny.n_heads, -1))
    for head in range(tiny.n_heads):
        handed = (value[:, head] @ weight[:, head].T).norm(dim=-1)
        found = chapter["lengths"](states[0], layer)[head]
        np.testing.assert_allclose(found, handed.detach(), rtol=1e-4)


def test_the_blank_sentence_has_one_vector_for_every_word(chapter, tiny):
    words = chapter["words"]
    blank = words.mean(1, keepdim=True).expand_as(words)
    again = chapter["weights_of"](inputs_embeds=blank)
    np.testing.assert_allclose(chapter["blank"], again, atol=1e-6)
    assert np.abs(chapter["blank"] - chapter["cat"].attention).max() > 1e-3


def test_entropies_lie_between_one_token_and_all(chapter, cells):
    names = cells.run("spread = [", page=dict(chapter))
    most = np.log(max(len(reading.tokens) for reading in names["readings"]))
    for entropy in (names["usual"], names["wide"]):
        assert ((0 <= entropy) & (entropy <= most)).all()
    reading, spread = names["readings"][1], names["spread"][1]
    row = reading.attention[1, :, 0]  # (heads, tokens): what [CLS] looks at
    expected = -(row * np.log(row)).sum(axis=-1).mean()
    assert spread[1, 0] == pytest.approx(expected, rel=1e-4)
