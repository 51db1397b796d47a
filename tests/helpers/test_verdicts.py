"""Verdicts turn with the results, and are wrong no more often than they say."""

import numpy as np
import pytest
import torch

import helpers
from helpers._support import this_run
from helpers.datasets import load_coarse_wsd
from helpers.models import load_bert
from helpers.verdicts import claim, compare
from tests.bad_input import one_line

NO_BOOLS = [float("nan"), "False", len, None, 0.3, torch.ones(2)]
WORDS = ("ahead", "behind", "not told apart")  # of a Verdict


@pytest.mark.parametrize("shift, word", [(1, WORDS[0]), (-1, WORDS[1]), (0, WORDS[2])])
def test_the_word_turns_with_the_results(shift, word):
    noise = np.random.default_rng(0).normal(size=20)
    verdict = compare(noise + shift, noise[::-1])
    assert verdict.word == word
    assert verdict.low < verdict.difference < verdict.high
    assert verdict.n == 20


def test_a_pair_tells_more_than_two_means_do():
    items = np.linspace(0, 100, 12)
    gain = np.resize([0.8, 1.0, 1.2], 12)
    assert compare(items + gain, items).word == "ahead"
    assert compare(items + gain, items[::-1]).word == "not told apart"


@pytest.mark.parametrize(
    "won, lost, word", [(5, 0, WORDS[2]), (6, 0, WORDS[0]), (0, 6, WORDS[1])]
)
def test_a_few_hits_more_are_told_apart_only_where_the_sign_test_agrees(
    won, lost, word
):
    ours = [1] * won + [0] * lost + [1] * 60
    theirs = [0] * won + [1] * lost + [1] * 60
    assert compare(ours, theirs).word == word
    assert compare(ours[: won + lost], theirs[: won + lost]).word == word


def test_sentences_of_one_group_count_once():
    ours, words = np.repeat([1.0, -0.9], 50), np.repeat(["a", "b"], 50)
    ours = ours + np.tile([0.3, 0.25], 50)
    assert compare(ours, 0).word == "ahead"
    grouped = compare(ours, 0, groups=words)
    assert (grouped.word, grouped.n) == ("not told apart", 2)


@pytest.mark.parametrize("n", [4, 60])
def test_the_interval_covers_the_truth_as_often_as_it_says(n):
    rng = np.random.default_rng(1)
    verdicts = [compare(rng.normal(0.4, 1, n), 0) for _ in range(1000)]
    covered = np.mean([v.low <= 0.4 <= v.high for v in verdicts])
    assert 0.93 <= covered <= 0.97


def test_equal_hits_are_seldom_told_apart():
    rng = np.random.default_rng(2)
    words = [compare(*(rng.random((2, 40)) < 0.7)).word for _ in range(400)]
    assert np.mean([word != "not told apart" for word in words]) <= 0.06


def test_hits_of_one_question_prove_as_much_as_one():
    asked = [("a", "b")] * 20 + [("c", "d")] * 20
    assert compare([1] * 40, 0, groups=asked).word == "not told apart"


@pytest.mark.parametrize(
    "call, said",
    [
        (lambda: compare([1, 2], [1, 2, 3]), "same items"),
        (lambda: compare([1], [2]), "two pairs"),
        (lambda: compare([1, float("nan")], [1, 2]), "nan"),
        (lambda: compare([1, 2], "ab"), "numbers"),
        (lambda: compare([1, 2], 0, groups=["a"]), "its group"),
        (lambda: compare([1, 2, 3], 0, groups=[("a", "b")] * 3), "two pairs"),
        (lambda: compare([1, 2], 0, groups=[float("nan")] * 2), "nan"),
        (lambda: compare([1, 2], 0, level=95), "share"),
        (lambda: compare([1, 2], 0, family=0), "1 or more"),
        *(
            (lambda holds=holds: claim("x", holds), "true or false")
            for holds in NO_BOOLS
        ),
        (lambda: claim("It holds", True), "small letters"),
        (lambda: claim("holds", True, about="everything"), "mathematics"),
    ],
)
def test_what_cannot_be_compared_or_claimed_is_refused_in_one_line(call, said):
    assert said in one_line(ValueError, call)


def two_roles(rng, pairs, lift):
    """Questions of two pairs each, and hits whose chance hangs on both pairs."""
    luck = rng.normal(0, 1, pairs)
    labels = [(a, c) for a in range(pairs) for c in range(pairs) if a != c]
    hits = [luck[a] + luck[c] + lift + rng.normal(0, 0.2) for a, c in labels]
    return np.array(hits), labels


def test_questions_of_two_pairs_are_drawn_by_pairs_in_both_roles():
    """Grouped by one pair, luck of the other passes for a finding."""
    rng = np.random.default_rng(5)
    drawn = [two_roles(rng, 9, 0) for _ in range(200)]
    both = [compare(hits, 0, groups=labels).word for hits, labels in drawn]
    each = [compare(hits, 0).word for hits, _ in drawn]
    assert np.mean([word != "not told apart" for word in both]) <= 0.1
    assert np.mean([word != "not told apart" for word in each]) > 0.5
    hits, labels = two_roles(rng, 9, 6)
    verdict = compare(hits, 0, groups=labels)
    assert (verdict.word, verdict.n) == ("ahead", 9)


def test_one_odd_value_among_few_decides_nothing():
    ours = [-0.01] * 6 + [0.02] * 9 + [4.0] * 2
    assert compare(ours, 0).low < 0 < compare(ours, 0).high
    odd = [0.11, 0.12, 0.1, 0.13, 0.12, 0.11, 0.1, 0.12, -0.1, -0.11, -0.13, -0.12]
    odd = [*odd, 0.9, 0.8, 0.9, -0.1, -0.12, -0.11, 0.9, 0.9]
    verdict = compare(odd, 0)
    assert verdict.low > 0 and verdict.word == "not told apart"


def test_a_family_is_judged_more_strictly():
    rng = np.random.default_rng(9)
    ours = rng.normal(0.45, 1, 40)
    alone, among = compare(ours, 0), compare(ours, 0, family=8)
    assert (alone.word, among.word) == ("ahead", "not told apart")
    assert among.high - among.low > alone.high - alone.low


@pytest.mark.parametrize(
    "holds", [True, np.False_, np.array([True]), torch.tensor(False)]
)
def test_a_claim_shows_nothing_and_keeps_what_a_page_needs(holds, monkeypatch, capsys):
    monkeypatch.setattr(helpers, "_glued", {})
    monkeypatch.setattr(this_run, "_others", {})
    claim("two-kinds", holds, "There is one.", about="data")
    record = {"about": "data", "holds": bool(holds), "found": "There is one."}
    assert helpers._glued == {"claim: two-kinds": record | {"why": ""}}
    assert capsys.readouterr().out == ""


def test_a_claim_that_fails_names_another_model_and_other_data(
    monkeypatch, tiny_bert_folder
):
    monkeypatch.setattr(this_run, "_others", {})
    monkeypatch.setattr(helpers, "_glued", {})
    load_bert("embedded", quiet=True)
    claim("first", False)
    load_bert(tiny_bert_folder, quiet=True)
    monkeypatch.setenv("COARSE_WSD_HOME", str(helpers.DATA / "coarse-wsd-20-mini"))
    load_coarse_wsd("bank")
    claim("second", False)
    claim("third", True)
    why = {name[7:]: record["why"] for name, record in helpers._glued.items()}
    assert why["first"] == why["third"] == ""
    assert why["second"].startswith(f"the model is {tiny_bert_folder} and the data of")
    assert "CoarseWSD-20" in why["second"]
