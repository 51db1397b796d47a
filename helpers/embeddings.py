"""Contextual embeddings of chosen words, in batches, from any layers."""

import copy
import operator
from weakref import WeakKeyDictionary

import numpy as np
import torch

BATCH_PIECES = 2048  # larger batches were half as fast on a CPU
_casts = WeakKeyDictionary()  # encoder -> (state of its weights, bfloat16 copy)


def embed_words(bert, sentences, positions, layers=(-4, -3, -2, -1), dtype=None):
    """Return the contextual embedding of one word of each sentence.

    The word is found again among the pieces through `word_ids()`; its vector is the
    mean over its pieces and over `layers`.

    bert: from `load_bert`. sentences: n lists of words. positions: n indices of a
    word, from 0. layers: indices into the model's hidden states, where 0 is the input
    embeddings and n_layers the last, negative ones counted from the end; or "all".
    dtype: "float32" is exact, "bfloat16" saves time where the machine has units for
    it, None takes the faster of the two. Of a sentence longer than the model reads,
    the pieces around the word are used.

    Returns float32 of shape (n, hidden), for "all" (n, n_layers + 1, hidden).
    Raises ValueError in one line for input that does not fit this.
    """
    layer_ids = _layer_ids(layers, bert.n_layers)
    rows = _word_pieces(bert, sentences, positions)
    encoder = _encoder(bert, dtype)
    vectors = np.empty((len(rows), len(layer_ids), bert.hidden_size), np.float32)
    for indices in _progress(_batches([len(ids) for ids, _ in rows]), len(rows)):
        batch = [rows[i] for i in indices]
        vectors[indices] = _embed_batch(bert, encoder, batch, layer_ids)
    return vectors if isinstance(layers, str) else vectors.mean(axis=1)


def _layer_ids(layers, n_layers):
    if isinstance(layers, str):
        if layers != "all":
            raise ValueError(f'layers is {layers!r}; give a list of numbers or "all"')
        return list(range(n_layers + 1))
    ids = _whole_numbers(layers, "layers")
    wrong = [layer for layer in ids if not -n_layers - 1 <= layer <= n_layers]
    if wrong or not ids:
        raise ValueError(
            f"layers {ids}: name one or more of {-n_layers - 1} to {n_layers}"
        )
    return [layer % (n_layers + 1) for layer in ids]


def _whole_numbers(values, name):
    try:
        return [operator.index(value) for value in values]
    except TypeError:
        given = f"{name} is {values!r:.50}"
        raise ValueError(f"{given}; give a list of whole numbers") from None


def _check(sentences, positions):
    """Raise ValueError unless every position points at a word of its sentence."""
    if not sentences:
        raise ValueError("no sentences; give at least one")
    if len(sentences) != len(positions):
        raise ValueError(
            f"{len(sentences)} sentences but {len(positions)} positions; give one each"
        )
    for number, (words, position) in enumerate(zip(sentences, positions, strict=True)):
        listed = isinstance(words, list | tuple | np.ndarray)
        if not listed or not all(isinstance(word, str) for word in words):
            raise ValueError(f"sentence {number} is no list of words; split it first")
        if not 0 <= position < len(words):
            raise ValueError(
                f"sentence {number} has {len(words)} words, counted from 0; "
                f"position {position} is outside"
            )


def _word_pieces(bert, sentences, positions):
    """Encode the sentences; returns rows (piece ids, where the word's pieces are)."""
    sentences, positions = list(sentences), _whole_numbers(positions, "positions")
    _check(sentences, positions)
    encoding = bert.tokenizer(
        [list(words) for words in sentences],
        is_split_into_words=True,
        add_special_tokens=False,
        verbose=False,
    )
    limit = bert.model.config.max_position_embeddings
    rows = []
    for number, position in enumerate(positions):
        owners = np.array(encoding.word_ids(number), dtype=float)
        pieces = np.flatnonzero(owners == position)
        if not len(pieces):
            raise ValueError(
                f"sentence {number}: word {sentences[number][position]!r} has no pieces"
            )
        ids = np.array(encoding["input_ids"][number])
        rows.append(_window(ids, pieces, limit - 2, bert.tokenizer))
    return rows


def _window(ids, pieces, room, tokenizer):
    """Cut `room` pieces around the word where there are more; add [CLS] and [SEP]."""
    middle = int(pieces[len(pieces) // 2])
    start = min(max(0, middle - room // 2), max(0, len(ids) - room))
    ids, pieces = ids[start : start + room], pieces - start
    pieces = pieces[(pieces >= 0) & (pieces < room)]
    return np.r_[tokenizer.cls_token_id, ids, tokenizer.sep_token_id], pieces + 1


def _batches(lengths):
    """Group indices of rows of like length into batches of about BATCH_PIECES."""
    batches, batch = [], []
    for index in np.argsort(lengths, kind="stable").tolist():
        if batch and (len(batch) + 1) * lengths[index] > BATCH_PIECES:
            batches.append(batch)
            batch = []
        batch.append(index)
    return [*batches, batch]


def _progress(batches, total):
    """Go through the batches with a bar, shown where the work takes over 3 seconds."""
    from tqdm.auto import tqdm

    with tqdm(total=total, unit="sentence", delay=3, leave=False) as bar:
        for batch in batches:
            yield batch
            bar.update(len(batch))


@torch.inference_mode()
def _embed_batch(bert, encoder, rows, layer_ids):
    """Run one batch; returns float32 (rows, layers, hidden)."""
    length = max(len(ids) for ids, _ in rows)
    ids = np.full((len(rows), length), bert.tokenizer.pad_token_id)
    share = np.zeros((len(rows), length), np.float32)  # 1 / count at the word's pieces
    for row, (row_ids, pieces) in enumerate(rows):
        ids[row, : len(row_ids)] = row_ids
        share[row, pieces] = 1 / len(pieces)
    mask = np.arange(length) < np.array([len(ids) for ids, _ in rows])[:, None]
    output = encoder(
        torch.as_tensor(ids, device=bert.device),
        attention_mask=torch.as_tensor(mask, dtype=torch.long, device=bert.device),
        output_hidden_states=True,
    )
    weights = torch.as_tensor(share, device=bert.device).unsqueeze(1)
    states = [output.hidden_states[layer].float() for layer in layer_ids]
    return torch.cat([weights @ state for state in states], dim=1).cpu().numpy()


def _encoder(bert, dtype):
    """Return bert.model, or a bfloat16 copy, kept until the weights change."""
    from helpers.training import mixed_precision

    if dtype not in (None, "float32", "bfloat16"):
        raise ValueError(f'dtype is {dtype!r}; choose "float32", "bfloat16" or None')
    if dtype == "float32" or (dtype is None and mixed_precision() == "no"):
        return bert.model
    # each change in place, as by an optimizer, raises a parameter's _version
    state = [(id(p), p._version) for p in bert.model.parameters()]
    if _casts.get(bert.model, (None,))[0] != state:
        _casts[bert.model] = state, copy.deepcopy(bert.model).bfloat16()
    return _casts[bert.model][1]
