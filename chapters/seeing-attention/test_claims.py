"""What the chapter computes and claims, on a small random BERT."""

import numpy as np
import pytest
import torch

from chapters.seeing_attention import controls
from chapters.seeing_attention.patterns import head_scores

# Published or made-up figures that the text holds.
TYPED = "0.05 0.1 0.125 0.2 0.4 0.5 0.8 1.0 0.03"


@pytest.fixture(scope="module")
def chapter(cells, tiny_bert_folder):
    """All names after the cells before the quiz."""
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


def test_a_pair_is_scored_by_the_head_chosen_on_the_other_half(chapter):
    scores = np.zeros((4, 2, 3))  # pairs, layers, heads
    scores[[0, 2], 0, 1] = 0.9, 0.7  # best on pairs 0 and 2
    scores[[1, 3], 0, 1] = 0.2, 0.1
    scores[[1, 3], 1, 2] = 0.8, 0.6  # best on pairs 1 and 3
    scores[[0, 2], 1, 2] = 0.4, 0.3
    found = chapter["held_out"](scores, scores)
    np.testing.assert_allclose(found, [0.4, 0.2, 0.3, 0.1])
    elsewhere = chapter["held_out"](scores, np.flip(scores, axis=2))
    np.testing.assert_allclose(elsewhere, [0, 0.2, 0, 0.1])


def test_the_best_distance_is_all_that_a_fixed_look_can_give(chapter):
    results, examples = chapter["results"], chapter["examples"]
    for pattern, step in (("next word", 1), ("previous word", -1)):
        np.testing.assert_allclose(results[pattern]["distance"], 1)
        assert results[pattern]["steps"] == [step, step]
    assert np.mean(results["predictive word"]["distance"]) < 1
    assert controls.distance_scores(examples, "next word").shape == (8, 1, 41)


def test_moved_targets_are_as_many_for_each_token(chapter, monkeypatch):
    seen = []
    monkeypatch.setitem(
        chapter, "pattern_score", lambda _, aim: seen.append(aim) or np.zeros((2, 4))
    )
    chapter["moved_score"]("delimiter", np.random.default_rng(0))
    for example, moved in zip(chapter["examples"], seen, strict=True):
        targets = example.targets["delimiter"]
        assert (moved.sum(axis=1) == targets.sum(axis=1)).all()
        assert (moved != targets).any()


def test_with_equal_words_only_places_matter_and_the_other_way_round(tiny):
    """The same words in another order: the mean is the same, and only places change."""
    texts = "cats chase dogs", "dogs chase cats"
    maps, turned = (controls.three_maps(tiny, text) for text in texts)
    for name in (controls.AS_IT_IS, controls.NO_WORDS, controls.NO_PLACES):
        assert maps[name].shape == (2, 4, 5, 5)
        np.testing.assert_allclose(maps[name].sum(-1), 1, atol=1e-5)
    blank = maps[controls.NO_WORDS], turned[controls.NO_WORDS]
    np.testing.assert_allclose(*blank, atol=1e-6)
    order = [0, 3, 2, 1, 4]
    same = turned[controls.NO_PLACES][:, :, order][..., order]
    np.testing.assert_allclose(maps[controls.NO_PLACES], same, atol=1e-6)
    whole = maps[controls.AS_IT_IS], turned[controls.AS_IT_IS]
    assert np.abs(whole[0] - whole[1]).max() > 1e-3


def test_the_pair_has_the_nineteen_tokens_of_the_text(chapter):
    assert len(chapter["pair"].tokens) == 19
    assert chapter["pair"].tokens[12:14] == ["i", "bought"]  # "which is i"


def test_the_products_give_the_weights_of_the_view(chapter, cells):
    names = cells.run("def products_of", "products = products_of", page=dict(chapter))
    layer, head = chapter["clearest"]
    products = names["products"].sum(dim=-1).softmax(dim=-1)
    expected = chapter["pair"].attention[layer, head]
    np.testing.assert_allclose(products, expected, atol=1e-5)


def test_what_arrives_adds_up_to_the_output_of_the_layer(chapter, tiny):
    """Weights times what each token hands over: the output, but for its bias."""
    pair, layer = tiny.encode("A cat sat.", "It slept."), 1
    output = tiny.model(**pair, output_hidden_states=True, output_attentions=True)
    states, weights = output.hidden_states[layer], output.attentions[layer][0]
    block = tiny.model.encoder.layer[layer].attention
    handed = chapter["handed_over"](states[0], layer)  # (heads, tokens, hidden)
    summed = torch.einsum("hij,hjd->id", weights, handed) + block.output.dense.bias
    expected = block.output.dense(block.self(states)[0][0])
    torch.testing.assert_close(summed, expected, rtol=1e-4, atol=1e-6)


def test_the_share_that_arrives_weighs_lengths(chapter):
    """Of two tokens, [CLS] and cat: 0.8 x 0.5 against 0.2 x 5, as in the text."""
    weights = np.array([[[0.5, 0.5], [0.8, 0.2]]])
    handed = torch.tensor([[[0.5, 0.0], [0.0, 5.0]]])
    found = chapter["share_that_arrives"](weights, handed, np.array([True, False]))
    assert found == pytest.approx(0.4 / 1.4)


def test_entropies_lie_between_one_token_and_all(chapter, cells):
    names = cells.run("def entropy", page=dict(chapter))
    reading = names["readings"][1]
    for widths in (names["of_cls"], names["of_words"]):
        assert ((widths >= 1) & (widths <= 25)).all()
    row = reading.attention[1, :, 0]  # (heads, tokens): what [CLS] looks at
    expected = -(row * np.log(row)).sum(axis=-1).mean()
    assert np.log(names["of_cls"][1, 1]) == pytest.approx(expected, rel=1e-4)


def test_the_words_of_a_picture_say_where_its_rows_look(chapter):
    said = chapter["figures"].where_rows_look(["a", "cat"], [[0.9, 0.1], [0.2, 0.8]])
    assert said == "a looks most at a, 0.90; cat most at cat, 0.80."
