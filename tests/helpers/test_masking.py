"""The 80/10/10 rule: which pieces are hidden, by what, and which never."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from helpers.corpus.masking import (
    IGNORED,
    mask_tokens,
)
from tests.bad_input import answered, one_line
from tests.strategies import few


def seeded(seed=0):
    return torch.Generator().manual_seed(seed)


def random_ids(rows, length, low=2000, high=30000):
    return torch.randint(low, high, (rows, length), generator=seeded(99))


def assert_share(count, total, share):
    """`count` of `total` is within three standard deviations of `share`."""
    assert abs(count - share * total) < 3 * (total * share * (1 - share)) ** 0.5


def test_15_percent_are_chosen_and_fall_80_10_10(tokenizer):
    ids = random_ids(1000, 120)
    corrupted, labels = mask_tokens(ids, tokenizer, generator=seeded())
    chosen = labels != IGNORED
    masked = chosen & (corrupted == tokenizer.mask_token_id)
    kept = chosen & (corrupted == ids)
    replaced = chosen & ~masked & ~kept
    assert_share(chosen.sum(), ids.numel(), 0.15)
    assert_share(masked.sum(), chosen.sum(), 0.8)
    assert_share(replaced.sum(), chosen.sum(), 0.1)
    assert_share(kept.sum(), chosen.sum(), 0.1)


def test_replacements_come_from_the_whole_vocabulary_but_special_tokens(tokenizer):
    ids = random_ids(1000, 400)
    corrupted, labels = mask_tokens(ids, tokenizer, 1, generator=seeded())
    replaced = (corrupted != ids) & (corrupted != tokenizer.mask_token_id)
    drawn = corrupted[replaced]
    assert not set(drawn.tolist()) & set(tokenizer.all_special_ids)
    quarters = torch.bincount(drawn * 4 // len(tokenizer), minlength=4)
    for count in quarters:
        assert_share(count, len(drawn), 0.25)


@pytest.mark.parametrize("whole_words", [False, True])
def test_only_chosen_tokens_change_and_labels_hold_the_original(tokenizer, whole_words):
    ids = random_ids(50, 100)
    corrupted, labels = mask_tokens(
        ids, tokenizer, whole_words=whole_words, generator=seeded()
    )
    chosen = labels != IGNORED
    assert torch.equal(labels[chosen], ids[chosen])
    assert torch.equal(corrupted[~chosen], ids[~chosen])


@pytest.mark.parametrize("whole_words", [False, True])
def test_special_and_padding_tokens_are_never_chosen(tokenizer, whole_words):
    text = "[CLS] a [UNK] of the [MASK] [SEP] and more [SEP] [PAD] [PAD]"
    row = tokenizer(text, add_special_tokens=False)["input_ids"]
    ids = torch.tensor([row] * 500)
    corrupted, labels = mask_tokens(
        ids, tokenizer, 1, whole_words=whole_words, generator=seeded()
    )
    special = torch.isin(ids, torch.tensor(tokenizer.all_special_ids))
    assert special[0].sum() == 7
    assert (labels[special] == IGNORED).all()
    assert torch.equal(corrupted[special], ids[special])
    assert (labels[~special] != IGNORED).all()


def test_whole_words_are_chosen_with_all_their_pieces(tokenizer):
    text = "the strawberries were untouchable and the caterpillar unremarkable"
    encoding = tokenizer(text, return_tensors="pt")
    owners = encoding.word_ids()
    assert len(owners) - 2 > len(set(owners) - {None})  # some words are split
    ids = encoding["input_ids"].repeat(4000, 1)
    _, labels = mask_tokens(ids, tokenizer, whole_words=True, generator=seeded())
    chosen = labels != IGNORED
    for word in set(owners) - {None}:
        pieces = [i for i, owner in enumerate(owners) if owner == word]
        of_word = chosen[:, pieces]
        assert (of_word == of_word[:, :1]).all()
        assert_share(of_word[:, 0].sum(), len(ids), 0.15)


@pytest.mark.parametrize("whole_words", [False, True])
def test_the_same_seed_gives_the_same_masking(tokenizer, whole_words):
    ids = random_ids(20, 50)
    one, two, other = (
        mask_tokens(ids, tokenizer, whole_words=whole_words, generator=seeded(seed))
        for seed in (1, 1, 2)
    )
    assert torch.equal(one[0], two[0]) and torch.equal(one[1], two[1])
    assert not torch.equal(one[1], other[1])


def test_rate_0_chooses_nothing_and_rate_1_everything(tokenizer):
    ids = random_ids(10, 50)
    corrupted, labels = mask_tokens(ids, tokenizer, 0, generator=seeded())
    assert torch.equal(corrupted, ids) and (labels == IGNORED).all()
    assert torch.equal(mask_tokens(ids, tokenizer, 1, generator=seeded())[1], ids)


@pytest.mark.parametrize("rate", [-0.1, 1.1, float("nan")])
def test_a_masking_rate_outside_0_to_1_is_refused(tokenizer, rate):
    with pytest.raises(ValueError, match="rate is .*between 0 and 1"):
        mask_tokens(random_ids(2, 5), tokenizer, rate)


@pytest.mark.parametrize(
    "ids",
    [torch.arange(5), torch.ones(2, 5), torch.zeros(2, 2, dtype=torch.bool), [[1]]],
)
def test_ids_of_the_wrong_kind_are_refused(tokenizer, ids):
    with pytest.raises(ValueError, match=r"integer tensor of shape \(batch, length\)"):
        mask_tokens(ids, tokenizer)


@few
@given(
    ids=arrays.arrays(
        st.sampled_from([np.uint8, np.int8, np.int16, np.int32, np.int64]),
        arrays.array_shapes(min_dims=2, max_dims=2, min_side=0, max_side=12),
    ),
    rate=st.floats(),
)
def test_labels_restore_what_masking_hid(tokenizer, ids, rate):
    given_ids = torch.tensor(ids)
    kept = given_ids.clone()
    pair = answered(lambda: mask_tokens(given_ids, tokenizer, rate), ValueError)
    fits = ids.size == 0 or (ids.min() >= 0 and ids.max() < len(tokenizer))
    assert (pair is not None) == (0 <= rate <= 1 and bool(fits))
    assert torch.equal(given_ids, kept)
    if pair:
        corrupted, labels = pair
        restored = torch.where(labels == -100, corrupted, labels)
        assert torch.equal(restored, kept.long())


@pytest.mark.parametrize("number", [-1, 30522])
def test_ids_outside_the_vocabulary_are_refused(tokenizer, number):
    ids = torch.tensor([[5, number]])
    message = one_line(ValueError, lambda: mask_tokens(ids, tokenizer))
    assert "from 0 to 30521" in message
