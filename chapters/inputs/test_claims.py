"""Claims of the chapter: its functions are lifted out, held against the libraries."""

import re

import numpy as np
import pytest
import torch

from build_tools.needed_cells import needed_cells
from helpers.models import load_bert


@pytest.fixture(scope="module")
def lifted(chapter_cells, bert):
    """The chapter's names, as after the first cell that holds the text `wanted`."""
    sources = [
        cell.source
        for cell in chapter_cells()
        if not any(tag.startswith("solution") for tag in cell.tags)
    ]

    def lift(wanted, **replaced):
        names = {}
        target = next(i for i, source in enumerate(sources) if wanted in source)
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("BERT_COURSE_MODEL", "embedded")
            patch.setenv("COARSE_WSD_HOME", "sample")
            for index in [*needed_cells(sources, target), target]:
                exec(sources[index], names)
        names.update(replaced)
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


def test_sum_of_three_rows_is_hidden_state_0(lifted, bert, tiny_bert_folder):
    for model in (bert, load_bert(str(tiny_bert_folder))):
        input_vectors = lifted("def input_vectors(", bert=model)["input_vectors"]
        pair = model.tokenizer("Is it a crane?", "It flew.", return_tensors="pt")
        with torch.inference_mode():
            truth = model.model(**pair, output_hidden_states=True).hidden_states[0]
            ours = input_vectors(pair["input_ids"], pair["token_type_ids"])
        assert torch.allclose(ours, truth, atol=1e-5)


def test_the_two_slips_cancel_and_half_a_repair_does_not(lifted, tiny_bert_folder):
    bert = load_bert(str(tiny_bert_folder))
    last_states = lifted("def last_states(", bert=bert)["last_states"]
    ids = bert.tokenizer("a bank of the river", return_tensors="pt")["input_ids"]
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


def test_sinusoids_shift_by_one_matrix_and_follow_the_formula(lifted):
    names = lifted("def shift(")
    rows = names["sinusoids"](60, 16)
    assert rows[7, 4] == pytest.approx(np.sin(7 / 10_000 ** (4 / 16)))
    assert rows[7, 5] == pytest.approx(np.cos(7 / 10_000 ** (4 / 16)))
    for k in (1, 13, 40):
        moved = rows[:-k] @ names["shift"](k, 16).T
        assert np.allclose(moved, rows[k:])


def test_relative_schemes_vary_not_at_all_at_the_same_distance(lifted):
    names = lifted("def same_distance(")
    share = {name: names["same_distance"](s) for name, s in names["scores"].items()}
    assert [name for name, value in share.items() if value < 1e-6] == [
        "Shaw",
        "ALiBi",
        "rotary",
    ]
    assert share["sinusoidal"] > 0.1 and share["learned, this model's"] > 0.1


def test_rotary_keeps_lengths_and_sees_only_the_distance(lifted):
    rotate = lifted("def rotate(")["rotate"]
    query, key = np.random.default_rng(2).normal(size=(2, 12))
    turned = rotate(query, np.arange(9)), rotate(key, np.arange(9))
    assert np.allclose(np.linalg.norm(turned[0], axis=1), np.linalg.norm(query))
    scores = turned[0] @ turned[1].T
    assert np.allclose(scores[2:, 2:], scores[:-2, :-2])
    assert not np.allclose(scores[0, 0], scores[0, 1])


def test_the_hindi_word_loses_its_vowel_and_chinese_most_of_its_text(bert):
    ids = bert.tokenizer("मेरी", add_special_tokens=False)["input_ids"]
    assert bert.tokenizer.decode(ids) == "मरी"
    pieces = bert.tokenizer.tokenize("我的姐姐在喝水 猫在椅子上睡觉 房子离海很近")
    assert pieces.count("[UNK]") > len(pieces) / 2


def test_no_figure_of_the_run_is_typed_into_the_text(chapter_text):
    prose = re.sub(r"```\{code-cell.*?```", "", chapter_text(), flags=re.S)
    assert not re.findall(r"\b0\.\d{2,}\b", prose)
