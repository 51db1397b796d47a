"""Vectors of whole texts: what a long one costs, and what cannot be read is named."""

import numpy as np
import pytest

from helpers._support.valid_numbers import LETTERS
from helpers.embeddings.texts import embed_texts, vectors_or_reasons
from tests.bad_input import one_line

WORDS = "the crane lifted a heavy beam over the river and set it down again ".split()
LONG = {
    "words": " ".join(WORDS * 10_000),
    "blanks": " \n" * LETTERS + " ".join(WORDS * 50) + "\t" * LETTERS + "end",
    "bytes": b" ".join(word.encode() for word in WORDS * 10_000),
}


@pytest.fixture
def letters(tiny, monkeypatch):
    """The letters of each text that the tokenizer is given, in a list."""
    given, tokenizer = [], tiny.tokenizer

    def counted(texts, **options):
        given.extend(map(len, texts))
        return tokenizer(texts, **options)

    for name in ("cls_token_id", "sep_token_id", "pad_token_id"):
        setattr(counted, name, getattr(tokenizer, name))
    monkeypatch.setattr(tiny, "tokenizer", counted)
    return given


@pytest.mark.parametrize("kind", LONG)
def test_a_long_text_is_cut_before_the_tokenizer_reads_it(tiny, letters, kind):
    [vector], [reason] = vectors_or_reasons(tiny, [LONG[kind]])
    assert reason is None and max(letters) <= LETTERS
    short = " ".join(WORDS * 50)
    np.testing.assert_allclose(vector, embed_texts(tiny, [short])[0], atol=1e-5)


def test_one_word_without_an_end_is_cut_too(tiny, letters):
    vectors, reasons = vectors_or_reasons(tiny, ["x" * 5_000_000, "x" * 1000])
    assert reasons == [None, None] and max(letters) == LETTERS
    np.testing.assert_allclose(*vectors, atol=1e-6)  # both are [UNK]


def test_a_text_of_a_book_is_refused_before_it_is_cut_into_pieces(tiny, monkeypatch):
    monkeypatch.setattr(tiny, "tokenizer", None)
    message = one_line(ValueError, lambda: tiny.encode(LONG["words"], "and more"))
    assert "670,007 letters" in message and "reads 512 pieces" in message


def test_a_text_that_cannot_be_embedded_is_named(tiny):
    message = one_line(ValueError, lambda: embed_texts(tiny, ["a text", ""]))
    assert "text 1 has no pieces" in message
    message = one_line(ValueError, lambda: embed_texts(tiny, [3]))
    assert "text 0 is a int, no string" in message
