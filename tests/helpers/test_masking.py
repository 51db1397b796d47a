"""The 80/10/10 rule, sentence pairs and the tensors made of them."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from helpers.masking import (
    IGNORED,
    collate_pairs,
    mask_tokens,
    sentence_pair,
    split_sentences,
)
from tests.bad_input import answered, one_line
from tests.strategies import few, many, texts


def seeded(seed=0):
    return torch.Generator().manual_seed(seed)


def random_ids(rows, length, low=2000, high=30000):
    return torch.randint(low, high, (rows, length), generator=seeded(99))


def assert_share(count, total, share):
    """`count` of `total` is within three standard deviations of `share`."""
    assert abs(count - share * total) < 3 * (total * share * (1 - share)) ** 0.5


# Masking


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


# Sentences and pairs


def test_sentences_end_at_a_stop_before_a_capital():
    text = 'He came at 3.30 p.m. or so. "Is it late?" she asked. (No.) 12 men left!'
    assert split_sentences(text) == [
        "He came at 3.30 p.m. or so.",
        '"Is it late?" she asked.',
        "(No.)",
        "12 men left!",
    ]
    assert split_sentences("  ") == []


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


def test_half_of_the_pairs_follow(pairs):
    assert_share(sum(is_next for *_, is_next in pairs), len(pairs), 0.5)


def test_a_second_part_that_follows_really_does(pairs):
    documents = made_up_documents()
    for first, second, is_next in pairs:
        if is_next:
            text = flat(documents[first[0] // 10_000])
            start = text.index(first[0])
            assert text[start : start + len(first) + len(second)] == [*first, *second]


def test_a_second_part_that_does_not_follow_is_of_another_document(pairs):
    others = set()
    for first, second, is_next in pairs:
        if not is_next:
            assert first[0] // 10_000 != second[0] // 10_000
            others.add((first[0] // 10_000, second[0] // 10_000))
    assert len(others) > 0.6 * 30 * 29  # any other document, not only the next


def test_the_first_part_ends_and_the_second_begins_with_a_sentence(pairs):
    documents = made_up_documents()
    ends = {sentence[-1] for document in documents for sentence in document}
    for first, second, _ in pairs:
        assert first[-1] in ends
        assert second[0] % 100 == 0


def test_pairs_stay_within_the_room(pairs):
    lengths = [len(first) + len(second) for first, second, _ in pairs]
    assert max(lengths) == 40
    assert min(min(len(first), len(second)) for first, second, _ in pairs) >= 1


def test_a_long_sentence_loses_the_end_that_is_away_from_the_meeting_point():
    documents = [[np.arange(500), np.arange(1000, 1500)], [np.arange(2000, 2500)]]
    rng = np.random.default_rng(0)
    for _ in range(20):
        first, second, is_next = sentence_pair(documents, rng, room=60)
        assert len(first) + len(second) == 60
        assert first[-1] == 499 and second[0] == (1000 if is_next else 2000)


def test_the_smallest_room_still_holds_two_parts():
    rng = np.random.default_rng(0)
    for _ in range(50):
        first, second, _ = sentence_pair(made_up_documents(), rng, room=4)
        assert len(first) and len(second) and len(first) + len(second) <= 4


@pytest.mark.parametrize(
    ("documents", "room", "message"),
    [
        ([], 40, "two documents or more"),
        (made_up_documents(1), 40, "two documents or more"),
        (
            made_up_documents(5, sentences=1),
            40,
            "hardly any document has two sentences",
        ),
        (made_up_documents(), 3, "room is 3"),
    ],
)
def test_documents_without_pairs_are_refused(documents, room, message):
    with pytest.raises(ValueError, match=message):
        sentence_pair(documents, np.random.default_rng(0), room)


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


@many
@given(text=texts)
def test_splitting_a_text_loses_no_word(text):
    assert " ".join(split_sentences(text)).split() == text.split()


@pytest.mark.parametrize(
    "pairs",
    [[], [([1.5], [2], True)], [([1], ["a"], True)], [([1], [float("nan")], True)]],
)
def test_only_lists_of_ids_are_collated(tokenizer, pairs):
    one_line(ValueError, lambda: collate_pairs(pairs, tokenizer))


def test_a_pair_may_have_an_empty_part(tokenizer):
    batch = collate_pairs([([], [7], True)], tokenizer)
    assert batch["input_ids"].tolist() == [[101, 102, 7, 102]]


@pytest.mark.parametrize("room", [float("nan"), 8.5, None, "8", 3])
def test_the_room_of_a_pair_is_a_whole_number_from_4_on(room):
    documents = [[[1], [2]], [[3], [4]]]
    draw = lambda: sentence_pair(documents, np.random.default_rng(0), room)  # noqa: E731
    assert "4 pieces or more" in one_line(ValueError, draw)


def test_a_document_without_a_sentence_is_named():
    def draw():
        for seed in range(20):
            sentence_pair([[[1], [2]], []], np.random.default_rng(seed))

    assert "holds no sentence" in one_line(ValueError, draw)
