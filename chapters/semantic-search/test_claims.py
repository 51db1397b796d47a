"""Claims of the chapter: what its functions compute, and what it says of a run."""

import re
import tomllib
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import torch
from scipy.sparse import csr_matrix
from sklearn.feature_extraction.text import CountVectorizer

from helpers import DATA
from helpers.corpus import passages
from helpers.exercises.chapters import read_chapters
from helpers.senses import unit

QUESTIONS = Path(__file__).with_name("questions.toml")
THREE = [(1.0, 0), (-1.0, 1), (0.0, 2)]  # how far ahead; which of the three texts
three = pytest.mark.parametrize(("gap", "which"), THREE)


def test_twenty_questions_are_answered_by_sections_that_exist():
    questions = tomllib.loads(QUESTIONS.read_text(encoding="utf-8"))
    pages = "".join(c.page.read_text(encoding="utf-8") for c in read_chapters())
    assert len(questions["question"]) == 20
    for question in questions["question"]:
        for label in question["sections"]:
            assert f"\n({label})=\n##" in pages, label


def test_each_written_question_has_one_text_or_two_and_shares_few_words():
    texts = [
        " ".join(run).lower()
        for book in ("alice", "time-machine")
        for _, run in passages(DATA / "vocabularies" / f"{book}.txt.gz")
    ]
    counter = CountVectorizer(stop_words="english").build_analyzer()
    lines = (DATA / "search/questions.tsv").read_text(encoding="utf-8").splitlines()
    shared = []
    for line in lines:
        question, phrases = line.split("\t")
        right = [t for t in texts if any(p in t for p in phrases.split(" | "))]
        assert 1 <= len(right) <= 2, question
        words = set(counter(question))
        shared.append(len(words & set(counter(" ".join(right)))) / len(words))
    assert len(lines) == 48 and np.mean(shared) < 0.4


def test_a_search_that_gives_all_the_same_score_finds_nothing(cells):
    ranks = cells.defined()["ranks"]
    scores = np.array([[0.0, 0, 0, 0], [3, 1, 2, 0], [1, 2, 2, 5], [1, 2, 2, 5]])
    assert ranks(scores, [[0], [2], [1, 2], [0, 3]]).tolist() == [4, 2, 2, 1]


def test_words_are_weighed_by_the_formula_of_bm25(cells):
    texts = ["red cat red", "cat dog bird tree", "dog", "bird bird cat red fish"]
    page = cells.run(
        "def by_words(",
        texts=texts,
        questions=["red dog", "cat cat fish"],
        scores={},
        CountVectorizer=CountVectorizer,
        csr_matrix=csr_matrix,
    )
    split = [text.split() for text in texts]
    mean = np.mean([len(words) for words in split])

    def score(question, words):
        total = 0
        for word in question.split():
            n, holding = words.count(word), sum(word in other for other in split)
            rarity = np.log(1 + (len(split) - holding + 0.5) / (holding + 0.5))
            total += rarity * n * 2.5 / (n + 1.5 * (0.25 + 0.75 * len(words) / mean))
        return total

    wanted = [[score(q, w) for w in split] for q in ("red dog", "cat cat fish")]
    assert np.allclose(page["scores"]["words"], wanted)


def _states(rng, lengths):
    return [rng.normal(size=(n, 8)).astype("float32") for n in lengths]


def test_late_interaction_adds_the_best_cosine_of_each_piece(cells):
    rng = np.random.default_rng(0)
    texts, questions = _states(rng, (5, 3, 9)), _states(rng, (4, 6))
    page = cells.run(
        "def max_sim(", of_texts=texts, of_questions=questions, scores={}, unit=unit
    )
    for row, question in zip(
        page["scores"]["a vector a piece"], questions, strict=True
    ):
        for got, text in zip(row, texts, strict=True):
            best = [
                max(p @ t / np.linalg.norm(p) / np.linalg.norm(t) for t in text[1:-1])
                for p in question[1:-1]
            ]
            assert got == pytest.approx(sum(best), abs=1e-5)


def test_bytes_and_bits_are_what_the_page_says(cells):
    rng = np.random.default_rng(1)
    vectors = unit(rng.normal(size=(50, 16)) + 0.3).astype("float32")
    queries = unit(rng.normal(size=(7, 16))).astype("float32")
    page = cells.run("def by_bits(", vectors=vectors)
    error = np.abs(page["in_bytes"] * page["scale"] - vectors)
    assert (
        page["in_bytes"].dtype == np.int8 and (error <= page["scale"] / 2 + 1e-7).all()
    )
    center = vectors.mean(0)
    equal = (queries[:, None] > center) == (vectors > center)
    assert (page["by_bits"](queries) == equal.sum(-1)).all()
    exact = queries @ vectors.T
    rough = page["by_bits"](queries)
    assert (page["rescored"](rough, exact, 50) == exact).all()
    few = page["rescored"](rough, exact, 10)
    for row, new, cosine in zip(rough, few, exact, strict=True):
        best = np.argsort(-row, kind="stable")[:10]
        assert set(np.argsort(-new)[:10]) == set(best)
        assert (new[best] == cosine[best]).all()
        rest = np.setdiff1d(np.arange(50), best)
        assert (
            new[rest].max() < -1
            and (np.diff(row[rest][np.argsort(new[rest])]) >= 0).all()
        )


@pytest.mark.parametrize("stride", [126, 63])
def test_windows_cover_a_text_and_none_is_longer_than_the_model_reads(cells, stride):
    spans = cells.defined(size=126)["spans"]
    for n in (1, 100, 126, 127, 189, 252, 253, 400, 500):
        found = spans(n, stride)
        assert {p for a, b in found for p in range(a, b)} == set(range(n))
        assert all(0 < b - a <= 126 for a, b in found)
        assert sum(b == n for _, b in found) == 1


def test_training_brings_pairs_together(cells):
    rng = np.random.default_rng(2)
    texts = unit(rng.normal(size=(40, 12))).astype("float32")
    asked = unit(texts @ rng.normal(size=(12, 12))).astype("float32")
    train = cells.defined(torch=torch, F=torch.nn.functional)["train"]
    matrix = train(asked, texts, steps=200, rate=1e-2)

    def first(matrix):
        scores = unit(asked @ matrix) @ unit(texts @ matrix).T
        return (scores.argmax(1) == np.arange(40)).mean()

    assert first(matrix) > first(np.eye(12, dtype="float32")) + 0.3


def _noise(seed, n, gap=0.0):
    return np.random.default_rng(seed).normal(0, 0.01, n) + 2 + gap


@three
def test_which_search_is_ahead_is_said_by_the_run(cells, gap, which):
    kinds = {"written": np.arange(40), "cut out": np.arange(40, 80)}
    names = ["one vector", "words", "a vector a piece", "words + one vector"]
    middle, other = np.tile([1, 99], 40), np.tile([99, 1], 40)
    found = {name: middle for name in names}
    found["a vector a piece"] = {0: np.ones(80), 1: np.full(80, 99), 2: other}[which]
    found = {name: np.asarray(r) for name, r in found.items()}
    amounts = dict.fromkeys([*names, "the question's pass"], 2.0)
    said = cells.glued(
        "short = {",
        kinds=kinds,
        found=found,
        texts=[""] * 5,
        kept=amounts,
        seconds=amounts,
    )
    word = ("ahead of", "behind", "not told apart")[which]
    assert said["written_pieces"].startswith(word) and said["cut_pieces"].startswith(
        word
    )
    assert said["written_best"].endswith("alone") == (which == 0)


@three
def test_what_reading_both_is_worth_is_said_by_the_run(cells, gap, which):
    inverse = {"one vector": _noise(0, 40), "trained head": _noise(1, 40, gap)}
    inverse |= {
        name: _noise(2, 40) for name in ("next-sentence head", "a vector a piece")
    }
    said = cells.glued(
        'said = ("improves', inverse=inverse, first=np.zeros((4, 10)), lessons=[]
    )
    word = ("improves", "makes the order of one vector worse", "cannot be told")[which]
    assert said["cross_judge"].startswith(word)


@three
def test_what_few_bytes_cost_is_said_by_the_run(cells, gap, which):
    names = [
        "float32",
        "int8",
        "bits",
        "bits, rescored by int8",
        "first eighth, float32",
    ]
    kept_share = {name: _noise(n, 40) for n, name in enumerate(names)}
    kept_share["bits, rescored by int8"] = _noise(9, 40, gap)
    from helpers.verdicts import compare

    lost = {name: compare(kept_share[name], kept_share["bits"]) for name in names}
    given = dict(kept_share=kept_share, lost=lost, times=dict.fromkeys(names, 1.0))
    said = cells.glued("rescue = compare", **given)
    words = ("wins some", "loses even more", "changes nothing")
    assert said["rescue"].startswith(words[which])
    costs = ("is even higher", "is lower", "cannot be told")
    assert said["lost_rescored"].startswith(costs[which])


@three
def test_what_more_vectors_do_to_an_index_is_said_by_the_run(cells, gap, which):
    rows = [
        (n, ef, list(_noise(ef + n, 40, gap * (n == 900))), 2.0)
        for n in (100, 900)
        for ef in (20, 160)
    ]
    walks = pd.DataFrame(rows, columns=["vectors", "ef", "found", "faster"])
    walks["share"] = walks.found.map(np.mean)
    said = cells.glued("change = compare", walks=walks)
    assert said["more_vectors"].startswith(("more", "fewer", "as many")[which])


@three
def test_what_the_head_of_a_text_costs_is_said_by_the_run(cells, gap, which):
    goal = np.arange(60) % 12
    names = ["head", "tail", "chunks, mean", "chunks, best", "windows, best"]
    rr = {name: _noise(n, 60) for n, name in enumerate(names)}
    rr["chunks, best"] = _noise(7, 60, gap)
    said = cells.glued("def apart(", rr=rr, goal=goal, inside=goal < 3, longs=[[]] * 12)
    word = ("ahead of", "behind", "not told apart")[which]
    assert said["best_head"].startswith(word) and said["best_mean"].startswith(word)
    assert said["windows_best"].startswith(
        ("behind", "ahead of", "not told apart")[which]
    )


@three
def test_whether_a_head_tells_of_the_rest_is_said_by_the_run(cells, gap, which):
    goal, chance = np.repeat(np.arange(12), 5), np.mean(1 / np.arange(1, 13))
    names = ["head", "tail", "chunks, mean", "chunks, best", "windows, best"]
    rr = dict.fromkeys(names, chance - 2 + _noise(7, 60, 0.2 * gap))
    said = cells.glued("def apart(", rr=rr, goal=goal, inside=goal < 2, longs=[[]] * 12)
    start = ("more, as a text", "less even", "not told apart")[which]
    assert said["head_topic"].startswith(start)


@three
def test_what_neglect_costs_is_said_by_the_run(cells, gap, which):
    from helpers.verdicts import compare

    names = ["without the prefix", "matrix for questions only", "untrained"]
    names += ["[CLS] instead of the mean", "untrained, [CLS]"]
    trained = _noise(0, 60)
    inverse = {name: _noise(n, 60, gap) for n, name in enumerate(names, 1)}
    cost = {name: compare(r, trained) for name, r in inverse.items()}
    said = cells.glued("raw_cls = compare", cost=cost, inverse=inverse)
    words = ("even a gain", "a loss", "no difference")
    assert said["cost_prefix"].startswith(words[which])
    assert said["raw_cls"].startswith("no difference")


def test_the_page_reads_no_other_chapter(chapter_text):
    """An edited sentence elsewhere must not run this page again."""
    assert not re.search(r"chapters[\"'/ ]+\w|glossary\.md", _code(chapter_text()))


def _code(text):
    return "\n".join(re.findall(r"```\{code-cell\}.*?\n(.*?)\n```", text, re.S))
