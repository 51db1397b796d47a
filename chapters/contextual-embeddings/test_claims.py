"""What the chapter claims, and its functions held against slower, plainer code."""

import ast
import itertools
import re
from pathlib import Path

import numpy as np
import pytest
import torch

from helpers.embeddings import embed_words


@pytest.fixture(scope="module")
def chapter(chapter_cells, bert):
    """Imports, functions, classes and lists of words of the chapter, by name."""
    names = {"bert": bert}
    for cell in chapter_cells():
        if not any(tag.startswith("solution") for tag in cell.tags):
            body = [node for node in ast.parse(cell.source).body if wanted(node)]
            exec(compile(ast.Module(body, []), "a cell", "exec"), names)
    return names


def wanted(node):
    if isinstance(node, ast.Assign):
        texts = "options", "eight", "own", "nouns", "verbs", "forms", "paper"
        return getattr(node.targets[0], "id", "") in texts
    return isinstance(
        node, ast.Import | ast.ImportFrom | ast.FunctionDef | ast.ClassDef
    )


def test_every_sentence_holds_its_word_once(chapter):
    for sense, sentence in chapter["eight"] + chapter["own"]:
        words = chapter["split_words"](sentence)
        assert words[chapter["position_of"]("field", words)] == "field", sense
    counts = [sense for sense, _ in chapter["eight"]]
    assert [counts.count(sense) for sense in ("sport", "farm", "study")] == [3, 2, 3]


def test_a_word_missing_or_twice_is_refused(chapter):
    for sentence in ("No such word.", "Field by field."):
        words = chapter["split_words"](sentence)
        with pytest.raises(ValueError, match="times 'field'"):
            chapter["position_of"]("field", words)


def test_padding_moves_no_vector_under_the_mask(chapter, bert):
    sentences = ["strawberries ripen".split(), "a far longer row of words here".split()]
    batch = bert.tokenizer(sentences, **chapter["options"])
    ids, mask = batch["input_ids"], batch["attention_mask"]
    alone = chapter["hidden_states"](ids[:1, mask[0].bool()])[0]
    n = alone.shape[1]
    assert n < ids.shape[1]
    together = chapter["hidden_states"](ids, mask)[0, :, :n]
    torch.testing.assert_close(together, alone, atol=1e-4, rtol=1e-4)
    unmasked = chapter["hidden_states"](ids)[0, :, :n]
    assert (unmasked - alone).abs().max() > 0.1


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


def test_the_smallest_chance_is_two_in_560(chapter, chapter_text):
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
    assert "2 in\n560" in chapter_text()


def test_two_components_of_eight_random_points_keep_about_a_third(chapter):
    rng = np.random.default_rng(0)
    for width in (384, 768):
        kept = [
            chapter["PCA"](2).fit(points).explained_variance_ratio_.sum()
            for points in rng.normal(size=(10, 8, width))
        ]
        assert 0.3 < np.mean(kept) < 0.37


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
    rows = chapter["doer_sentences"](200, np.random.default_rng(5))
    patterns = [
        r"the (?P<doer>\w+) (?!was )\w+ the (?P<other>\w+)",
        r"the (?P<other>\w+) was \w+ by the (?P<doer>\w+)",
        r"it was the (?P<doer>\w+) who (?!the )\w+ the (?P<other>\w+)",
        r"it was the (?P<other>\w+) who the (?P<doer>\w+) \w+",
    ]
    used = set()
    for words, place, is_doer in rows:
        text = " ".join(words).removeprefix("yesterday ")
        [(form, found)] = [
            (n, match)
            for n, pattern in enumerate(patterns)
            if (match := re.fullmatch(pattern, text))
        ]
        assert words[place] == found["doer" if is_doer else "other"]
        used.add((form, words[0] == "yesterday"))
    assert len(used) == 8
    assert np.mean([is_doer for *_, is_doer in rows]) == 0.5
    assert len(set(chapter["nouns"])) == len(chapter["nouns"])


def test_word_identity_solves_the_control_task_and_not_the_real_one(chapter):
    nouns, rng = chapter["nouns"], np.random.default_rng(0)
    rows = chapter["doer_sentences"](300, rng)
    noun_at = [words[place] for words, place, _ in rows]
    known = set(noun_at[:400])
    fair = [i for i in range(400, 600) if noun_at[i] in known]
    chapter["probe"].__globals__.update(layers=[0], half=400, fair=fair)
    identity = np.eye(len(nouns))[[nouns.index(noun) for noun in noun_at]][:, None]
    coin = dict(zip(nouns, rng.integers(2, size=len(nouns)), strict=True))
    heart = chapter["probe"](identity * 10, [coin[noun] for noun in noun_at], 100)
    assert heart[0] > 0.95
    doer = chapter["probe"](identity * 10, [row[2] for row in rows])
    assert doer[0] < 0.65


def test_the_diagram_and_the_chart_give_the_figures_of_the_paper(chapter):
    diagram = Path(__file__).with_name("six-ways.svg").read_text(encoding="utf-8")
    drawn = [float(number) for number in re.findall(r">(\d\d\.\d)<", diagram)]
    assert drawn == chapter["paper"] == [91.0, 94.9, 95.5, 95.6, 95.9, 96.1]


def test_no_figure_of_the_run_is_typed_into_the_text(chapter_text):
    prose = re.sub(r"```.*?```", "", chapter_text(), flags=re.S)
    typed = set(re.findall(r"\b\d+\.\d+\b", prose))
    published = {"91.0", "0.1", "0.2", "0.3"}
    made_up = {"0.6", "0.5"}
    section = {"5.3"}
    assert typed <= published | made_up | section
