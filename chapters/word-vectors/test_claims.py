"""The functions that the chapter defines, and what it says of random weights."""

import string

import numpy as np
import pytest
import torch

from chapters.word_vectors import relations
from helpers.senses import unit

# Made-up figures that the text holds.
TYPED = "0.001 0.05"


@pytest.fixture(scope="module")
def chapter(cells):
    """The functions of the chapter, on made-up vectors."""
    words = ["coin", *string.ascii_lowercase]
    vectors = np.random.default_rng(1).normal(size=(len(words), 8))
    row = {word: place for place, word in enumerate(words)}
    return cells.defined(words=words, row=row, vectors=vectors)


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


def test_neighbours_leave_out_the_word_and_come_in_order(chapter):
    found = chapter["neighbours"]("coin", k=20)
    scaled, row = chapter["unit"](chapter["vectors"]), chapter["row"]
    cosines = scaled @ scaled[row["coin"]]
    cosines = [cosines[row[word]] for word in chapter["words"] if word != "coin"]
    assert "coin" not in found and len(found) == 20
    expected = sorted(cosines, reverse=True)[:20]
    near = [scaled[row[word]] @ scaled[row["coin"]] for word in found]
    assert near == pytest.approx(expected)


def test_shuffled_pairs_are_all_wrong_pairs_once():
    pairs = [("a", "A"), ("b", "B"), ("c", "C")]
    wrong = [pair for some in relations.shuffled(pairs) for pair in some]
    assert sorted(wrong) == sorted(
        (x, y) for x in "abc" for y in "ABC" if y != x.upper()
    )


def test_same_way_is_the_mean_cosine_with_the_other_arrows():
    vectors = np.random.default_rng(0).normal(size=(6, 5))
    pairs = [("a", "b"), ("c", "d"), ("e", "f")]
    row = {x: i for i, x in enumerate("abcdef")}
    arrows = [unit(unit(vectors[row[b]]) - unit(vectors[row[a]])) for a, b in pairs]
    first = (arrows[0] @ arrows[1] + arrows[0] @ arrows[2]) / 2
    assert relations.same_way(vectors, pairs, row)[0] == pytest.approx(first)


def test_an_analogy_is_b_minus_a_plus_c_without_the_input_words(chapter):
    rng = np.random.default_rng(0)
    vectors, asked = rng.normal(size=(30, 8)), rng.integers(30, size=(50, 4))
    scaled = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    for exclude in (True, False):
        found = relations.best(chapter["arrow_scores"](vectors, asked), asked, exclude)
        for (a, b, c, _), word in zip(asked, found, strict=True):
            target = scaled[b] - scaled[a] + scaled[c]
            target /= np.linalg.norm(target)
            cosines = scaled @ target
            if exclude:
                cosines[[a, b, c]] = -2
            assert word == cosines.argmax()


def test_every_question_is_asked_once_of_whole_words_and_knows_its_two_pairs(cells):
    page = cells.needed("answers = []")
    row, answers = page["bert_row"], page["answers"]
    for name, text in page["relations"].items():
        pairs = relations.as_pairs(text)
        assert len(pairs) == len(set(pairs)) >= 8
        asked = [(first, second) for first in pairs for second in pairs]
        asked = [two for two in asked if two[0] != two[1]]
        rows = [tuple((row[a], row[b]) for a, b in two) for two in asked]
        assert answers[answers["relation"] == name]["pairs"].tolist() == rows


def test_the_loss_is_that_of_pairs_drawn_one_by_one(chapter):
    generator = torch.Generator().manual_seed(0)
    product = torch.randn(3, 3, generator=generator).double()
    met = torch.randint(1, 5, (3, 3), generator=generator).double()
    chance = met.sum(1, keepdim=True) * met.sum(0) / met.sum()
    loss = 0
    for i, j in np.ndindex(3, 3):  # each meeting, and k words that chance hands it
        loss -= met[i, j] * product[i, j].sigmoid().log()
        for other in range(3):
            share = met[:, other].sum() / met.sum()
            loss -= met[i, j] * 5 * share * (1 - product[i, other].sigmoid()).log()
    found = chapter["negative_sampling"](product, met, chance, k=5)
    assert found.item() == pytest.approx((loss / met.sum()).item())


def test_a_folder_of_real_text_works(cells, chapter, tmp_path):
    story = "The ship left the harbour at dawn. The sailor saw the harbour again.\n"
    (tmp_path / "book.txt").write_text(story * 40 + "\n" + "The cat sat down.\n" * 9)
    [source] = [source for source in cells.sources if "folder = " in source]
    source = source.replace("None", repr(str(tmp_path)), 1)
    names = dict(chapter)
    exec(source.replace("own_words[100:105]", "own_words[:3]"), names)
    assert names["own_vectors"].shape[0] == len(names["own_words"]) > 8
    assert {"harbour", "cat"} <= set(names["own_words"])
