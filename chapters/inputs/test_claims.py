"""Claims of the chapter: its functions are lifted out, held against the libraries."""

import numpy as np
import pytest


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


def test_chinese_loses_most_of_its_text(bert):
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
