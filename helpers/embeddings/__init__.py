"""Contextual embeddings of chosen words, in batches, from any layers."""

import copy
from itertools import islice
from weakref import WeakKeyDictionary

import numpy as np
import torch
from torch.nn.functional import scaled_dot_product_attention

from helpers._support.progress_bar import progress_bar
from helpers._support.valid_numbers import require_whole_letters, whole_numbers

# Pieces a batch, padding included. On a CPU 512 to 2,048 are about equally fast and
# 4,096 a quarter slower; a GPU starves on so few.
BATCH_PIECES = 1024
GPU_BATCH_PIECES = 16_384
_casts = WeakKeyDictionary()  # encoder -> (state of its weights, bfloat16 copy)


def embed_words(bert, sentences, positions, layers=(-4, -3, -2, -1), dtype="float32"):
    """Return the contextual embedding of one word of each sentence.

    The tokenizer records which pieces each word became. A word's vector is the mean
    over its pieces and over `layers`; "Contextual embeddings" builds it step by step.

    bert: from `load_bert`. sentences: n lists of words. positions: n indices of a word,
    from 0. layers: which hidden states, by the number of layers that they have passed,
    or "all". 0 is the embeddings, n_layers the last; negative numbers count from the
    end.
    dtype: "float32" gives the same vectors on every machine but for rounding;
    "bfloat16" saves time where the machine computes in it. Where a sentence is longer
    than the model can read, only the pieces around the word are used.

    Returns float32 of shape (n, hidden), for "all" (n, n_layers + 1, hidden). Layers
    above the highest one asked for are not computed, and that one only for the chosen
    words. Raises ValueError in one line for input that does not fit this.

    >>> sentences = [["the", "bank", "lends"], ["the", "river", "bank"]]
    >>> embed_words(bert, sentences, positions=[1, 2]).shape  # hidden size 384
    (2, 384)
    >>> embed_words(bert, sentences, positions=[1, 2], layers="all").shape
    (2, 7, 384)
    """
    layer_ids = layer_numbers(layers, bert.n_layers)
    positions = whole_numbers(positions, "positions")
    sentences = list(sentences)
    _check(sentences, positions)
    encoder = encoder_for(bert, dtype)
    every = isinstance(layers, str)
    shape = (len(positions), *[len(layer_ids)] * every, bert.hidden_size)
    rows = word_pieces(bert, sentences, positions)
    vectors = np.empty(shape, np.float32)
    with progress_bar(total=len(vectors), unit="sentence", delay=3, leave=False) as bar:
        for batch in rows_in_batches(rows, bert.device):
            states = embed_batch(bert, encoder, [rows[i] for i in batch], layer_ids)
            states = states if every else states.mean(dim=1)
            vectors[batch] = states.cpu().numpy()
            bar.update(len(batch))
    return vectors


def layer_numbers(layers, n_layers):
    """Return layers counted from 0; ValueError for one that the model has not."""
    if isinstance(layers, str):
        if layers != "all":
            raise ValueError(f'layers is {layers!r}; give a list of numbers or "all"')
        return list(range(n_layers + 1))
    ids = whole_numbers(layers, "layers")
    wrong = [layer for layer in ids if not -n_layers - 1 <= layer <= n_layers]
    if wrong or not ids:
        default = " (the default)" * (ids == [-4, -3, -2, -1])
        raise ValueError(
            f"layers {ids}{default}, but the model has {n_layers}: "
            f"name one or more of {-n_layers - 1} to {n_layers}"
        )
    return [layer % (n_layers + 1) for layer in ids]


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
        require_whole_letters("".join(words), f"sentence {number}")
        if not 0 <= position < len(words):
            raise ValueError(
                f"sentence {number} has {len(words)} words, counted from 0; "
                f"position {position} is outside"
            )


def word_pieces(bert, sentences, positions):
    """Return rows (piece ids, the word's first, how many it has)."""
    encoding = bert.tokenizer(
        [list(words) for words in sentences],
        is_split_into_words=True,
        add_special_tokens=False,
        return_token_type_ids=False,
        return_attention_mask=False,
        verbose=False,
    )
    rows = []
    for row, position in enumerate(positions):
        pieces = encoding.word_to_tokens(row, position)
        if pieces is None:
            word = sentences[row][position]
            raise ValueError(f"sentence {row}: word {word!r} has no pieces")
        rows.append(_window(bert, encoding["input_ids"][row], *pieces))
    return rows


def _window(bert, ids, first, end):
    """Cut to what the model reads, around the word ids[first:end]; add the ends."""
    room = bert.model.config.max_position_embeddings - 2
    middle = (first + end) // 2
    start = min(max(0, middle - room // 2), max(0, len(ids) - room))
    first, end = max(first - start, 0), min(end - start, room)
    tokenizer, ids = bert.tokenizer, ids[start : start + room]
    ids = [tokenizer.cls_token_id, *ids, tokenizer.sep_token_id]
    return ids, first + 1, end - first


def rows_in_batches(rows, device):
    """Yield lists of numbers of rows of like length, the longest first.

    The first row of a batch then decides its padded length, and later batches, which
    are shorter, fit into the memory of earlier ones.
    """
    most = BATCH_PIECES if device.type == "cpu" else GPU_BATCH_PIECES
    lengths = [len(ids) for ids, _, _ in rows]
    order = np.argsort(lengths, kind="stable")[::-1].tolist()
    while order:
        size = max(1, most // lengths[order[0]])
        yield order[:size]
        order = order[size:]


@torch.inference_mode()
def embed_batch(bert, encoder, rows, layer_ids):
    """Return float32 (rows, layers, hidden): means over the chosen pieces of rows.

    rows: (piece ids, first, count), so that (ids, 0, 1) takes [CLS] alone and
    (ids, 0, len(ids)) all pieces. encoder: from `encoder_for`.
    """
    lengths, first, count = np.array([(len(row[0]), *row[1:]) for row in rows]).T
    ids = np.full((len(rows), lengths.max()), bert.tokenizer.pad_token_id)
    for row, (pieces, _, _) in enumerate(rows):
        ids[row, : len(pieces)] = pieces
    step = np.arange(count.max())
    places = first[:, None] + np.minimum(step, count[:, None] - 1)
    shares = (step < count[:, None]) / count[:, None]  # 0 where a place is a repeat
    padding = np.arange(lengths.max()) >= lengths[:, None]

    ids, places, shares, padding = (
        torch.as_tensor(array).to(bert.device)
        for array in (ids, places, shares.astype(np.float32), padding)
    )
    states = _chosen_states(encoder, ids, padding, places, max(layer_ids))
    states = torch.stack([states[layer] for layer in layer_ids], dim=1).float()
    return (states * shares[:, None, :, None]).sum(dim=2)


def _chosen_states(encoder, ids, padding, places, top):
    """Return the hidden states 0 to `top` at `places`, each (rows, places, hidden)."""
    mask = torch.zeros(padding.shape, dtype=encoder.dtype, device=padding.device)
    mask = mask.masked_fill(padding, torch.finfo(mask.dtype).min)[:, None, None]
    row = torch.arange(len(ids), device=ids.device)[:, None]
    state = encoder.embeddings(ids)
    chosen = [state[row, places]]
    for layer in islice(encoder.encoder.layer, top - 1 if top else 0):
        state = _layer_at(layer, state, state, mask)
        chosen.append(state[row, places])
    if top:
        last = encoder.encoder.layer[top - 1]
        chosen.append(_layer_at(last, state, chosen[-1], mask))
    return chosen


def _layer_at(layer, state, chosen, mask):
    """Run a layer for the chosen pieces only; they attend to all pieces, `state`."""
    attention = layer.attention.self
    query, key, value = (
        linear(x).unflatten(-1, (attention.num_attention_heads, -1)).transpose(1, 2)
        for linear, x in (
            (attention.query, chosen),
            (attention.key, state),
            (attention.value, state),
        )
    )
    mixed = scaled_dot_product_attention(query, key, value, attn_mask=mask)
    mixed = mixed.transpose(1, 2).flatten(2)
    return layer.feed_forward_chunk(layer.attention.output(mixed, chosen))


@torch.inference_mode()
def piece_states(bert, encodings, size=32):
    """Return the last states of texts, [(pieces, hidden), ...], without padding.

    encodings: a dict a text, as `bert.tokenizer` returns it for a text or a pair.
    Texts of like length share a batch of `size`; the order of the result is theirs.

    >>> [states] = piece_states(bert, [bert.tokenizer("A cat.")])
    >>> states.shape == (5, bert.hidden_size)
    True
    """
    order = np.argsort([-len(one["input_ids"]) for one in encodings], kind="stable")
    states = [None] * len(encodings)
    for start in range(0, len(order), size):
        chosen = order[start : start + size]
        batch = bert.tokenizer.pad([encodings[i] for i in chosen], return_tensors="pt")
        last = bert.model(**batch.to(bert.device)).last_hidden_state
        for i, rows in zip(chosen, last.cpu().numpy(), strict=True):
            states[i] = rows[: len(encodings[i]["input_ids"])].copy()
    return states


def encoder_for(bert, dtype):
    """Return bert.model, or a bfloat16 copy, kept until the weights change."""
    if dtype not in ("float32", "bfloat16"):
        raise ValueError(f'dtype is {dtype!r}; choose "float32" or "bfloat16"')
    if dtype == "float32":
        return bert.model
    # each change in place, as by an optimizer, raises a parameter's _version
    state = [(id(p), p._version) for p in bert.model.parameters()]
    if _casts.get(bert.model, (None,))[0] != state:
        _casts[bert.model] = state, copy.deepcopy(bert.model).bfloat16()
    return _casts[bert.model][1]
