"""What the chapter computes and claims, on a small random BERT."""

from pathlib import Path

import numpy as np
import pytest

from helpers.attention import head_scores
from helpers.attention import patterns as attention_patterns

# Published or made-up figures that the text holds.
TYPED = "0.05 0.1 0.125 0.8"


@pytest.fixture(scope="module")
def chapter(cells, tiny_bert_folder):
    """All names after the cells before the quiz, with three of the sentence pairs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(attention_patterns, "PAIRS", attention_patterns.PAIRS[:3])
        return cells.before("import quiz", tiny_bert_folder)


def test_the_chapter_runs_with_another_model(chapter, tiny):
    assert chapter["bert"] is tiny
    assert chapter["next_word"].shape == (tiny.n_layers, tiny.n_heads)


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


def test_a_list_of_two_is_a_batch_or_an_error(bert):
    with pytest.raises(ValueError):
        bert.tokenizer.encode(["One.", "One, two."], return_tensors="pt")
    two = bert.tokenizer.encode(["The cat sat.", "The dog slept."], return_tensors="pt")
    assert two.shape == (2, 6)


def test_bertviz_draws_weights_as_opacity_over_the_heads_that_are_on():
    import bertviz

    script = (Path(bertviz.__file__).parent / "head_view.js").read_text()
    assert '.attr("stroke-width", 2)' in script
    assert "return d / activeHeads()" in script
    assert "schemeCategory10" in script
    script = (Path(bertviz.__file__).parent / "model_view.js").read_text()
    assert (
        'attr("stroke-opacity", function (d) {\n                    return d;' in script
    )


def test_queries_and_keys_give_the_weights_of_the_view(chapter):
    before, pair = chapter["before"], chapter["pair"]
    products = chapter["products"].sum(dim=-1).softmax(dim=-1)
    np.testing.assert_allclose(products, pair.attention[before], atol=1e-5)


def test_shares_add_up_to_what_the_words_give(chapter):
    readings, weights = chapter["readings"], chapter["weights"]
    tokens = sorted({token for reading in readings for token in reading.tokens})
    apart = sum(chapter["share_of"](token, weights) for token in tokens)
    np.testing.assert_allclose(apart, 1, atol=1e-5)
    np.testing.assert_allclose(chapter["share_of"](tokens, weights), 1, atol=1e-5)


def test_entropies_lie_between_one_token_and_all(chapter):
    most = np.log(max(len(reading.tokens) for reading in chapter["readings"]))
    for entropy in (chapter["of_words"], chapter["of_cls"]):
        assert ((0 <= entropy) & (entropy <= most)).all()
    reading, spread = chapter["readings"][1], chapter["spread"][1]
    row = reading.attention[1, :, 0]  # (heads, tokens): what [CLS] looks at
    expected = -(row * np.log(row)).sum(axis=-1).mean()
    assert spread[1, 0] == pytest.approx(expected, rel=1e-4)


@pytest.fixture
def said(chapter, cells):
    """What the hidden cell that glues `name` says of made-up results."""
    return lambda name, **made_up: cells.glued(f'glue("{name}"', **chapter | made_up)[
        name
    ]


WORDS = ("ahead", "behind", "level")
NOISE = np.random.default_rng(0).normal(0, 0.01, 8)


def in_three_directions(say):
    """The three sentences for results that are higher, lower and alike; all differ."""
    found = [say(NOISE + shift) for shift in (0.5, -0.5, 0)]
    assert len(set(found)) == 3
    return found


def test_the_search_is_above_below_or_level_with_each_control(chapter, cells):
    controls = {"moved": "moved targets", "distance": "best distance"}
    controls["shuffled"] = "shuffled words"
    for part, control in controls.items():
        for shift, word in zip((0.5, -0.5, 0), WORDS, strict=True):
            fixed = dict.fromkeys(chapter["results"]["delimiter"], np.full(8, 0.5))
            one = fixed | {"chosen head": 0.5 + NOISE + shift}
            results = {pattern: fixed for pattern in chapter["PATTERNS"]}
            results["delimiter"] = one | {control: np.full(8, 0.5)}
            glued = cells.glued("def those", **chapter | {"results": results})
            named = [w for w in WORDS if "delimiter" in glued[f"{part}_{w}"]]
            assert named == [word]


def test_where_the_attention_rests_turns(said):
    def rests(shift):
        shares = {"[CLS]": (0.3 + shift)[:, None], "[SEP]": np.full((8, 1), 0.3)}
        return said("rests", shares=shares)

    more, less, level = in_three_directions(rests)
    assert more.startswith("More goes to [CLS]") and "not tell" in level


def test_whether_cls_looks_wider_than_words_turns(chapter, said):
    readings = chapter["readings"][:1] * 8
    n = len(readings[0].tokens)

    def wider(shift):
        spread = [np.full((1, n), 1.0) for _ in shift]
        for one, more in zip(spread, shift, strict=True):
            one[:, 0] += more
        return said("wider", readings=readings, spread=spread)

    more, less, level = in_three_directions(wider)
    assert "wider than" in more and "narrower" in less and "not told apart" in level


def test_whether_a_distance_does_as_well_for_the_predictive_word_turns(said):
    def distance(shift):
        own = {"chosen head": 0.4 + shift, "best distance": np.full(8, 0.4)}
        return said("predictive_distance", results={"predictive word": own})

    more, less, level = in_three_directions(distance)
    assert "not do as well" in more and "better" in less and "not told apart" in level
