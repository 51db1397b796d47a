"""The chapter: its functions against references, and what its text claims."""

import itertools
import re
from types import FunctionType

import numpy as np
import pandas as pd
import pytest
import torch

from helpers.corpus import masking
from helpers.models import load_bert
from helpers.verdicts import compare

# Published or made-up figures that the text holds.
TYPED = "0.8 0.9 3.1"


@pytest.fixture(scope="module")
def functions(cells, bert):
    """The chapter's functions and lists, lifted out of it, on the embedded model."""
    lists = "IGNORED special_ids ordinary_ids TEMPLATES THINGS CAPITALS HOME WORK"
    names = {"bert": bert, "vocabulary_size": len(bert.tokenizer)}
    return cells.defined(*lists.split(), **names)


@pytest.fixture(scope="module")
def long_text(bert):
    """Ids of 130,000 tokens, ordinary pieces with special ones among them."""
    rng = np.random.default_rng(0)
    ids = rng.choice(len(bert.tokenizer), 130_000)
    ids[::20] = bert.tokenizer.sep_token_id
    ids[1::50] = bert.tokenizer.pad_token_id
    return ids


@pytest.fixture(scope="module")
def masked(functions, long_text):
    return functions["mask_tokens"](long_text, np.random.default_rng(1))


def within_three_sigma(count, of, rule):
    return abs(count / of - rule) < 3 * np.sqrt(rule * (1 - rule) / of)


def test_shares_lie_within_three_sigma_of_the_rule(masked, long_text, bert):
    corrupted, labels = masked
    eligible = ~np.isin(long_text, bert.tokenizer.all_special_ids)
    assert eligible.sum() > 100_000
    chosen = labels != -100
    assert within_three_sigma(chosen.sum(), eligible.sum(), 0.15)
    is_mask = chosen & (corrupted == bert.tokenizer.mask_token_id)
    kept = chosen & (corrupted == long_text)
    assert within_three_sigma(is_mask.sum(), chosen.sum(), 0.8)
    assert within_three_sigma(kept.sum(), chosen.sum(), 0.1)
    assert within_three_sigma((chosen & ~is_mask & ~kept).sum(), chosen.sum(), 0.1)


def test_special_tokens_and_all_that_is_not_chosen_stay(masked, long_text, bert):
    corrupted, labels = masked
    special = np.isin(long_text, bert.tokenizer.all_special_ids)
    assert (labels[special] == -100).all()
    other = labels == -100
    assert (corrupted[other] == long_text[other]).all()
    assert (labels[~other] == long_text[~other]).all()
    replaced = corrupted[~other & (corrupted != bert.tokenizer.mask_token_id)]
    assert not np.isin(replaced, bert.tokenizer.all_special_ids).any()


class TorchDraws:
    """NumPy's generator as the chapter uses it, with the draws of a torch one."""

    def __init__(self, seed):
        self.generator = torch.Generator().manual_seed(seed)

    def random(self, shape):
        return torch.rand(shape, generator=self.generator).numpy()

    def choice(self, pool, shape):
        return pool[torch.randint(len(pool), shape, generator=self.generator).numpy()]


def test_the_rule_is_that_of_the_helpers(functions, long_text, bert):
    ids = long_text.reshape(100, -1)
    own = functions["mask_tokens"](ids, TorchDraws(3))
    theirs = masking.mask_tokens(
        torch.as_tensor(ids),
        bert.tokenizer,
        generator=torch.Generator().manual_seed(3),
    )
    for ours, reference in zip(own, theirs, strict=True):
        assert (ours == reference.numpy()).all()


def test_fates_are_named_as_they_were_drawn(functions, masked, long_text, bert):
    corrupted, labels = masked
    fate = functions["fates"](corrupted, labels)
    assert ((fate == "not chosen") == (labels == -100)).all()
    mask_id = bert.tokenizer.mask_token_id
    assert (corrupted[fate == "[MASK]"] == mask_id).all()
    assert (corrupted[fate == "kept"] == long_text[fate == "kept"]).all()
    changed = fate == "random word"
    assert changed.any() and (corrupted[changed] != long_text[changed]).all()


@pytest.mark.parametrize(
    ("sentence", "position", "hidden"),
    [
        ("The cat watched a caterpillar.", 1, "The [MASK] watched a caterpillar."),
        ("The cat watched a caterpillar.", 4, "The cat watched a [MASK]."),
        ("A cat, a cat!", 4, "A cat, a [MASK]!"),
        ("Café  au lait", 0, "[MASK]  au lait"),
    ],
)
def test_hide_keeps_to_the_word_with_the_index(functions, sentence, position, hidden):
    assert functions["hide"](sentence, position) == hidden


def test_words_of_and_hide_count_alike(functions):
    sentence = "Don't feed the caterpillars, please."
    words = functions["words_of"](sentence)
    assert words[-2:] == ["please", "."] and "caterpillars" in words
    for position, word in enumerate(words):
        before, after = functions["hide"](sentence, position).split("[MASK]")
        assert before + word + after == sentence


def test_replace_and_argmax_go_wrong_as_the_box_says(bert):
    assert "caterpillar".replace("cat", "[MASK]") == "[MASK]erpillar"
    tokens = bert.tokenizer("The [mask] watched a bird.").tokens()
    assert "[MASK]" not in tokens
    assert torch.tensor([False, False]).int().argmax() == 0


def running_on(bert, function):
    """The same function with another model under the name bert."""
    names = function.__globals__ | {"bert": bert}
    return FunctionType(function.__code__, names)


@pytest.mark.parametrize("model", ["embedded", "tiny"])
def test_distribution_is_what_the_model_predicts(model, functions, request):
    name = "embedded"
    if model == "tiny":
        name = str(request.getfixturevalue("tiny_bert_folder"))
    running = load_bert(name)
    distribution = running_on(running, functions["distribution"])
    texts = ["The [MASK] sat.", "On Monday the old [MASK] went to the market town."]
    p = distribution(texts)
    assert p.shape == (2, len(running.tokenizer))
    assert p.sum(axis=1) == pytest.approx([1, 1], abs=1e-4)
    for row, text in zip(p, texts, strict=True):  # padding makes no difference
        [best] = running.predict_masked(text, top=5)
        assert np.sort(row)[-5:][::-1] == pytest.approx([p for _, p in best], abs=1e-5)
    for text in ("No mask.", "[MASK] and [MASK]."):
        with pytest.raises(ValueError, match="one"):
            distribution([text])


def test_a_word_in_pieces_has_no_id(functions, bert):
    assert bert.tokenizer.convert_ids_to_tokens(functions["piece_id"]("cow")) == "cow"
    with pytest.raises(ValueError, match="caterpillar is 3 pieces"):
        functions["piece_id"]("caterpillar")


def test_probes_are_well_formed(functions):
    templates = functions["TEMPLATES"]
    assert len(set(templates)) == len(templates) >= 20
    assert all(t.count("{}") == t.count("[MASK]") == 1 for t in templates)
    assert len(functions["THINGS"]) == 25
    assert len(functions["CAPITALS"]) == len(set(functions["CAPITALS"].values())) == 20
    for word in [*functions["THINGS"].values(), *functions["CAPITALS"].values()]:
        functions["piece_id"](word)


def test_a_kind_has_wrong_kinds_after_the_same_article(functions):
    a, kinds = functions["a"], set(functions["THINGS"].values())
    assert a("instrument") == "an" and a("fish") == "a"
    for kind in kinds:
        assert [other for other in kinds - {kind} if a(other) == a(kind)]


@pytest.fixture(scope="module")
def surprise(cells, tiny):
    """The chapter's measurement on any sentences, with a random model."""

    def on(sentences, left, right):
        names = {"torch": torch, "bert": tiny, "vocabulary_size": len(tiny.tokenizer)}
        names["coarse_wsd_words"] = lambda: ["made-up"]
        names["load_coarse_wsd"] = lambda word, split: pd.DataFrame(
            {"sentence": [tuple(words.split()) for words in sentences]}
        )
        return cells.run("usable =", "def surprise", **names)["surprise"](left, right)

    return on


def test_surprise_depends_on_the_words_kept_and_on_no_other(surprise):
    words = "the old farmer who lived by the river sold his cow at the market"
    words = f"{words} in the next town ."
    hole = len(words.split()) // 2
    assert words.split()[hole] == "his"

    def with_other(offset):
        changed = words.split()
        changed[hole + offset] = "bridge"
        return surprise([" ".join(changed)], 2, 3)

    [bits] = surprise([words], 2, 3)
    assert bits > 0
    for offset in (-3, 4, len(words.split()) - 1 - hole):
        assert with_other(offset) == pytest.approx(bits, abs=1e-5)
    for offset in (-2, 3):
        assert abs(with_other(offset) - bits) > 1e-3


THREE = [(-1.0, 0), (1.0, 1), (0.0, 2)]  # behind, ahead, not told apart
NOISE = np.random.default_rng(0).normal(0, 0.2, (4, 50))


@pytest.mark.parametrize(("by", "place"), THREE)
def test_what_context_is_worth_is_said_by_the_run(cells, by, place):
    left, right = [10 + by + row for row in NOISE], [10 + row for row in NOISE[::-1]]
    right[0] = right[0] + by
    names = {"series": {"left only": left, "both sides": right}, "compare": compare}
    names["frequency"] = left[3] + by + NOISE[0]
    said = cells.glued("sides = compare(", **names)
    sides = ("one side is worth more", "both sides is worth more", "not told apart")
    assert sides[place] in said["sides_word"]
    assert (
        said["known_word"] == ("more than", "less than", "not told apart from")[place]
    )
    near = ("farther words are", "nearer words are", "not told apart")[place]
    assert near in said["near_word"]


def test_near_and_far_words_are_compared_word_by_word(cells):
    bits = [np.array([10.0, 11.0]) - saved for saved in (0, 1, 2, 6)]
    names = {"series": {"left only": bits, "both sides": bits}, "frequency": bits[0]}
    said = cells.glued("sides = compare(", **names)
    assert said["near_bits"] == said["far_bits"] == 0.5
    assert "not told apart" in said["near_word"]


@pytest.mark.parametrize(("by", "place"), THREE)
def test_what_a_random_word_does_is_said_by_the_run(cells, by, place):
    columns = ["original word", "word that stands there"]
    names = ["[MASK]", "random word", "kept", "not chosen"]
    places = pd.DataFrame({"place": np.repeat(names, 50)})
    places[columns[0]] = np.tile(0.5 + by / 2 + NOISE[0], 4)
    places[columns[1]] = np.tile(0.5 + NOISE[1], 4)
    table = places.groupby("place").mean()
    made_up = {"places": places, "by_place": table, "compare": compare}
    said = cells.glued("restored = compare(", **made_up)
    words = ("to the intruder", "to the original", "not told apart")
    assert words[place] in said["restored_word"]


@pytest.mark.parametrize(("by", "place"), THREE)
def test_whether_not_is_heard_is_said_by_the_run(cells, functions, by, place):
    kinds = list(functions["THINGS"].values())
    negation = pd.DataFrame({"kind": kinds, "is a": kinds, "is not a": kinds})
    negation["shared in top 10"] = 10
    negation["fall of the kind"] = by + NOISE[0, :25]
    negation["fall of wrong kinds"] = NOISE[1, :25]
    made_up = {"negation": negation, "compare": compare}
    said = cells.glued("heard = compare(", **made_up)
    words = ("falls less far", "falls further", "not told apart")
    assert words[place] in said["heard_word"]
    assert said["n_same"] == said["n_kind"] == 25


def test_a_difference_in_one_kind_alone_is_no_hearing(cells):
    kinds = ["bird"] * 20 + ["fish", "tree", "tool"]
    negation = pd.DataFrame({"kind": kinds, "is a": kinds, "is not a": kinds})
    negation["shared in top 10"] = 10
    negation["fall of the kind"] = 5.0 * (negation["kind"] == "bird") + NOISE[0, :23]
    negation["fall of wrong kinds"] = NOISE[1, :23]
    made_up = {"negation": negation, "compare": compare}
    said = cells.glued("heard = compare(", **made_up)
    assert "not told apart" in said["heard_word"]
    # the two falls, too, count each kind once
    assert said["fall_right"] == pytest.approx(5 / 4, abs=0.2)


@pytest.mark.parametrize(("by", "place"), THREE)
def test_whether_the_claim_holds_is_said_by_the_run(cells, by, place):
    means = [by + x for x in NOISE[0, :10]]
    made_up = {"means": means, "between": range(6), "compare": compare, "np": np}
    made_up["intervals"] = [(x - 0.1, x + 0.1) for x in means]
    said = cells.glued("claim = compare(", **made_up)
    words = ("against the claim", "as claimed", "no common leaning")
    assert words[place] in said["claim_word"]


def test_rows_of_the_published_ablation_add_up(chapter_text):
    rows = re.findall(r"^\| (\d+) % \| (\d+) % \| (\d+) % \|", chapter_text(), re.M)
    assert len(rows) == 6 and all(sum(map(int, row)) == 100 for row in rows)


def test_leaning_is_the_log_odds_of_the_two_lists(functions, bert):
    leaning = functions["leaning"]("teacher")
    text = functions["TEMPLATES"][7].format("teacher")
    [best] = bert.predict_masked(text, top=len(bert.tokenizer))
    p = dict(best)
    home, work = (sum(p[word] for word in functions[k]) for k in ("HOME", "WORK"))
    assert leaning[7] == pytest.approx(np.log(home / work), abs=1e-3)


def test_random_weights_tell_two_words_apart_reliably(functions, tiny_bert_folder):
    running = load_bert(str(tiny_bert_folder))
    names = functions | {"bert": running}
    names["distribution"] = FunctionType(functions["distribution"].__code__, names)
    leaning = FunctionType(functions["leaning"].__code__, names)
    people = ["woman", "man", "lady", "gentleman", "girl", "boy"]
    leanings = [leaning(person) for person in people]
    sure = 0
    for one, other in itertools.combinations(leanings, 2):
        low, high = functions["interval_of_mean"](one - other)
        sure += low > 0 or high < 0
    assert sure >= 10  # of 15


def test_interval_holds_the_true_mean_about_as_often_as_it_says(functions):
    rng = np.random.default_rng(0)
    hits = 0
    for _ in range(200):
        low, high = functions["interval_of_mean"](rng.normal(1, 2, 22), draws=400)
        hits += low < 1 < high
    assert 0.88 < hits / 200 < 0.98
