"""What the chapter claims, and its functions held against slower, plainer code."""

import itertools
import re

import numpy as np
import pandas as pd
import pytest
import torch

from helpers.embeddings import embed_words
from helpers.exercises.checks import checks_of

# Published or made-up figures that the text holds.
TYPED = "0.1 0.2 0.6 5.3 91.0 94.9 95.5 95.6 95.9 96.1"


@pytest.fixture(scope="module")
def chapter(cells, bert):
    lists = "options", "eight", "sentences", "nouns", "verbs", "forms"
    return cells.defined(*lists, bert=bert)


def test_every_sentence_holds_its_word_once(chapter):
    assert [words.count("field") for words in chapter["sentences"]] == [1] * 8
    counts = [sense for sense, _ in chapter["eight"]]
    assert [counts.count(sense) for sense in ("sport", "farm", "study")] == [3, 2, 3]


def test_word_vectors_equal_the_helper_for_split_words_too(chapter, bert):
    sentences = [
        "strawberries and caterpillars surround an old crane".split(),
        "he ploughed the field".split(),
    ]
    batch = bert.tokenizer(sentences, **chapter["options"])
    for positions in ([0, 1], [2, 3], [6, 1]):
        ours = chapter["word_vectors"](batch, positions)
        theirs = embed_words(bert, sentences, positions, "all", "float32")
        np.testing.assert_allclose(ours, theirs, atol=1e-4)


def test_within_and_across_equal_a_loop_over_pairs(chapter):
    rng = np.random.default_rng(0)
    vectors, senses = rng.normal(size=(7, 5)), list("aabbbca")
    found = {True: [], False: []}
    for i, j in itertools.combinations(range(7), 2):
        lengths = np.linalg.norm(vectors[i]) * np.linalg.norm(vectors[j])
        found[senses[i] == senses[j]].append(vectors[i] @ vectors[j] / lengths)
    expected = np.mean(found[True]), np.mean(found[False])
    assert chapter["within_and_across"](vectors, senses) == pytest.approx(expected)


def test_the_smallest_chance_is_two_in_560(chapter):
    senses = np.array([sense for sense, _ in chapter["eight"]])
    orders = sorted(set(itertools.permutations(senses.tolist())))
    assert len(orders) == 560
    chance = chapter["chance"]
    chance.__globals__.update(orders=orders, senses=senses)
    apart = np.eye(3)[[list("sf").index(s[0]) if s[1] != "t" else 2 for s in senses]]
    assert chance(apart) == pytest.approx(2 / 560)
    noise = np.random.default_rng(3).normal(size=(40, 8, 30))
    shares = [chance(vectors) for vectors in noise]
    assert 0.35 < np.mean(shares) < 0.65


def test_the_share_that_a_plot_keeps_is_that_of_its_two_axes(chapter):
    rng = np.random.default_rng(1)
    vectors = rng.normal(size=(6, 9))
    variances = np.linalg.svd(vectors - vectors.mean(0), compute_uv=False) ** 2
    plot_words = chapter["plot_words"]
    plot_words.__globals__["show"] = lambda plot: None
    kept = plot_words(vectors, ["a", "b"] * 3, [["x"]] * 6, [0] * 6, "title")
    assert kept == pytest.approx(variances[:2].sum() / variances.sum())


def test_a_mean_cosine_leaves_out_each_vector_with_itself(chapter):
    assert chapter["mean_cosine"](np.eye(4)) == 0
    assert chapter["mean_cosine"](np.ones((3, 2))) == pytest.approx(1)


@pytest.fixture
def states(bert):
    generator = torch.Generator().manual_seed(0)
    return torch.randn(5, bert.n_layers + 1, bert.hidden_size, generator=generator)


def test_one_layer_is_a_sum_with_one_share(chapter, states):
    model = chapter["SixWays"]([3], 4)
    nudge(model)
    expected = model.classifier(states[:, 3])
    torch.testing.assert_close(model(states), expected)
    assert model.weights.softmax(0).tolist() == [1]


def test_a_weighted_sum_follows_its_learned_shares(chapter, states):
    model = chapter["SixWays"](range(1, 4), 4)
    nudge(model)
    shares = torch.tensor([0.2, 0.5, 0.3])
    model.weights.data = shares.log()
    mixed = 0.2 * states[:, 1] + 0.5 * states[:, 2] + 0.3 * states[:, 3]
    torch.testing.assert_close(model(states), model.classifier(mixed))
    model(states).square().sum().backward()
    assert model.weights.grad.abs().max() > 0


def test_side_by_side_is_as_many_times_as_wide(chapter, states, bert):
    model = chapter["SixWays"]([3, 4, 5, 6], 4, joined=True)
    nudge(model)
    assert model.classifier.in_features == 4 * bert.hidden_size
    joined = torch.cat([states[:, layer] for layer in (3, 4, 5, 6)], dim=1)
    torch.testing.assert_close(model(states), model.classifier(joined))


def nudge(model):
    """Give the classifier weights that differ from its zeros at the start."""
    torch.manual_seed(1)
    torch.nn.init.normal_(model.classifier.weight)


def test_code_knows_who_does_it(chapter):
    rng = np.random.default_rng(5)
    rows = chapter["doer_sentences"](200, chapter["nouns"], rng)
    patterns = [
        r"the (?P<doer>\w+) (?!was )\w+ the (?P<other>\w+)",
        r"the (?P<other>\w+) was \w+ by the (?P<doer>\w+)",
        r"it was the (?P<doer>\w+) who (?!the )\w+ the (?P<other>\w+)",
        r"it was the (?P<other>\w+) who the (?P<doer>\w+) \w+",
    ]
    used = set()
    for words, place, is_doer, form_number in rows:
        text = " ".join(words).removeprefix("yesterday ")
        [(form, found)] = [
            (n, match)
            for n, pattern in enumerate(patterns)
            if (match := re.fullmatch(pattern, text))
        ]
        assert words[place] == found["doer" if is_doer else "other"]
        assert form == form_number
        used.add((form, words[0] == "yesterday"))
    assert len(used) == 8
    assert np.mean([row[2] for row in rows]) == 0.5
    assert len(set(chapter["nouns"])) == len(chapter["nouns"])


@pytest.fixture
def by_heart(chapter):
    """The chapter's names, with vectors that say form and place and nothing else."""
    rng = np.random.default_rng(0)
    rows = chapter["doer_sentences"](250, chapter["nouns"], rng)
    texts, spots, is_doer, form = zip(*rows, strict=True)
    places = [(f, words[0], s) for words, s, _, f in rows]
    vectors = np.eye(40)[[sorted(set(places)).index(place) for place in places]]
    chapter["probe"].__globals__.update(
        layers=[0],
        rows=rows,
        spots=np.array(spots),
        is_doer=np.array(is_doer),
        form=np.array(form),
        learn=np.arange(len(rows)) < 300,
    )
    return chapter | {"vectors": 10 * vectors[:, None], "form": np.array(form)}


def test_who_learned_places_by_heart_fails_on_a_form_not_seen(by_heart):
    probe, learn = by_heart["probe"], by_heart["probe"].__globals__["learn"]
    is_doer = by_heart["probe"].__globals__["is_doer"]
    assert probe(by_heart["vectors"], is_doer, learn, ~learn).mean() == 1
    coins = np.isin(2 * by_heart["form"] + is_doer, (1, 2, 5, 6))
    assert coins.mean() == pytest.approx(0.5, abs=0.1)
    assert probe(by_heart["vectors"], coins, learn, ~learn).mean() == 1
    assert by_heart["on_unseen_form"](by_heart["vectors"]).mean() < 0.6


def test_the_place_alone_answers_as_the_forms_that_it_has_seen(by_heart):
    by_place = by_heart["by_place"]
    names = by_place.__globals__
    form, spots = names["form"], names["spots"]
    first_two = form < 2  # the doer first, or the doer last: each place has one role
    assert by_place(first_two, form == 0).mean() == 1
    assert by_place(form == 0, (form == 1) & (spots == 1)).mean() == 0


def test_the_share_of_the_room_is_the_gap_over_what_the_baseline_leaves(chapter):
    index = pd.MultiIndex.from_product([[0, 1], ["a", "b"]], names=["layer", "word"])
    pairs = pd.DataFrame({"within": [0.9, 0.8, 0.6, 0.6], "across": 0.5}, index)
    room = chapter["share_of_room"](pairs, np.array([0.0, 0.5]))
    np.testing.assert_allclose(room, [[0.4, 0.3], [0.2, 0.2]])


def test_the_check_names_the_widest_layer_on_one_scale():
    widest = checks_of("contextual-embeddings")._widest
    within, across = np.array([0.10, 0.10]), np.array([0.0, 0.04])
    assert widest([within, across], np.array([0.0, 0.0])) == 0
    assert widest([within, across], np.array([0.0, 0.9])) == 1
