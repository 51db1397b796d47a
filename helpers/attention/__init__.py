"""Attention tensors, and heads switched off."""

from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import torch

from helpers._support.valid_numbers import whole_numbers


@dataclass
class Reading:
    """What a model attended to when it read a sentence or a pair; see `read_attention`.

    tokens: n pieces, [CLS] and [SEP] among them. attention: an array (layers, heads,
    n, n) of weights; row i is how token i shares out its attention, and sums to 1.
    special: (n,) booleans, True for [CLS], [SEP] and [PAD]. segments: (n,) of 0 and 1.
    owners: (n,) numbers of the words that the pieces belong to, -1 for special ones.
    """

    tokens: list
    attention: np.ndarray
    special: np.ndarray
    segments: np.ndarray
    owners: np.ndarray


def read_attention(bert, first, second=None):
    """Run a sentence or a pair through the encoder and return the Reading.

    Raises ValueError where the text is too long.

    >>> reading = read_attention(bert, "A cat.")
    >>> reading.tokens
    ['[CLS]', 'a', 'cat', '.', '[SEP]']
    >>> reading.attention.shape  # (layers, heads, n, n)
    (6, 12, 5, 5)
    """
    encoding = bert.encode(*([first] if second is None else [first, second]))
    with torch.inference_mode():
        output = bert.model(**encoding, output_attentions=True)
    segments = encoding["token_type_ids"][0].cpu().numpy()
    ids = encoding["input_ids"][0].tolist()
    special = np.isin(ids, _special_ids(bert.tokenizer))
    return Reading(
        tokens=encoding.tokens(),
        attention=torch.stack(output.attentions)[:, 0].float().cpu().numpy(),
        special=special,
        segments=segments,
        owners=_owners(encoding.word_ids(), segments),
    )


def _special_ids(tokenizer):
    """[CLS], [SEP] and [PAD], but not [MASK] and [UNK], which stand for a word."""
    return [tokenizer.cls_token_id, tokenizer.sep_token_id, tokenizer.pad_token_id]


def _owners(word_ids, segments):
    """Number the words of a pair without a break; word_ids() starts twice at 0."""
    keys = [
        None if word is None else (int(segment), word)
        for word, segment in zip(word_ids, segments, strict=True)
    ]
    numbers = {key: number for number, key in enumerate(dict.fromkeys(keys))}
    return np.array([-1 if key is None else numbers[key] for key in keys])


@contextmanager
def heads_off(bert, heads):
    """Switch heads of `bert` off within a `with` block.

    heads: (layer, head) pairs. A layer's output projection takes the outputs of its
    heads side by side and mixes them; before it does, those of the given heads are set
    to zero. The layer's own attention weights stay the same. Raises ValueError for
    heads that the model does not have.

    >>> pieces = bert.encode("A cat.")
    >>> before = bert.model(**pieces).last_hidden_state
    >>> with heads_off(bert, [(0, 3), (5, 11)]):
    ...     during = bert.model(**pieces).last_hidden_state
    >>> after = bert.model(**pieces).last_hidden_state
    >>> torch.allclose(before, during), torch.allclose(before, after)
    (False, True)
    """
    heads = [whole_numbers(pair, "a head's place") for pair in heads]
    for layer, head in heads:
        if not (0 <= layer < bert.n_layers and 0 <= head < bert.n_heads):
            raise ValueError(
                f"there is no head {head} in layer {layer}: {bert.name} has layers 0 "
                f"to {bert.n_layers - 1} with heads 0 to {bert.n_heads - 1}"
            )
    hooks = [_silence(bert, layer, head) for layer, head in heads]
    try:
        yield
    finally:
        for hook in hooks:
            hook.remove()


def _silence(bert, layer, head):
    """Hook one head's part of the input of its layer's output projection."""
    size = bert.hidden_size // bert.n_heads
    part = slice(head * size, (head + 1) * size)

    def set_to_zero(module, inputs):
        mixed = inputs[0].clone()  # (batch, tokens, hidden)
        mixed[..., part] = 0
        return (mixed, *inputs[1:])

    projection = bert.model.encoder.layer[layer].attention.output.dense
    return projection.register_forward_pre_hook(set_to_zero)
