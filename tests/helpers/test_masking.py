"""Masking by the 80/10/10 rule; sentences, the pairs made of them, their tensors."""

import numpy as np
import pytest
import torch

from helpers.corpus.masking import IGNORED, collate_pairs, mask_tokens, sentence_pair
from tests.bad_input import one_line


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
    assert torch.equal(mask_tokens(ids, tokenizer, generator=seeded())[1], labels)
    assert not torch.equal(mask_tokens(ids, tokenizer, generator=seeded(1))[1], labels)


def test_replacements_come_from_the_whole_vocabulary_but_special_tokens(tokenizer):
    ids = random_ids(1000, 400)
    corrupted, labels = mask_tokens(ids, tokenizer, 1, generator=seeded())
    replaced = (corrupted != ids) & (corrupted != tokenizer.mask_token_id)
    drawn = corrupted[replaced]
    assert not set(drawn.tolist()) & set(tokenizer.all_special_ids)
    quarters = torch.bincount(drawn * 4 // len(tokenizer), minlength=4)
    for count in quarters:
        assert_share(count, len(drawn), 0.25)


def test_special_and_padding_tokens_are_never_chosen(tokenizer):
    text = "[CLS] a [UNK] of the [MASK] [SEP] and more [SEP] [PAD] [PAD]"
    row = tokenizer(text, add_special_tokens=False)["input_ids"]
    ids = torch.tensor([row] * 500)
    corrupted, labels = mask_tokens(ids, tokenizer, 1, generator=seeded())
    special = torch.isin(ids, torch.tensor(tokenizer.all_special_ids))
    assert special[0].sum() == 7
    assert (labels[special] == IGNORED).all()
    assert torch.equal(corrupted[special], ids[special])
    assert (labels[~special] != IGNORED).all()


@pytest.mark.parametrize("kind", [torch.uint8, torch.int32, torch.int64])
def test_labels_restore_what_masking_hid(tokenizer, kind):
    ids = random_ids(40, 30, low=0, high=255).to(kind)
    kept = ids.clone()
    corrupted, labels = mask_tokens(ids, tokenizer, generator=seeded())
    assert torch.equal(ids, kept)
    assert torch.equal(torch.where(labels == IGNORED, corrupted, labels), kept.long())


def made_up_documents(count=30, sentences=12, pieces=9):
    """Documents in which every piece id tells document, sentence and place."""
    return [
        [
            10_000 * d + 100 * s + np.arange(1 + (7 * s + d) % pieces)
            for s in range(sentences)
        ]
        for d in range(count)
    ]


@pytest.fixture(scope="module")
def pairs():
    rng = np.random.default_rng(0)
    documents = made_up_documents()
    return [sentence_pair(documents, rng, room=40) for _ in range(4000)]


def flat(document):
    return np.concatenate(document).tolist()


def test_half_of_the_pairs_follow_and_the_others_are_of_two_documents(pairs):
    documents, others = made_up_documents(), set()
    assert_share(sum(is_next for *_, is_next in pairs), len(pairs), 0.5)
    for first, second, is_next in pairs:
        if is_next:
            text = flat(documents[first[0] // 10_000])
            start = text.index(first[0])
            assert text[start : start + len(first) + len(second)] == [*first, *second]
        else:
            assert first[0] // 10_000 != second[0] // 10_000
            others.add((first[0] // 10_000, second[0] // 10_000))
    assert len(others) > 0.6 * 30 * 29  # any other document, not only the next


def test_collated_pairs_are_what_the_tokenizer_makes_of_the_texts(tokenizer):
    texts = [
        ("The bell rang twice.", "Nobody opened the door.", True),
        ("We sold the old boat in spring.", "Strawberries!", False),
    ]
    pairs = []
    for first, second, is_next in texts:
        ids = tokenizer([first, second], add_special_tokens=False)["input_ids"]
        pairs.append((np.array(ids[0]), np.array(ids[1]), is_next))
    batch = collate_pairs(pairs, tokenizer)
    expected = tokenizer(
        [t[0] for t in texts], [t[1] for t in texts], padding=True, return_tensors="pt"
    )
    assert batch.pop("next_sentence_label").tolist() == [0, 1]
    assert batch.keys() == expected.keys()
    for name, tensor in batch.items():
        assert tensor.dtype == torch.int64
        assert torch.equal(tensor, expected[name]), name


def test_both_parts_are_cut_away_from_where_they_meet_and_fill_the_room(pairs):
    documents = made_up_documents()
    ends = {sentence[-1] for document in documents for sentence in document}
    lengths = [(len(first), len(second)) for first, second, _ in pairs]
    assert max(map(sum, lengths)) == 40 and min(map(min, lengths)) >= 1
    for first, second, _ in pairs:
        assert first[-1] in ends and second[0] % 100 == 0
    long = [[np.arange(500), np.arange(1000, 1500)], [np.arange(2000, 2500)]]
    for room in (4, 60):
        first, second, is_next = sentence_pair(long, np.random.default_rng(0), room)
        assert len(first) + len(second) == room
        assert first[-1] == 499 and second[0] == (1000 if is_next else 2000)


SHORT = [[[1], [2]], [[3], [4]]]


@pytest.mark.parametrize("rate", [1.1, float("nan")])
def test_a_rate_that_is_no_share_is_refused(tokenizer, rate):
    ids = torch.full((2, 5), 2000)
    said = one_line(ValueError, lambda: mask_tokens(ids, tokenizer, rate))
    assert "between 0 and 1" in said


@pytest.mark.parametrize(
    ("documents", "said"),
    [
        (SHORT[:1], "two documents or more"),
        ([[[1]], [[2]]], "hardly any document has two sentences"),
    ],
)
def test_documents_without_pairs_are_refused(documents, said):
    rng = np.random.default_rng(0)
    assert said in one_line(ValueError, lambda: sentence_pair(documents, rng))


def test_a_pair_may_have_an_empty_part(tokenizer):
    batch = collate_pairs([([], [7], True)], tokenizer)
    assert batch["input_ids"].tolist() == [[101, 102, 7, 102]]
