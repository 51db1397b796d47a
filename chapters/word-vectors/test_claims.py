"""Claims of the chapter, and the functions that it defines."""

import numpy as np
import pandas as pd
import pytest

# Published or made-up figures that the text holds.
TYPED = "0.001 0.71 0.75"


@pytest.fixture(scope="module")
def chapter(cells):
    """The names of the chapter after its last section, with the course model."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TQDM_DISABLE", "1")
        names = cells.before("folder = ")
    return cells.run("folder = ", **names)


def test_counts_are_those_of_the_window(chapter):
    row = {"a": 0, "b": 1, "c": 2}
    documents = [[["a", "b", "x", "c", "a"]], [["c"]]]
    counts = chapter["count_company"](documents, row, window=2)
    assert counts.tolist() == [[0, 1, 1], [1, 0, 1], [1, 1, 0]]  # x keeps its place


def test_ppmi_is_the_formula_of_the_text(chapter):
    rng = np.random.default_rng(0)
    counts = rng.integers(0, 5, (6, 6)).astype(float)
    table = chapter["ppmi"](counts)
    total = counts.sum()
    for i, j in np.ndindex(6, 6):
        joint, own = counts[i, j] / total, counts[i].sum() * counts[:, j].sum()
        pmi = np.log2(joint / (own / total**2)) if joint else 0
        assert table[i, j] == pytest.approx(max(pmi, 0))


def test_counts_make_any_two_words_alike_and_ppmi_does_not(chapter):
    unit = chapter["unit"]
    rng = np.random.default_rng(0)
    first, second = rng.integers(len(chapter["words"]), size=(2, 5000))
    means = [
        (unit(table)[first] * unit(table)[second]).sum(axis=1).mean()
        for table in (chapter["counts"], chapter["surprise"])
    ]
    assert means[0] > 0.5 and means[1] < 0.15


def test_neighbours_leave_out_the_word_and_come_in_order(chapter):
    found = chapter["neighbours"]("coin", k=20)
    cosines = [cosine for _, cosine in found]
    assert "coin" not in [word for word, _ in found]
    assert cosines == sorted(cosines, reverse=True) and cosines[0] <= 1


def test_nearest_neighbours_share_the_topic(chapter):
    assert np.mean(chapter["same"]) > 0.9 and len(chapter["same"]) > 150


def test_planted_relations_are_found_and_the_plural_is_not(chapter):
    arrows = chapter["arrows"]
    for name in ("capital", "young", "gender"):
        assert arrows.loc[name, "right"] > 0.8 and arrows.loc[name, "same way"] > 0.9
    assert arrows.loc["plural", "right"] < 0.2 > arrows.loc["plural", "same way"]
    surprise, row = chapter["surprise"], chapter["row"]
    for word in ("is", "this"):
        assert surprise[row["coin"], row[word]] > surprise[row["coins"], row[word]]
    for word in ("are", "these"):
        assert surprise[row["coin"], row[word]] < surprise[row["coins"], row[word]]


def test_much_of_the_planted_score_needs_no_subtraction_and_no_true_pairs(chapter):
    arrows = chapter["arrows"]
    for name in ("capital", "young", "gender"):
        assert arrows.loc[name, "b + c"] > 0.6
        assert 0.35 < arrows.loc[name, "shuffled"] < arrows.loc[name, "same way"]


def test_shuffled_pairs_are_all_wrong_pairs_once(chapter):
    pairs = [("a", "A"), ("b", "B"), ("c", "C")]
    wrong = [pair for some in chapter["shuffled"](pairs) for pair in some]
    assert sorted(wrong) == sorted(
        (x, y) for x in "abc" for y in "ABC" if y != x.upper()
    )


def test_same_way_is_the_mean_cosine_with_the_other_arrows(chapter):
    vectors = np.random.default_rng(0).normal(size=(6, 5))
    pairs, row = (
        [("a", "b"), ("c", "d"), ("e", "f")],
        {x: i for i, x in enumerate("abcdef")},
    )
    unit = chapter["unit"]
    arrows = [unit(unit(vectors[row[b]]) - unit(vectors[row[a]])) for a, b in pairs]
    first = (arrows[0] @ arrows[1] + arrows[0] @ arrows[2]) / 2
    assert chapter["same_way"](vectors, pairs, row)[0] == pytest.approx(first)


def test_planted_answers_score_high_because_c_itself_scores_low(chapter):
    asked = chapter["questions"](chapter["planted"]["capital"], chapter["row"])
    c, d = chapter["c_and_d"](chapter["vectors"], asked)
    assert c < 0.6 and d > 0.9
    assert (
        chapter["c_and_d"](chapter["bert_vectors"], chapter["every_question"])[0] > 0.8
    )


def test_two_directions_hold_the_table_of_four_words(cells):
    names = cells.run("small = np")
    U, sizes = names["U"], names["sizes"]
    assert (sizes.round(9) > 0).tolist() == [True, True, False, False]
    boats, money = (np.abs(U[:, i]).round(9) > 0 for i in (0, 1))
    assert (boats.tolist(), money.tolist()) == (
        [False] * 2 + [True] * 2,
        [True] * 2 + [False] * 2,
    )


def test_negative_sampling_learns_pmi_minus_the_logarithm_of_k(chapter):
    assert chapter["gap"] == pytest.approx(-np.log(chapter["k"]), abs=0.1)


DIRECTIONS = [(1, "ahead"), (-1, "behind"), (0, "not told apart")]


@pytest.mark.parametrize("gain, word", DIRECTIONS)
def test_the_page_says_how_the_arrow_did_beside_b_plus_c(chapter, cells, gain, word):
    relation, c = np.repeat(["one", "two"], 90), np.tile(np.repeat(np.arange(9), 10), 2)
    ours, theirs = (gain, -gain) if gain else (np.tile([1, 0], 90), np.tile([0, 1], 90))
    answers = {"relation": relation, "c": c, "right": ours, "b + c": theirs}
    answers = pd.DataFrame(answers)
    names = {
        **chapter,
        "answers": answers,
        "scores": answers.groupby("relation").mean(),
    }
    said = cells.glued('glue("beyond"', **names)
    assert word in said["beyond"] and said["by_relation"] == f"{word} for one, two"


@pytest.mark.parametrize("gain, word", DIRECTIONS)
def test_the_page_says_how_true_pairs_did_beside_shuffled_ones(
    chapter, cells, gain, word
):
    noise = np.random.default_rng(0).normal(0, 0.1, size=(2, 12))
    ways = {name: (noise[0] + gain, noise[1]) for name in ("capital", "plural")}
    said = cells.glued('glue("ways"', **chapter | {"ways": ways})
    assert said["ways"] == f"{word} for capital, plural"


def test_an_analogy_is_b_minus_a_plus_c_without_the_input_words(chapter):
    rng = np.random.default_rng(0)
    vectors, asked = rng.normal(size=(30, 8)), rng.integers(30, size=(50, 4))
    scaled = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    for exclude in (True, False):
        found = chapter["best"](chapter["arrow_scores"](vectors, asked), asked, exclude)
        for (a, b, c, _), word in zip(asked, found, strict=True):
            target = scaled[b] - scaled[a] + scaled[c]
            target /= np.linalg.norm(target)
            cosines = scaled @ target
            if exclude:
                cosines[[a, b, c]] = -2
            assert word == cosines.argmax()


def test_every_question_is_asked_once_and_of_whole_words(chapter):
    for text in chapter["relations"].values():
        pairs = chapter["as_pairs"](text)
        assert len(pairs) == len(set(pairs)) >= 8
        asked = chapter["questions"](pairs, chapter["bert_row"])
        assert len(asked) == len(pairs) * (len(pairs) - 1)
        assert len({tuple(four) for four in asked.tolist()}) == len(asked)


def test_the_rule_decides_the_score_on_the_course_model(chapter):
    mean = chapter["mean"]
    assert mean["right"] > 0.4 and mean["all allowed"] < 0.1
    assert mean["input first"] > 0.9
    assert chapter["scores"].loc["plural", "near c"] > 0.9


def test_the_one_vector_of_bank_is_near_both_senses(chapter, cells):
    cosines = chapter["cosines"]
    said = cells.glued('glue("money_river"', **chapter)
    assert max(said["rank_money"], said["rank_river"]) < len(chapter["words"]) / 20
    assert cosines[1, 2] < 0.2
    assert cosines[0, 1] == pytest.approx(0.71, abs=0.05)
    assert cosines[0, 2] == pytest.approx(0.71, abs=0.05)


def test_the_table_gives_both_sticks_one_row_and_the_last_layer_two(chapter):
    first, second = chapter["in_table"]
    assert np.array_equal(first, second)
    first, second = chapter["after"]
    assert not np.allclose(first, second, atol=1e-3)


def test_random_weights_fail_and_break_nothing(cells, tiny_bert_folder):
    names = cells.needed('glue("beyond"', tiny_bert_folder)
    assert names["scores"]["right"].mean() < 0.05
    assert names["beyond"].word == "not told apart"


def test_a_folder_of_real_text_works(cells, chapter, tmp_path):
    story = "The ship left the harbour at dawn. The sailor saw the harbour again.\n"
    (tmp_path / "book.txt").write_text(story * 40 + "\n" + "The cat sat down.\n" * 9)
    [source] = [source for source in cells.sources if "folder = " in source]
    source = source.replace("None", repr(str(tmp_path)), 1)
    names = dict(chapter)
    exec(source.replace("own_words[100:105]", "own_words[:3]"), names)
    assert names["own_vectors"].shape[0] == len(names["own_words"]) > 8
    assert {"harbour", "cat"} <= set(names["own_words"])
