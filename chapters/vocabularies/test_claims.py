"""Claims of the chapter: its learners held against slower code and tokenizers."""

import gzip
import itertools
import math
from collections import Counter

import numpy as np
import pytest
import torch
from tokenizers import pre_tokenizers

from chapters.vocabularies import learner
from helpers import DATA
from helpers.corpus import read_documents

# Published or made-up figures that the text holds.
TYPED = "0.12 4.0 4.4 2.8"

FOLDER = DATA / "vocabularies"
SPLIT = pre_tokenizers.BertPreTokenizer()


def _texts():
    """A chapter of each book."""
    for name in ("alice", "time-machine"):
        chapters = read_documents(FOLDER / f"{name}.txt.gz")
        yield " ".join(chapters[1]).lower()


TEXTS = dict(zip(("alice", "machine"), _texts(), strict=True))


@pytest.fixture(scope="module")
def page(cells):
    """The names with which the page learns, without its long runs."""
    defined = "frequent likelihood best_cut bpe merge".split()
    return {k: v for name in defined for k, v in cells.needed(f"def {name}(").items()}


@pytest.mark.parametrize("name", TEXTS)
def test_the_plain_learner_joins_what_the_fast_one_joins(page, name):
    """Where there is no tie, which they break in other ways."""
    counts = {w: 10_007 * n + i for i, (w, n) in enumerate(_counts(name).items())}
    own = page["bpe"](counts, 40)
    assert own == list(learner.learn(counts, page["frequent"], 40))


def test_joining_goes_from_the_left(page):
    assert page["merge"](list("aaaab"), ("a", "a")) == ["aa", "aa", "b"]
    assert page["merge"](["th", "e", "t", "h"], ("t", "h")) == ["th", "e", "th"]


def _counts(name):
    return Counter(word for word, _ in SPLIT.pre_tokenize_str(TEXTS[name]))


def test_the_best_cut_is_the_best_of_all(page):
    rng = np.random.default_rng(0)
    pieces = ["".join(p) for n in (1, 2, 3) for p in itertools.product("ab", repeat=n)]
    for _ in range(50):
        logp = dict(zip(pieces, np.log(rng.dirichlet(np.ones(len(pieces)))), strict=1))
        word = "".join(rng.choice(["a", "b"], 7))
        score, cut = page["best_cut"](word, logp)
        assert "".join(cut) == word
        assert score == pytest.approx(_best_of_all(word, logp))


def _best_of_all(word, logp):
    scores = []
    for bits in itertools.product([0, 1], repeat=len(word) - 1):
        ends = [i for i, bit in enumerate(bits, 1) if bit] + [len(word)]
        cut = [word[a:b] for a, b in zip([0, *ends[:-1]], ends, strict=True)]
        scores.append(sum(logp.get(piece, -1e9) for piece in cut))
    return max(scores)


@pytest.mark.parametrize("pair", [("a", "b"), ("l", "l"), ("e", "r")])
def test_the_likelihood_is_what_the_text_gains(page, pair):
    """Two pieces, one piece twice, and a pair that never occurs apart."""
    text = ["l l", "a", "b c", "l l", "e r", "a b", "a b", "l"]
    before = [word.split() for word in text]
    after = [["".join(pair)] if tuple(cut) == pair else cut for cut in before]
    count = Counter(piece for cut in before for piece in cut)
    n, (first, second) = before.count(list(pair)), (count[piece] for piece in pair)
    gain = page["likelihood"](n, first, second, count.total(), pair[0] == pair[1])
    assert n and gain == pytest.approx(
        _log_probability(after) - _log_probability(before)
    )


def _log_probability(cuts):
    count = Counter(piece for cut in cuts for piece in cut)
    return sum(n * math.log(n / count.total()) for n in count.values())


def test_a_merge_makes_no_text_longer_and_unknown_characters_are_told(page):
    counts = _counts("alice")
    letters = sorted(set("".join(counts)))
    merges = list(learner.learn(counts, page["frequent"], 150))
    lengths = [
        len(learner.by_joining(merges[:n], letters)(TEXTS["machine"]))
        for n in range(0, 151, 10)
    ]
    assert lengths == sorted(lengths, reverse=True) and lengths[-1] < lengths[0]
    assert learner.by_joining(merges, letters)("cat ☂☂")[-2:] == ["[UNK]"] * 2


@pytest.mark.parametrize("file", ["alice.txt.gz", "time-machine.txt.gz"])
def test_the_books_are_those_that_the_readme_names(file):
    import hashlib

    data = (FOLDER / file).read_bytes()
    assert hashlib.sha256(data).hexdigest() in (FOLDER / "README.md").read_text()
    assert 100_000 < len(gzip.decompress(data)) < 300_000


def test_a_piece_costs_what_the_model_gives_it_with_the_rest_in_sight(cells, bert):
    costs = cells.needed("def costs(")["costs"]
    left = bert.tokenizer.tokenize("Money did not end her")
    pieces = bert.tokenizer.tokenize("unhappiness")
    alone = costs("Money did not end her ", "unhappiness", ".", False)
    whole = costs("Money did not end her ", "unhappiness", ".", True)
    assert len(alone) == len(whole) == len(pieces) == 4
    for i, given in ((1, alone), (1, whole)):
        rest = pieces[i + 1 :] if given is alone else ["[MASK]"] * (3 - i)
        row = ["[CLS]", *left, *pieces[:i], "[MASK]", *rest, ".", "[SEP]"]
        ids = torch.tensor([bert.tokenizer.convert_tokens_to_ids(row)])
        with torch.inference_mode():
            logits = bert.mlm(ids.to(bert.device)).logits[0, 1 + len(left) + i].cpu()
        truth = torch.tensor(bert.tokenizer.convert_tokens_to_ids(pieces[i]))
        loss = torch.nn.functional.cross_entropy(logits, truth)
        assert given[i] == pytest.approx(loss.item(), abs=1e-4)
    assert alone[-1] == pytest.approx(whole[-1], abs=1e-4)  # the last sees the same
