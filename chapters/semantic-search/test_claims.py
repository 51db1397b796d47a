"""The chapter's functions held against slower, plainer code, and its questions."""

import numpy as np
import pytest
import torch
from scipy.sparse import csr_matrix
from sklearn.feature_extraction.text import CountVectorizer

from chapters.semantic_search.passages import passages
from helpers import DATA
from helpers.corpus import split_sentences
from helpers.senses import unit

# Published, or of no run: MS MARCO, and the size of one vector of 384 numbers.
TYPED = "16.7 33.0 36.0 36.5 36.8 39.7 1,536"


def test_each_answer_is_asked_for_in_other_words_and_in_its_own():
    texts = [
        " ".join(run).lower()
        for book in ("alice", "time-machine")
        for _, run in passages(DATA / "vocabularies" / f"{book}.txt.gz")
    ]
    counter = CountVectorizer(stop_words="english").build_analyzer()
    lines = (DATA / "search/questions.tsv").read_text(encoding="utf-8").splitlines()
    shared = []
    for line in lines:
        *asked, phrases = line.split("\t")
        right = [t for t in texts if any(p in t for p in phrases.split(" | "))]
        assert 1 <= len(right) <= 2, asked
        there = set(counter(" ".join(right)))
        words = [set(counter(question)) for question in asked]
        shared.append([len(some & there) / len(some) for some in words])
    other, own = np.mean(shared, axis=0)
    assert len(lines) == 83 and other < 0.2 and own > 0.85


def test_passages_keep_every_sentence_once_and_in_order(tmp_path):
    file = tmp_path / "text.txt"
    paragraph = "One two three. Four five. Six seven eight nine! Ten. Is it eleven?"
    file.write_text(f"{paragraph}\nA second one.\n\nAnother document.\n")
    found = passages(file, least=5)
    assert [s for n, run in found for s in run if n == 0] == [
        *split_sentences(paragraph),
        "A second one.",
    ]
    assert [n for n, _ in found] == [0, 0, 0, 0, 1]
    lengths = [len(" ".join(run).split()) for _, run in found]
    assert lengths == [5, 5, 3, 3, 2]  # a paragraph ends a run


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


def test_joined_lists_add_reciprocal_ranks_of_what_was_found(cells):
    fused = cells.defined()["fused"]
    got = fused(np.array([[3.0, 1, 0]]), np.array([[0.5, 0.9, 0.1]]))
    assert np.allclose(got, [[1 / 61 + 1 / 62, 1 / 62 + 1 / 61, 1 / 63]])


def test_late_interaction_adds_the_best_cosine_of_each_piece(cells):
    rng = np.random.default_rng(0)
    texts, asked = (
        [unit(rng.normal(size=(n, 8))) for n in lengths]
        for lengths in ((5, 3, 9), (4, 6))
    )
    max_sim = cells.defined()["max_sim"]
    max_sim.__globals__["starts"] = np.array([0, 5, 8])
    for question in asked:
        wanted = [sum(max(p @ t for t in text) for p in question) for text in texts]
        np.testing.assert_allclose(max_sim(question, np.concatenate(texts)), wanted)


def test_the_best_few_get_new_scores_and_the_rest_stays_below_in_order(cells):
    rescored = cells.defined()["rescored"]
    rng = np.random.default_rng(1)
    rough, better = rng.normal(size=(7, 50)) * 300, rng.normal(size=(7, 50))
    assert (rescored(rough, better, 50) == better).all()
    for row, new, wanted in zip(
        rough, rescored(rough, better, 10), better, strict=True
    ):
        best = np.argsort(-row, kind="stable")[:10]
        assert set(np.argsort(-new)[:10]) == set(best)
        assert (new[best] == wanted[best]).all()
        rest = np.setdiff1d(np.arange(50), best)
        assert (np.diff(row[rest][np.argsort(new[rest])]) >= 0).all()


def test_bytes_and_bits_are_what_the_page_says(cells):
    rng = np.random.default_rng(1)
    vectors = unit(rng.normal(size=(50, 16)) + 0.3).astype("float32")
    queries = unit(rng.normal(size=(7, 16))).astype("float32")
    page = cells.run(
        "def by_bits(",
        vectors=vectors,
        queries=queries,
        scores={"one vector": queries @ vectors.T},
        rescored=lambda rough, better, m: better,
    )
    error = np.abs(page["in_bytes"] * page["scale"] - vectors)
    assert page["in_bytes"].dtype == np.int8
    assert (error <= page["scale"] / 2 + 1e-7).all()
    center = vectors.mean(0)
    unequal = (queries[:, None] > center) != (vectors > center)
    assert (page["by_bits"](queries) == -unequal.sum(-1)).all()


def test_more_bits_bring_pieces_nearer_to_what_they_were(cells):
    rng = np.random.default_rng(2)
    short = unit(rng.normal(size=(400, 16)))
    with_bits = cells.defined()["with_bits"]
    near = np.arange(400) % 5
    with_bits.__globals__.update(
        unit=unit, landmarks=short[:5], near=near, rest=short - short[near]
    )
    alike = [(with_bits(bits) * short).sum(axis=1).mean() for bits in (1, 2, 6)]
    assert 0.5 < alike[0] < alike[1] < alike[2] and alike[2] > 0.99


def test_weights_of_words_are_the_highest_over_all_places(cells, bert):
    word_weights = cells.defined(torch=torch, course=bert)["word_weights"]
    text = "A cat sat."
    weights = word_weights(text)
    with torch.inference_mode():
        logits = bert.mlm(**bert.encode(text)).logits[0]
    for j in (*range(1000, 1030), int(weights.argmax())):
        wanted = max(np.log(1 + max(0.0, logit)) for logit in logits[:, j].tolist())
        assert weights[j] == pytest.approx(wanted, abs=1e-5)


@pytest.mark.parametrize("stride", [126, 63])
def test_windows_cover_a_text_and_none_is_longer_than_the_model_reads(cells, stride):
    spans = cells.defined()["spans"]
    spans.__globals__["size"] = 126
    for n in (1, 100, 126, 127, 189, 252, 253, 400, 500):
        found = spans(n, stride)
        assert {p for a, b in found for p in range(a, b)} == set(range(n))
        assert all(0 < b - a <= 126 for a, b in found)
        assert sum(b == n for _, b in found) == 1
