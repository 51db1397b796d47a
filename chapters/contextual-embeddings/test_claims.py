"""What the chapter claims, and its functions held against slower, plainer code."""

import itertools
import re

import numpy as np
import pandas as pd
import pytest
import torch

from chapters.contextual_embeddings import controls, scales, texts
from helpers.embeddings import embed_words
from helpers.exercises.checks import checks_of

# Published or made-up figures that the text holds.
TYPED = "0.1 0.2 0.4 0.6 0.8 5.3 91.0 94.9 95.5 95.6 95.9 96.1 0.01"


@pytest.fixture(scope="module")
def chapter(cells, bert):
    return cells.defined("options", "eight", "forms", bert=bert)


def test_vectors_of_a_word_equal_the_helper_for_split_words_too(chapter, bert):
    sentences = [
        "strawberries and caterpillars surround an old crane".split(),
        "he ploughed the field".split(),
    ]
    batch = bert.tokenizer(sentences, **chapter["options"])
    for positions in ([0, 1], [2, 3], [6, 1]):
        theirs = embed_words(bert, sentences, positions, "all", "float32")
        for row, position in enumerate(positions):
            ours = chapter["vectors_of"](batch, row, position, batch["attention_mask"])
            np.testing.assert_allclose(ours, theirs[row], atol=1e-4)


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
    reaching = chapter["reaching"]
    reaching.__globals__.update(orders=orders, senses=senses)
    apart = np.eye(3)[[list("sf").index(s[0]) if s[1] != "t" else 2 for s in senses]]
    assert reaching(apart) == 2
    noise = np.random.default_rng(3).normal(size=(40, 8, 30))
    shares = [reaching(vectors) / 560 for vectors in noise]
    assert 0.35 < np.mean(shares) < 0.65


def test_the_share_that_a_plot_keeps_is_that_of_its_two_axes():
    vectors = np.random.default_rng(1).normal(size=(6, 9))
    variances = np.linalg.svd(vectors - vectors.mean(0), compute_uv=False) ** 2
    expected = variances[:2].sum() / variances.sum()
    assert controls.share_in_plane(vectors) == pytest.approx(expected)


def test_a_mean_cosine_leaves_out_each_vector_with_itself(chapter):
    assert chapter["mean_cosine"](np.eye(4)) == 0
    assert chapter["mean_cosine"](np.ones((3, 2))) == pytest.approx(1)


@pytest.fixture
def states(bert):
    generator = torch.Generator().manual_seed(0)
    return torch.randn(5, bert.n_layers + 1, bert.hidden_size, generator=generator)


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


@pytest.fixture(scope="module")
def people(chapter):
    return texts.who_does_it(chapter["forms"])


def test_code_knows_who_does_it(people):
    patterns = [
        r"the (?P<doer>\w+) (?!was )\w+ the (?P<other>\w+)",
        r"the (?P<other>\w+) was \w+ by the (?P<doer>\w+)",
        r"it was the (?P<doer>\w+) who (?!the )\w+ the (?P<other>\w+)",
        r"it was the (?P<other>\w+) who the (?P<doer>\w+) \w+",
    ]
    used = set()
    for row in people.itertuples():
        text = " ".join(row.words).removeprefix("yesterday ")
        [(form, found)] = [
            (n, match)
            for n, pattern in enumerate(patterns)
            if (match := re.fullmatch(pattern, text))
        ]
        assert row.words[row.place] == found["doer" if row.does else "other"]
        assert form == row.form
        used.add((form, row.words[0] == "yesterday"))
    assert len(used) == 8
    assert people.does.mean() == 0.5
    assert len(set(texts.NOUNS)) == len(texts.NOUNS)


def test_the_nouns_of_the_test_are_new(people):
    asked = pd.Series([w[at] for w, at in zip(people.words, people.place, strict=True)])
    assert (~people.new).sum() == 300
    assert not {*asked[people.new]} & {*asked[~people.new]}


def test_a_noun_is_a_plural_where_the_row_says_so(people):
    rows = texts.with_plurals(people)
    assert 0.4 < rows.many.mean() < 0.6 and {*rows.form} == {0, 2, 3}
    for row in rows.itertuples():
        assert (row.words[row.place] not in texts.NOUNS) == row.many


@pytest.fixture
def by_heart(chapter, people):
    """The chapter's names, with vectors that say form and place and nothing else."""
    keys = list(zip(people.form, people.words.str[0], people.place, strict=True))
    vectors = np.eye(40)[[sorted(set(keys)).index(key) for key in keys]]
    names = {name: people[name].to_numpy() for name in ("does", "form")}
    names |= {"learn": ~people.new.to_numpy(), "vectors": 10 * vectors[:, None]}
    chapter["on_unseen_form"].__globals__.update(names)
    return chapter | names


def test_who_learned_places_by_heart_fails_on_a_form_not_seen(by_heart):
    probe, learn, does = (by_heart[name] for name in ("probe", "learn", "does"))
    assert probe(by_heart["vectors"], does, learn, ~learn).mean() == 1
    coins = np.isin(2 * by_heart["form"] + does, (1, 2, 5, 6))
    assert coins.mean() == pytest.approx(0.5, abs=0.1)
    assert probe(by_heart["vectors"], coins, learn, ~learn).mean() == 1
    assert by_heart["on_unseen_form"](by_heart["vectors"]).mean() < 0.6


def test_plurals_are_spelt_as_english_spells_them():
    wanted = "children wolves thieves ladies boys witches actors foxes"
    given = "child wolf thief lady boy witch actor fox"
    assert [texts.plural(noun) for noun in given.split()] == wanted.split()


def test_the_share_of_the_room_is_the_gap_over_what_the_baseline_leaves():
    index = pd.MultiIndex.from_product([[0, 1], ["a", "b"]], names=["layer", "word"])
    pairs = pd.DataFrame({"within": [0.9, 0.8, 0.6, 0.6], "across": 0.5}, index)
    room = scales.share_of_room(pairs, np.array([0.0, 0.5]))
    np.testing.assert_allclose(room, [[0.4, 0.3], [0.2, 0.2]])


def test_the_check_names_the_widest_layer_on_one_scale():
    widest = checks_of("contextual-embeddings")._widest
    within, across = np.array([0.10, 0.10]), np.array([0.0, 0.04])
    assert widest([within, across], np.array([0.0, 0.0])) == 0
    assert widest([within, across], np.array([0.0, 0.9])) == 1
