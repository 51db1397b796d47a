"""Claims that the chapter makes about the official data, counted on the real files."""

import os
import re
from pathlib import Path

import pandas as pd
import pytest

from helpers import DATA
from helpers.datasets import coarse_wsd_words, load_coarse_wsd
from helpers.senses import averages

official = pytest.mark.skipif(
    not Path(os.environ.get("COARSE_WSD_HOME", "")).is_dir()
    or not os.environ.get("COARSE_WSD_HOME"),
    reason="COARSE_WSD_HOME names no folder with the official files",
)


@official
def test_short_cut_never_finds_the_word_and_spelling_hides_four_misses(bert):
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
    assert "python -m helpers.senses" in path.read_text()
    results = pd.read_csv(path, comment="#")
    assert sorted(results.word.unique()) == coarse_wsd_words()
    assert results.groupby("method").n.sum()["majority"] == 10_196
    table = averages(results)
    last = table[table.layer == table.layer.max()].iloc[0]
    assert last.accuracy >= 0.905


def test_no_figure_of_the_run_is_typed_into_the_text(chapter_text):
    prose = re.sub(r"```.*?```", "", chapter_text(), flags=re.S)
    typed = re.findall(r"\b0\.\d{2,}\b", prose)
    assert set(typed) <= {"0.99"}  # the made-up one-sided word
