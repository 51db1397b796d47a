"""Claims that the chapter makes about the official data, counted on the real files."""

import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import torch

from chapters.word_senses import claims, texts
from chapters.word_senses.averages import averages
from helpers import DATA
from helpers.datasets import coarse_wsd_words, load_coarse_wsd
from helpers.embeddings import embed_words

# Published or made-up figures that the text holds.
TYPED = "0.7 0.9 0.99 2.4 0.1 0.5"

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
    names = cells.defined(known=rows, new=rows.copy(), last=(-1,))
    names["rows"], names["axis"] = rows, axis
    names["noisy"] = lambda: axis + rng.normal(0, 0.7, (len(rows), 60))
    return names


def test_the_average_finds_a_direction_that_is_lost_in_single_sentences(page):
    def right(rule, by=0):
        drawn = [[page["noisy"]() - by for _ in range(2)] for _ in range(10)]
        return np.mean([page["accuracy"](*two, rule=rule)["seal"] for two in drawn])

    assert right(page["nearest_sense"]) > right(page["nearest_sentence"]) + 0.1
    assert abs(right(page["nearest_sense"], by=page["axis"]) - 0.5) < 0.1


def test_groups_without_labels_are_scored_whatever_they_are_called(page):
    noise = np.random.default_rng(0).normal(size=page["axis"].shape)
    assert page["found_alone"](page["axis"] + 0.01 * noise)["seal"] == 1
    assert abs(page["found_alone"](noise)["seal"]) < 0.2


def test_a_change_leaves_the_words_place_and_shuffling_the_other_words(page):
    words, place = ["the", "old", "crane", "is", "gone"], 2
    assert page["covered"](words, place) == ["the", "old", "[MASK]", "is", "gone"]
    shuffle = page["shuffled"](0)
    changed = [shuffle(words, place) for _ in range(20)]
    assert {tuple(sorted(each)) for each in changed} == {tuple(sorted(words))}
    assert {each[place] for each in changed} == {"crane"}
    assert len({tuple(each) for each in changed}) > 5


def test_partners_share_a_text_and_the_word_of_each_is_found_in_it(page):
    own, other = texts.pairs(page["rows"])
    assert len(own) == 40 and (own.word == other.word).all()
    assert (own.sense != other.sense).all()
    for change, word in ((texts.as_it_stands, "seal"), (page["covered"], "[MASK]")):
        joined, places = texts.joined(own, other, change)
        assert len(joined) == 20
        for row, place in enumerate(places):
            text = joined[row % 20]
            assert text[place] == word
            first = row % 20 % 2 == row // 20  # the row's own sentence comes first
            before = 0 if first else len(other.sentence[row])
            assert place == before + own.word_pos[row]
            assert len(text) == len(own.sentence[row]) + len(other.sentence[row])


def test_a_row_whose_word_has_no_other_sense_has_no_partner():
    rows = pd.DataFrame({"word": [*"aabb"], "sense": [*"xyzz"]})
    own, other = texts.pairs(rows)
    assert [*own.sense, *other.sense] == [*"xyyx"]


def test_two_in_one_text_are_found_where_vectors_have_a_place_and_only_there(
    page, monkeypatch
):
    own, other = texts.pairs(page["rows"])
    page |= {"own": own, "other": other, "bert": None}
    axis = np.where(own.sense == "sea", 1.0, -1.0)[:, None] * np.eye(1, 60)
    drawn = np.random.default_rng(1).normal(size=(1, 60))
    for vectors, shares in ((axis, [1, 0]), (np.repeat(drawn, 40, 0), [0.5, 0.5])):
        monkeypatch.setattr(texts, "read_both", lambda *_, given=vectors: given)
        found = page["in_one_text"](page["axis"], texts.as_it_stands)
        assert [share["seal"] for share in found] == shares


def test_one_reading_gives_the_words_and_the_slips(tiny):
    rows = pd.DataFrame(
        {
            "sentence": [["strawberries", "grow", "here"], ["a", "crane"]],
            "word_pos": [0, 1],
        }
    )
    vectors, slips = texts.read(tiny, rows)
    expected = embed_words(tiny, rows.sentence, rows.word_pos, "all")
    np.testing.assert_allclose(vectors, expected, atol=1e-5)
    with torch.inference_mode():
        batch = tiny.tokenizer(["a", "crane"], is_split_into_words=True)
        batch = {k: torch.tensor([of]) for k, of in batch.items()}
        hidden = tiny.model(**batch).last_hidden_state
    np.testing.assert_allclose(slips[1], hidden[0, 1], atol=1e-5)


def test_one_reading_of_a_text_gives_both_words(tiny):
    two = [["a", "crane", "rose"], ["strawberries", "grow", "here"]]
    both = texts.read_both(tiny, two, [1, 0, 2, 1])
    each = embed_words(tiny, two * 2, [1, 0, 2, 1], (-1,))
    np.testing.assert_allclose(both, each, atol=1e-5)


def test_each_is_left_out_of_what_it_is_judged_by():
    """A rule that knows only the vectors it has been given never finds a new one."""

    def seen(known, senses, new):
        alike = (known == new[0]).all(axis=1)
        return senses[alike] if alike.any() else np.array(["new"])

    vectors = np.random.default_rng(0).normal(size=(9, 5))
    assert [*claims._left_out(vectors, np.array(["a"] * 9), seen)] == [0, 0]


def test_leaders_are_the_highest_and_what_is_not_told_apart_from_it():
    rng = np.random.default_rng(3)
    base = rng.normal(size=30)
    results = {name: base + rng.normal(0, 0.1, 30) for name in "abc"}
    results["c"] -= 1
    results["b"] += 0.02
    assert sorted(claims.leaders(results)) == ["a", "b"]
    results["b"] += 1
    assert claims.leaders(results) == ["b"]
    assert claims.leaders({"alone": [1, 2]}) == ["alone"]
