"""Claims of the chapter: the head by hand, its pairs, its baselines."""

import re

import numpy as np
import pandas as pd
import pytest

from experiments import next_sentence
from helpers import DATA
from helpers.corpus import read_documents

# Published or made-up figures that the text holds.
TYPED = (
    "0.5 3.5 82.9 83.9 84.0 84.4 84.7 84.9 88.4 92.6 92.7 "
    "0.886 0.895 73.0 74.0 87.3 88.7 4,400 7,200"
)


@pytest.fixture(scope="module")
def lifted(cells, tiny_bert_folder):
    """Run what the first cell with a text needs, and it, on a random BERT."""
    return lambda wanted: cells.needed(wanted, tiny_bert_folder)


@pytest.fixture(scope="module")
def stories():
    return read_documents(DATA / "next-sentence.txt")


def test_pairs_differ_in_what_the_text_says_they_do(lifted, stories):
    names = lifted("def pairs_of(")
    for number, story in enumerate(stories):
        pairs = names["pairs_of"](number)
        first, second = pairs["true"]
        assert f"{first} {second}" == " ".join(story[:4])
        assert pairs["swapped"] == (second, first)
        assert pairs["same topic"][0] == pairs["other topic"][0] == first
        assert pairs["same topic"][1] != second != pairs["other topic"][1]
    same, other = (
        [pair[1] for pair in names["pairs"][kind]]
        for kind in ("same topic", "other topic")
    )
    # each story lends its second text exactly once to each kind
    assert sorted(same) == sorted(other) == sorted(b for _, b in names["pairs"]["true"])


def test_forty_stories_of_five_sentences(stories):
    assert len(stories) == 40 and {len(story) for story in stories} == {5}
    lines = [line for story in stories for line in story]
    assert len(set(lines)) == len(lines)
    assert all(re.fullmatch(r"[A-Z][^.?!]*\.", line) for line in lines)


def test_a_tie_counts_one_half(lifted):
    preferred = lifted("def preferred(")["preferred"]
    wins = preferred(pd.Series([1.0, 2.0, 3.0]), pd.Series([1.0, 3.0, 2.0]))
    assert wins.tolist() == [0.5, 0, 1]


def test_a_chosen_line_makes_both_kinds_equally_often_right(lifted):
    balanced = lifted("def balanced(")["balanced"]
    of = {
        "true": np.array([0.9, 0.8, 0.6, 0.2]),
        "same book": np.array([0.7, 0.1, 0, 0]),
    }
    line = balanced(of)
    assert (of["true"] > line).mean() == (of["same book"] <= line).mean() == 0.75


def test_the_area_counts_all_couples_of_a_true_and_a_false_pair(lifted):
    names = lifted("areas = {")
    from sklearn.metrics import roc_auc_score

    passages = names["passages"]
    true, false = passages["true"], passages["other book"]
    labels = [1] * len(true) + [0] * len(false)
    expected = roc_auc_score(labels, [*true, *false])
    assert names["areas"]["other book"] == pytest.approx(expected)


def test_pairs_of_books_differ_in_where_the_second_part_is_from():
    rng = np.random.default_rng(0)
    books = {
        name: [
            [np.arange(start + k, start + k + 9) for k in (0, 9, 18)] for start in of
        ]
        for name, of in {"a": (0, 100, 200), "b": (1000, 1100)}.items()
    }
    drawn = list(next_sentence.pairs_of(books, rng, firsts=30, room=20))
    assert len(drawn) == 2 * 30 * 4
    for i in range(0, len(drawn), 4):
        true, swapped, same, other = drawn[i : i + 4]
        name, _, first, second = true
        assert second[0] == first[-1] + 1 and len(first) + len(second) <= 20
        assert (swapped[2] == second).all() and (swapped[3] == first).all()
        for pair in (same, other):
            assert (pair[2] == first).all() and len(pair[3]) <= 20 - len(first)
        is_of_a = same[3][0] < 1000
        assert is_of_a == (name == "a") and (other[3][0] < 1000) == (name == "b")
        assert same[3][0] // 100 != first[0] // 100
