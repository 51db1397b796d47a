"""The chapter: its functions against references, and what its text claims."""

from types import FunctionType

import numpy as np
import pandas as pd
import pytest
import torch

from chapters.masked_language_model import reading
from chapters.masked_language_model.probes import THINGS, sentence_about
from helpers.corpus import masking
from helpers.models import load_bert

# Published or made-up figures that the text holds.
TYPED = "0.001 0.1 0.10 0.152 0.2 0.40 0.7 0.8 0.9 3.1"


def of_model(bert):
    """The names of the page that hang on its model."""
    tokenizer = bert.tokenizer
    names = {"bert": bert, "tokenizer": tokenizer, "mask_id": tokenizer.mask_token_id}
    return names | {"vocabulary_size": len(tokenizer)}


@pytest.fixture(scope="module")
def functions(cells, bert):
    """The chapter's functions and lists, lifted out of it, on the embedded model."""
    lists = "IGNORED special_ids ordinary_ids TEMPLATES HOME_TEMPLATES HOME WORK"
    return cells.defined(*lists.split(), **of_model(bert))


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


def running_on(bert, function):
    """The same function with another model."""
    names = function.__globals__ | of_model(bert)
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
    for name in ("TEMPLATES", "HOME_TEMPLATES"):
        templates = functions[name]
        assert len(set(templates)) == len(templates) >= 10
        assert all(t.count("{}") == t.count("[MASK]") == 1 for t in templates)
    assert len(THINGS) == 73
    for word in THINGS.values():
        functions["piece_id"](word)


@pytest.mark.parametrize(
    ("thing", "inserted", "sentence"),
    [
        ("robin", "", "A robin is a [MASK]."),
        ("oak", "not", "An oak is not a [MASK]."),
        ("dog", "just", "A dog is just an [MASK]."),
    ],
)
def test_a_sentence_about_a_thing(thing, inserted, sentence):
    assert sentence_about(thing, inserted) == sentence


@pytest.fixture(scope="module")
def measured(cells, tiny):
    """The chapter's measurements on any sentences, with a random model."""

    def on(sentences):
        names = {"torch": torch, "reading": reading} | of_model(tiny)
        names["coarse_wsd_words"] = lambda: ["made-up"]
        names["load_coarse_wsd"] = lambda word, split: pd.DataFrame(
            {"sentence": [tuple(words.split()) for words in sentences]}
        )
        names = cells.run("sentences = pd.concat", "def surprise(", **names)
        return cells.run("def surprise_without", **names)

    return on


WORDS = "the old farmer who lived by the river sold his cow at the market in the next"
WORDS = f"{WORDS} town .".split()


@pytest.mark.parametrize("way", ["masked", "closed", "cut"])
def test_surprise_depends_on_the_words_kept_and_on_no_other(measured, way):
    hole = len(WORDS) // 2
    assert WORDS[hole] == "his"

    def bits(words):
        return bits_of(measured([" ".join(words)]), way, kept=2)

    def with_other(offset):
        changed = WORDS.copy()
        changed[hole + offset] = "bridge"
        return bits(changed)

    own = bits(WORDS)
    assert own > 0
    for offset in (-3, 4, len(WORDS) - 1 - hole):
        assert with_other(offset) == pytest.approx(own, abs=1e-5)
    for offset in (-2, 2):
        assert abs(with_other(offset) - own) > 3e-5


def bits_of(names, way, kept):
    """Bits of the one hidden word, with `kept` words on each side of it."""
    far = names["gap"].abs() > kept
    if way == "masked":
        return names["surprise"](far)[0]
    return names["surprise_without"](far)[("closed", "cut").index(way)][0]


def test_with_all_words_kept_the_three_ways_are_one(measured):
    names = measured([" ".join(WORDS)])
    own = bits_of(names, "masked", 99)
    for way in ("closed", "cut"):
        assert bits_of(names, way, 99) == pytest.approx(own, abs=1e-5)


def test_a_closed_place_is_one_that_nobody_attends_to(measured, tiny):
    names = measured([" ".join(WORDS)])
    gap, encoding = names["gap"], names["encoding"]
    seen = encoding["attention_mask"].masked_fill(gap.abs() > 2, 0)
    ids = encoding["input_ids"].masked_fill(gap == 0, names["mask_id"])
    with torch.inference_mode():
        logits = tiny.mlm(ids, attention_mask=seen).logits[gap == 0]
    [nats] = -logits.log_softmax(-1).gather(1, names["answers"][:, None])
    own = bits_of(names, "closed", 2)
    assert own == pytest.approx(nats.item() / np.log(2), abs=1e-5)


def test_leanings_are_log_odds(functions, bert):
    def shares(text):
        [best] = bert.predict_masked(text.format("teacher"), top=len(bert.tokenizer))
        return dict(best)

    p = shares(functions["TEMPLATES"][7])
    log_odds = np.log(p["she"] / p["he"])
    assert functions["leaning"]("teacher")[7] == pytest.approx(log_odds, abs=1e-3)
    p = shares(functions["HOME_TEMPLATES"][7])
    home, work = (sum(p[word] for word in functions[k]) for k in ("HOME", "WORK"))
    log_odds = np.log(home / work)
    assert functions["homeliness"]("teacher")[7] == pytest.approx(log_odds, abs=1e-3)


def test_interval_holds_the_true_mean_about_as_often_as_it_says(functions):
    rng = np.random.default_rng(0)
    hits = 0
    for _ in range(200):
        low, high = functions["interval_of_mean"](rng.normal(1, 2, 22), draws=400)
        hits += low < 1 < high
    assert 0.88 < hits / 200 < 0.98
