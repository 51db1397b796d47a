"""The pairs made of sentences, and the tensors made of pairs."""

import numpy as np
import pytest
import torch

from helpers.masking import collate_pairs, sentence_pair
from tests.bad_input import one_line


def assert_share(count, total, share):
    """`count` of `total` is within three standard deviations of `share`."""
    assert abs(count - share * total) < 3 * (total * share * (1 - share)) ** 0.5


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
