"""Claims that the chapter makes about the official data, counted on the real files."""

import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from helpers import DATA
from helpers.datasets import coarse_wsd_words, load_coarse_wsd
from helpers.senses import averages

# Published or made-up figures that the text holds.
TYPED = "0.7 0.9 0.99 2.4"

HOME = os.environ.get("COARSE_WSD_HOME", "")
official = pytest.mark.skipif(
    not HOME or not Path(HOME).is_dir(),
    reason="COARSE_WSD_HOME names no folder with the official files",
)


@official
def test_short_cut_never_finds_the_word_and_spelling_hides_four_misses(
    bert, monkeypatch
):
    monkeypatch.setenv("COARSE_WSD_HOME", HOME)
    frames = [
        load_coarse_wsd(word, split)
        for word in coarse_wsd_words()
        for split in ("train", "test")
    ]
    sentences = pd.concat(frames)
    encoding = bert.tokenizer(sentences.sentence.tolist(), is_split_into_words=True)
    hits = same_spelling = 0
    for row, (words, place) in enumerate(
        zip(sentences.sentence, sentences.word_pos, strict=True)
    ):
        hits += encoding.word_ids(row)[place] == place
        same_spelling += encoding.tokens(row)[place] == words[place]
    assert (len(sentences), hits, same_spelling) == (33_566, 0, 4)


def test_published_figures_give_the_averages_of_the_paper():
    published = pd.read_csv(DATA / "results/published-sense-recall.csv", comment="#")
    methods = ["bert_base", "bert_large", "fasttext"]
    hits = published[methods].mul(published.n, axis=0)
    overall = 100 * hits.sum() / published.n.sum()
    assert overall.round(2).tolist() == [95.71, 96.66, 96.91]
    by_word = hits.groupby(published.word).sum()
    by_word = 100 * by_word.div(published.groupby("word").n.sum(), axis=0).mean()
    assert by_word.round(2).tolist()[:2] == [93.97, 95.78]
    recall = 100 * published.groupby("word")[methods].mean().mean()
    assert recall.round(2)[["bert_base", "fasttext"]].tolist() == [94.52, 84.87]
    assert published.n.sum() == 10_196


def test_results_on_the_official_sets_are_whole_and_reach_the_bar():
    path = DATA / "results" / "word-senses.csv"
    assert "python -m experiments.word_senses" in path.read_text()
    results = pd.read_csv(path, comment="#")
    assert sorted(results.word.unique()) == coarse_wsd_words()
    assert results.groupby("method").n.sum()["majority"] == 10_196
    table = averages(results)
    last = table[table.layer == table.layer.max()].iloc[0]
    assert last.accuracy >= 0.905


@pytest.fixture
def page(cells):
    """The functions of the page, on one word with two senses and made-up vectors."""
    rng = np.random.default_rng(0)
    senses = np.array(["sea", "ink"] * 20)
    rows = pd.DataFrame({"word": "seal", "sense": senses})
    rows["sentence"] = [[*"abc"[: 1 + i % 3], "seal", "end"] for i in range(len(rows))]
    rows["word_pos"] = [1 + i % 3 for i in range(len(rows))]
    axis = np.where(senses == "sea", 1.0, -1.0)[:, None] * np.eye(1, 60)
    names = cells.defined(known=rows, new=rows.copy(), rng=rng)
    names["coarse_wsd_words"] = lambda: ["seal"]
    names["pairs"] = [(i, i + 1 if i % 2 == 0 else i - 1) for i in range(len(rows))]
    names["rows"], names["axis"] = rows, axis
    names["noisy"] = lambda: axis + rng.normal(0, 0.7, (len(rows), 60))
    return names


def test_neighbours_of_one_place_count_in_shares(page):
    apart = np.array([[0, 0], [0, 1], [9, 0], [9, 1]])
    assert page["own_nearest"](apart, ["a", "a", "b", "b"]) == 4
    assert page["own_nearest"](apart, ["a", "b", "a", "b"]) == 0
    heap = np.zeros((5, 2))  # each has all the others nearest
    assert page["own_nearest"](heap, ["a", "a", "a", "b", "b"]) == 2


def test_the_average_finds_a_direction_that_is_lost_in_single_sentences(page):
    def right(rule, by=0):
        drawn = [[page["noisy"]() - by for _ in range(2)] for _ in range(10)]
        return np.mean([page["accuracy"](*two, rule=rule)["seal"] for two in drawn])

    assert right(page["nearest_sense"]) > right(page["nearest_sentence"]) + 0.1
    assert abs(right(page["nearest_sense"], by=page["axis"]) - 0.5) < 0.1


def test_a_change_leaves_the_words_place_and_shuffling_the_other_words(page):
    words, place = ["the", "old", "crane", "is", "gone"], 2
    assert page["covered"](words, place) == ["the", "old", "[MASK]", "is", "gone"]
    changed = [page["shuffled"](words, place) for _ in range(20)]
    assert {tuple(sorted(each)) for each in changed} == {tuple(sorted(words))}
    assert {each[place] for each in changed} == {"crane"}
    assert len({tuple(each) for each in changed}) > 5


def test_in_one_text_the_own_word_is_found_whichever_comes_first(page):
    for change, word in ((page["plainly"], "seal"), (page["covered"], "[MASK]")):
        texts, places = page["in_one_text"](change, page["plainly"])
        assert [text[at] for text, at in zip(texts, places, strict=True)] == [
            word
        ] * len(texts)
        for turn, (i, j) in enumerate(page["pairs"]):
            own, other = page["rows"].sentence[i], page["rows"].sentence[j]
            behind = (
                places[turn] > len(other) - 1 and texts[turn][: len(other)] == other
            )
            assert behind == bool(turn % 2)
            assert len(texts[turn]) == len(own) + len(other)


def test_two_in_one_text_are_found_where_vectors_have_a_place_and_only_there(page):
    own, other = (
        page["rows"].loc[list(r)].reset_index(drop=True)
        for r in zip(*page["pairs"], strict=True)
    )
    axis = page["axis"]
    page |= {"own_rows": own, "other_rows": other}
    page["vectors"] = dict.fromkeys(("place", "text"), (axis, axis))
    drawn = np.random.default_rng(1).normal(size=(len(axis) // 2, 60))
    page["in_text"] = {"place": axis, "text": np.repeat(drawn, 2, axis=0)}
    assert [share["seal"] for share in page["shares"]("place")] == [1, 0]
    assert [share["seal"] for share in page["shares"]("text")] == [0.5, 0.5]
