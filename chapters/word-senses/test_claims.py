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
    assert "python -m experiments.word_senses" in path.read_text()
    results = pd.read_csv(path, comment="#")
    assert sorted(results.word.unique()) == coarse_wsd_words()
    assert results.groupby("method").n.sum()["majority"] == 10_196
    table = averages(results)
    last = table[table.layer == table.layer.max()].iloc[0]
    assert last.accuracy >= 0.905


def noise(seed):
    return pd.Series(
        np.random.default_rng(seed).normal(0, 0.02, 20), list("abcdefghij" * 2)
    )


DIRECTIONS = [0.1, -0.1, 0]


@pytest.mark.parametrize("gain", DIRECTIONS)
def test_the_sentences_about_the_wrong_vector_turn(cells, gain):
    cost = pd.DataFrame(
        {
            "aligned": 0.8 + gain + noise(0).to_numpy(),
            "own index": 0.8 + noise(1).to_numpy(),
            "majority": 0.8 - gain + noise(2).to_numpy(),
        }
    )
    said = cells.glued('"loss_says"', cost=cost)
    turn = DIRECTIONS.index(gain)
    assert ("costs", "even the better", "do not tell")[turn] in said["loss_says"]
    assert said["slip_says"].split()[0] == ("above", "below", "not")[turn]


@pytest.mark.parametrize("gain", DIRECTIONS)
def test_the_sentences_about_the_layers_turn(cells, gain):
    words = [f"word {i}" for i in range(20)]
    rows = []
    scores = {"majority": 0.5, "static context": 0.5, "last four": 0.5 + 3 * gain}
    for i, (method, mean) in enumerate(scores.items()):
        values = mean + noise(i).to_numpy()
        rows += [(w, method, None, a) for w, a in zip(words, values, strict=True)]
    columns = ["word", "method", "layer", "accuracy"]
    layers = {n: 0.5 + (n + 1) * gain + noise(5 + n).to_numpy() for n in range(2)}
    said = cells.glued(
        "zero_says",
        by_layer=pd.DataFrame(layers, words).T,
        results=pd.DataFrame(rows, columns=columns),
        mean=pd.DataFrame({"accuracy": scores}),
    )
    turn = DIRECTIONS.index(gain)
    assert said["zero_says"].split()[0] == ("above", "below", "not")[turn]
    one = "is enough", "makes it worse", "not yet enough"
    assert one[turn] in said["one_says"]
    assert said["four_says"].split()[0] == ("more", "less", "not")[turn]
    bag = "is above", "is below", "cannot be told apart"
    assert bag[turn] in said["bag_says"]
    assert ("no other" in said["level_says"]) == bool(gain)
    if gain:
        assert said["best_layer"] == (1 if gain > 0 else 0)


@pytest.mark.parametrize("gain", DIRECTIONS)
def test_the_sentences_about_the_official_sets_turn(cells, gain):
    words = [f"word {i}" for i in range(20)]
    last = 0.5 + gain + noise(0).to_numpy()
    columns = {"last four": last, "static context": 0.5 + noise(1).to_numpy()}
    said = cells.glued(
        "official_bag_says",
        official=pd.DataFrame({"word": words, "layer": 1, "accuracy": last}),
        table=pd.DataFrame(columns, words).pipe(
            lambda table: pd.concat([table, table.mean().to_frame("mean").T])
        ),
        accuracy=pd.DataFrame({"bert_base": 0.5 + noise(2).to_numpy()}, words),
        ours=pd.DataFrame([last * 0, last], [0, 1], words),
    )
    turn = DIRECTIONS.index(gain)
    assert said["behind_says"].split()[0] == ("above", "below", "not")[turn]
    assert said["official_bag_says"].split()[0] == ("ahead", "behind", "not")[turn]
    assert said["n_layers"] == 1
