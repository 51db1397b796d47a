"""Claims of the chapter: its functions are lifted out, held against the libraries."""

import numpy as np
import pytest
import torch


@pytest.fixture(scope="module")
def lifted(cells):
    """The chapter's names, as after the first cell that holds the text `wanted`."""

    def lift(wanted, **replaced):
        names = cells.needed(wanted)
        names.update(replaced)  # in place: the cells' functions look there
        return names

    return lift


@pytest.fixture(scope="module")
def cut(lifted, bert):
    """Our own tokenizer: the chapter's two steps one after the other."""
    words = lifted("def basic_tokens(")["basic_tokens"]
    pieces = lifted("def wordpiece(")["wordpiece"]
    vocabulary = bert.tokenizer.get_vocab()
    return lambda text: [p for word in words(text) for p in pieces(word, vocabulary)]


def test_a_thousand_words_are_cut_as_by_the_tokenizer(lifted, bert):
    names = lifted("thousand =")
    assert len(names["thousand"]) == 1000 and not names["differ"]
    words = set(names["words"])
    rng = np.random.default_rng(1)
    alphabet = list("abcdefghijklmnopqrstuvwxyz0123456789ßéøλж☂")
    words |= {"".join(rng.choice(alphabet, rng.integers(1, 15))) for _ in range(500)}
    words |= {"a" * 100, "a" * 101}
    assert len(words) > 1000
    wordpiece, vocabulary = names["wordpiece"], bert.tokenizer.get_vocab()
    differ = [w for w in words if wordpiece(w, vocabulary) != raw_pieces(bert, w)]
    assert not differ


def raw_pieces(bert, word):
    """The pieces of one word by the tokenizer's model alone, without tidying."""
    model = bert.tokenizer.backend_tokenizer.model
    return [token.value for token in model.tokenize(word)]


@pytest.mark.parametrize(
    "text",
    [
        "Zoë's New-York café costs $3.14!",
        "ÀÉÎÕÜ ñ ç ø ß İstanbul ΑΒΓ",
        "tabs\tand\nlines  and   spaces",
        "東京 and 北京, 3½ “quotes” — dashes…",
        "मेरी बहन पानी पीती है।",
    ],
)
def test_both_steps_together_equal_the_tokenizer(cut, bert, text):
    assert cut(text) == bert.tokenizer.tokenize(text)


def test_any_latin_text_is_cut_as_by_the_tokenizer(cut, bert):
    printable = [c for c in map(chr, range(32, 0x180)) if c.isprintable()]
    rng = np.random.default_rng(3)
    for _ in range(300):
        text = "".join(rng.choice(printable, rng.integers(0, 40)))
        assert cut(text) == bert.tokenizer.tokenize(text), text


def test_sum_of_three_rows_is_hidden_state_0(lifted, bert, tiny):
    for model in (bert, tiny):
        input_vectors = lifted("def input_vectors(", bert=model)["input_vectors"]
        pair = model.tokenizer("Is it a crane?", "It flew.", return_tensors="pt")
        with torch.inference_mode():
            truth = model.model(**pair, output_hidden_states=True).hidden_states[0]
            ours = input_vectors(pair["input_ids"], pair["token_type_ids"])
        assert torch.allclose(ours, truth, atol=1e-5)


def test_the_two_slips_cancel_and_half_a_repair_does_not(lifted, tiny):
    last_states = lifted("def last_states(", bert=tiny)["last_states"]
    ids = tiny.tokenizer("a bank of the river", return_tensors="pt")["input_ids"]
    ones, zeros = torch.ones_like(ids), torch.zeros_like(ids)
    right = last_states(ids, attention_mask=ones, token_type_ids=zeros)
    assert torch.equal(last_states(ids, ones), right)
    assert not torch.allclose(last_states(ids, token_type_ids=ones), right, atol=1e-2)
    assert not torch.allclose(last_states(ids, zeros), right, atol=1e-2)


def test_a_mask_of_zeros_attends_to_all_places_alike(bert):
    ids = bert.tokenizer("a bank of the river", return_tensors="pt")["input_ids"]
    with torch.inference_mode():
        output = bert.model(ids, torch.zeros_like(ids), output_attentions=True)
    for weights in output.attentions:
        assert torch.allclose(weights, torch.full_like(weights, 1 / ids.shape[1]))


def test_the_lowest_number_drowns_the_scores_and_minus_10_000_does_not():
    scores = torch.randn(8, 8, generator=torch.Generator().manual_seed(0))
    drowned = (scores + torch.finfo(torch.float32).min).softmax(dim=-1)
    assert torch.equal(drowned, torch.full((8, 8), 1 / 8))
    kept = (scores - 10_000).softmax(dim=-1)
    assert torch.allclose(kept, scores.softmax(dim=-1), atol=1e-3)


def test_the_hindi_word_loses_its_vowel_and_chinese_most_of_its_text(bert):
    ids = bert.tokenizer("मेरी", add_special_tokens=False)["input_ids"]
    assert bert.tokenizer.decode(ids) == "मरी"
    pieces = bert.tokenizer.tokenize("我的姐姐在喝水 猫在椅子上睡觉 房子离海很近")
    assert pieces.count("[UNK]") > len(pieces) / 2
    assert len(pieces) == len("我的姐姐在喝水猫在椅子上睡觉房子离海很近")  # one each


def test_offsets_lead_back_to_vowels_within_a_word_only(bert):
    for word, back in (("मेरी", "मेरी"), ("कुर्सी", "कुर्सी"), ("में", "म")):
        encoding = bert.tokenizer(
            word, add_special_tokens=False, return_offsets_mapping=True
        )
        starts, ends = zip(*encoding["offset_mapping"], strict=True)
        assert word[min(starts) : max(ends)] == back
