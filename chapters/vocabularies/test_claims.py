"""Claims of the chapter: its learners held against tokenizers, on three texts."""

import gzip
import itertools
import json
import math
from collections import Counter

import numpy as np
import pandas as pd
import pytest
import torch
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from helpers import DATA
from helpers.corpus import read_documents
from tests.lifted import three

# Published or made-up figures that the text holds.
TYPED = "0.12 4.0 4.4"

FOLDER = DATA / "vocabularies"
SPLIT = pre_tokenizers.BertPreTokenizer()


def _texts():
    """A chapter of each book, and all sentences in three languages."""
    for name in ("alice", "time-machine"):
        chapters = read_documents(FOLDER / f"{name}.txt.gz")
        yield " ".join(chapters[1]).lower()
    yield (FOLDER / "parallel.tsv").read_text(encoding="utf-8").lower()


TEXTS = dict(zip(("alice", "machine", "parallel"), _texts(), strict=True))
each_text = pytest.mark.parametrize("name", TEXTS)


@pytest.fixture(scope="module")
def page(cells):
    """The names with which the page learns, without its long runs."""
    defined = "learn frequent ratio best_cut unigram by_joining".split()
    return {k: v for name in defined for k, v in cells.needed(f"def {name}(").items()}


def _counts(name):
    return Counter(word for word, _ in SPLIT.pre_tokenize_str(TEXTS[name]))


def _library(name, model, trainer, size=100_000, **options):
    tokenizer = Tokenizer(model)
    tokenizer.pre_tokenizer = SPLIT
    trainer = trainer(vocab_size=size, show_progress=False, **options)
    tokenizer.train_from_iterator([TEXTS[name]], trainer)
    return tokenizer


@each_text
def test_bpe_is_the_librarys_to_the_last_merge(page, name):
    library = json.loads(_library(name, models.BPE(), trainers.BpeTrainer).to_str())
    theirs = [tuple(pair) for pair in library["model"]["merges"]]
    assert len(theirs) > 300
    assert list(page["learn"](_counts(name), page["frequent"], 100_000)) == theirs


def _pieces(page, name, rule, letters, merges=100_000):
    found = page["learn"](_counts(name), page[rule], merges, "##", letters)
    return list(dict.fromkeys(a + b.removeprefix("##") for a, b in found))


@each_text
def test_the_librarys_wordpiece_goes_by_the_count_and_by_no_other_rule(page, name):
    library = _library(
        name, models.WordPiece(unk_token="[UNK]"), trainers.WordPieceTrainer
    ).get_vocab()
    theirs = sorted(library, key=library.get)
    letters = [piece for piece in theirs if len(piece.removeprefix("##")) == 1]
    learned = theirs[len(letters) :]
    assert _pieces(page, name, "frequent", letters) == learned
    for rule in ("ratio", "likelihood"):
        ours = _pieces(page, name, rule, letters, 20)
        assert ours != learned[: len(ours)]


def test_the_librarys_wordpiece_numbers_letters_in_another_order_each_run():
    orders = set()
    for _ in range(6):
        library = _library(
            "machine", models.WordPiece(unk_token="[UNK]"), trainers.WordPieceTrainer
        ).get_vocab()
        inside = [p for p in library if p.startswith("##") and len(p) == 3]
        orders.add(tuple(sorted(inside, key=library.get)))
    assert len(orders) > 1


@each_text
def test_the_best_cut_is_the_librarys_with_its_own_list(page, name):
    library = _library(
        name,
        models.Unigram(),
        trainers.UnigramTrainer,
        size=400,
        unk_token="<unk>",
        special_tokens=["<unk>"],
    )
    logp = dict(json.loads(library.to_str())["model"]["vocab"])
    del logp["<unk>"]
    for word in _counts(name):
        theirs = [token.value for token in library.model.tokenize(word)]
        assert page["best_cut"](word, logp)[1] == theirs


def test_the_best_cut_is_the_best_of_all(page):
    rng = np.random.default_rng(0)
    pieces = ["".join(p) for n in (1, 2, 3) for p in itertools.product("ab", repeat=n)]
    for _ in range(50):
        logp = dict(zip(pieces, np.log(rng.dirichlet(np.ones(len(pieces)))), strict=1))
        word = "".join(rng.choice(["a", "b"], 7))
        for without in (None, word[:2]):
            score, cut = page["best_cut"](word, logp, without)
            assert "".join(cut) == word and without not in cut
            assert score == pytest.approx(_best_of_all(word, logp, without))


def _best_of_all(word, logp, without):
    scores = []
    for bits in itertools.product([0, 1], repeat=len(word) - 1):
        ends = [i for i, bit in enumerate(bits, 1) if bit] + [len(word)]
        starts = [0, *ends[:-1]]
        cut = [word[a:b] for a, b in zip(starts, ends, strict=True)]
        if without not in cut:
            scores.append(sum(logp.get(piece, -1e9) for piece in cut))
    return max(scores)


def test_unigram_keeps_letters_and_the_size_and_sums_to_one(page):
    counts = _counts("alice")
    logp = page["unigram"](counts, 200)
    assert len(logp) == 200 and set("".join(counts)) <= set(logp)
    assert sum(map(math.exp, logp.values())) == pytest.approx(1)
    assert sum(len(piece) > 2 for piece in logp) > 30


def test_a_merge_makes_no_text_longer_and_unknown_characters_are_told(page):
    counts = _counts("alice")
    letters = sorted(set("".join(counts)))
    merges = list(page["learn"](counts, page["frequent"], 150))
    lengths = [
        len(page["by_joining"](merges[:n], letters)(TEXTS["machine"]))
        for n in range(0, 151, 10)
    ]
    assert lengths == sorted(lengths, reverse=True) and lengths[-1] < lengths[0]
    assert page["by_joining"](merges, letters)("cat ☂☂")[-2:] == ["[UNK]"] * 2


@pytest.mark.parametrize("file", ["alice.txt.gz", "time-machine.txt.gz"])
def test_the_books_are_those_that_the_readme_names(file):
    import hashlib

    data = (FOLDER / file).read_bytes()
    assert hashlib.sha256(data).hexdigest() in (FOLDER / "README.md").read_text()
    assert 100_000 < len(gzip.decompress(data)) < 300_000


def test_the_library_fills_new_entries_with_the_mean_of_the_table(cells):
    names = cells.needed("tokenizer.add_tokens(")
    table, old = names["table"].detach(), len(names["vocabulary"])
    assert len(table) == old + len(names["known"]) == len(names["tokenizer"])
    mean = table[:old].mean(0).expand(len(table) - old, -1)
    assert torch.allclose(table[old:], mean, atol=1e-3)


@three("higher", "lower", "no other")
def test_what_a_new_entry_is_worth_is_said_by_the_run(cells, by, word):
    names = ["own entry", "in pieces"]
    names += [f"new: {n}" for n in ("the table's mean", "drawn", "its pieces' mean")]
    owners = [n % 10 for n in range(40)]
    rng = np.random.default_rng(0)
    ways = {name: list(3 + rng.normal(0, 0.1, 40)) for name in names}
    ways["new: the table's mean"] = [x + by for x in ways["own entry"]]
    if not by:
        ways["new: the table's mean"] = list(3 + rng.normal(0, 0.1, 40))
    of_words = pd.DataFrame(ways).groupby(owners).mean()
    said = cells.glued(
        'own, mean = ways["own entry"]',
        ways=ways,
        owners=owners,
        of_words=of_words,
        items=[0] * 40,
        known=[0] * 10,
    )
    assert word in said["mean_own"]
    assert ("not told apart" in said["lowest_told"]) == (by >= 0)


@three("higher", "lower", "not told apart")
def test_what_size_does_to_a_loss_is_said_by_the_run(cells, by, word):
    rng = np.random.default_rng(1)
    first = [list(rng.normal(3, 0.1, 30)) for _ in range(2)]
    last = [list(rng.normal(3 + by, 0.1, 30)) for _ in range(2)]
    said = cells.glued(
        "first, last = by_size", by_size={0: first, 9: last}, sizes=[0, 9]
    )
    assert said["piece_loss"] == said["character_loss"] == word


@three("shorter", "longer", "cannot be told")
def test_how_long_the_ratio_spells_is_said_by_the_run(cells, by, word):
    rng = np.random.default_rng(2)
    per_piece = {
        "joined by count": list(rng.normal(3, 0.1, 30)),
        "joined by ratio": list(rng.normal(3 + by, 0.1, 30)),
    }
    said = cells.glued("shortest = leaders", per_piece=per_piece)
    assert word in said["ratio_length"]
    assert said["alone"] == ("alone in front" if by else "in front, not told apart")


@three("more", "fewer", "as many")
def test_what_bytes_cost_is_said_by_the_run(cells, by, word):
    rng = np.random.default_rng(3)
    byte_pieces = {
        "English": list(rng.normal(2, 0.1, 24)),
        "Russian": list(rng.normal(2 + by, 0.1, 24)),
    }
    said = cells.glued("dearest = compare", byte_pieces=byte_pieces)
    assert said["byte_verdict"].startswith(word)


@three("more", "fewer", "no other", by=(3.0, 1.0, 2.0))
def test_what_a_field_costs_is_said_by_the_run(cells, by, word, bert):
    rng = np.random.default_rng(4)
    per_word = {
        "notes": list(rng.normal(by, 0.1, 16)),
        "plain": list(rng.normal(2, 0.1, 16)),
    }
    said = cells.glued("field = compare", per_word=per_word, clinic=per_word, bert=bert)
    assert said["field_verdict"].startswith(word)


@three("more", "fewer", "no other", by=(2, -2, 0))
def test_what_a_slip_costs_is_said_by_the_run(cells, by, word):
    rng = np.random.default_rng(5)
    before = [["x"] * int(n) for n in rng.integers(3, 6, 50)]
    after = [["y"] * (len(cut) + by) for cut in before]
    said = cells.glued("n_before, n_after", before=before, after=after)
    assert said["slip_verdict"].startswith(word) and said["slip_kept"] == 0


@three("rarer", "more frequent", "about as", by=("zj", "ee", "ab"))
def test_which_letters_the_ratio_joins_is_said_by_the_run(cells, by, word):
    counts = {letter * 9: 27 - n for n, letter in enumerate("eabcdfghijz")}
    pairs = {"ratio": [tuple(by)] * 12, "count": [("a", "##b")] * 12}
    said = cells.glued("ranks = {", counts=counts, pairs=pairs, Counter=Counter)
    assert word in said["rarer"]
