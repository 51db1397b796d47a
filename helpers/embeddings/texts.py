"""Vectors of whole texts, one each, in batches of like length."""

import re
from itertools import islice

import numpy as np

from helpers._support.valid_numbers import LETTERS
from helpers.embeddings import embed_batch, encoder_for, rows_in_batches


def embed_texts(bert, texts, dtype="float32"):
    """Return a vector of each text, float32 (n, hidden), in the order of `texts`.

    It is the mean of the last layer over all pieces, [CLS] and [SEP] among them. A text
    is cut where the model's places end. dtype: "float32" or "bfloat16". Raises
    ValueError in one line for a text without pieces.

    >>> embed_texts(bert, ["A cat.", "It purrs and sleeps."]).shape  # hidden size 384
    (2, 384)
    """
    rows, reasons = piece_rows(bert, list(texts))
    if reasons:
        place, reason = next(iter(reasons.items()))
        raise ValueError(f"text {place} {reason}")
    return vectors_of_rows(bert, rows, dtype)


def vectors_or_reasons(bert, texts):
    """Return two lists as long as `texts`: a mean vector or None, and why or None.

    For texts from elsewhere: one that cannot be read stops none of the others. texts:
    strings, or bytes in UTF-8, or None.

    >>> vectors, reasons = vectors_or_reasons(bert, ["A cat.", ""])
    >>> vectors[0].shape, vectors[1]  # hidden size 384
    ((384,), None)
    >>> reasons
    [None, 'has no pieces: it is empty or the tokenizer drops it all']
    """
    rows, reasons = piece_rows(bert, texts)
    found = iter(vectors_of_rows(bert, rows))
    reasons = [reasons.get(place) for place in range(len(texts))]
    return [None if reason else next(found) for reason in reasons], reasons


def piece_rows(bert, texts):
    """Return the piece ids of the texts that can be read, and {place: why not}.

    texts: strings, or bytes in UTF-8, or None. The ids lack [CLS] and [SEP].
    """
    reasons, strings = {}, {}
    for place, text in enumerate(texts):
        try:
            strings[place] = _start(bert, _string(text))
        except ValueError as error:
            reasons[place] = str(error)
    ids = []
    if strings:
        options = {"add_special_tokens": False, "verbose": False}
        ids = bert.tokenizer(list(strings.values()), **options)["input_ids"]
    rows = []
    for place, row in zip(strings, ids, strict=True):
        if row:
            rows.append(row)
        else:
            reasons[place] = "has no pieces: it is empty or the tokenizer drops it all"
    return rows, reasons


def _start(bert, text):
    """Cut a very long text to the words that can have a place, and to LETTERS."""
    if len(text) <= LETTERS:
        return text
    words = re.finditer(r"[^ \t\r\n]+", text)
    places = bert.model.config.max_position_embeddings
    return " ".join(word[0] for word in islice(words, places))[:LETTERS]


def _string(text):
    if text is None:
        raise ValueError("is missing")
    if isinstance(text, bytes):
        try:
            return text.decode()
        except UnicodeDecodeError as error:
            raise ValueError(f"is no UTF-8 from byte {error.start}") from None
    if not isinstance(text, str):
        raise ValueError(f"is a {type(text).__name__}, no string")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError("holds half a character (a surrogate)") from None
    return text


def vectors_of_rows(bert, rows, dtype="float32", cls=False):
    """Return the vectors, float32 (n, hidden), of rows that `piece_rows` returned.

    dtype: see `embed_texts`. cls: take that of [CLS] in place of the mean.
    """
    encoder, tokenizer = encoder_for(bert, dtype), bert.tokenizer
    room = bert.model.config.max_position_embeddings - 2
    rows = [
        [tokenizer.cls_token_id, *row[:room], tokenizer.sep_token_id] for row in rows
    ]
    rows = [(row, 0, 1 if cls else len(row)) for row in rows]
    vectors = np.empty((len(rows), bert.hidden_size), np.float32)
    for places in rows_in_batches(rows, bert.device):
        batch = [rows[i] for i in places]
        states = embed_batch(bert, encoder, batch, [bert.n_layers])
        vectors[places] = states[:, 0].cpu().numpy()
    return vectors
