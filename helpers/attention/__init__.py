"""Attention tensors, the score of each head for a pattern, and heads switched off."""

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

    @property
    def sentence_b_start(self):
        """Place of the first piece of the second sentence; None for a single one.

        >>> read_attention(bert, "A cat.", "It purrs.").sentence_b_start
        5
        """
        return int(self.segments.argmax()) if self.segments.any() else None

    @property
    def words(self):
        """The whole word, in small letters, of each piece; "" for special tokens.

        >>> reading = read_attention(bert, "Unaffable cats")
        >>> reading.tokens
        ['[CLS]', 'una', '##ffa', '##ble', 'cats', '[SEP]']
        >>> reading.words
        ['', 'unaffable', 'unaffable', 'unaffable', 'cats', '']
        """
        joined = dict.fromkeys(self.owners.tolist(), "")
        for token, owner in zip(self.tokens, self.owners.tolist(), strict=True):
            joined[owner] += token.removeprefix("##").lower()
        joined[-1] = ""
        return [joined[owner] for owner in self.owners.tolist()]


def read_attention(bert, first, second=None):
    """Run a sentence or a pair through the encoder and return the Reading.

    Raises ValueError where the text is too long, or where the model gives no
    attention because it does not run in eager mode.

    >>> reading = read_attention(bert, "A cat.")
    >>> reading.tokens
    ['[CLS]', 'a', 'cat', '.', '[SEP]']
    >>> reading.attention.shape  # (layers, heads, n, n)
    (6, 12, 5, 5)
    """
    encoding = bert.encode(*([first] if second is None else [first, second]))
    with torch.inference_mode():
        output = bert.model(**encoding, output_attentions=True)
    if not output.attentions or output.attentions[0] is None:
        raise ValueError(
            'no attention came back; load the model with attn_implementation="eager"'
        )
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


def head_scores(attention, targets):
    """Return the mean weight that each head puts on its targets, (layers, heads).

    attention: (layers, heads, n, n). targets: (n, n) booleans, True at (i, j) where
    the pattern says that token i looks at token j. Tokens without a target, such as
    the first word of a sentence for "previous word", do not count; where no token has
    a target, the scores are nan. "Seeing attention" builds it.

    >>> one_head = np.array([[[[0.2, 0.8], [0.5, 0.5]]]])  # 1 layer, 1 head, 2 tokens
    >>> head_scores(one_head, targets=[[False, True], [False, False]]).tolist()
    [[0.8]]
    """
    targets = np.asarray(targets, bool)
    if np.shape(attention)[-2:] != targets.shape:
        raise ValueError(
            f"targets of shape {targets.shape} do not fit attention of shape "
            f"{np.shape(attention)}; give one for each pair of tokens"
        )
    looking = targets.any(axis=1)
    weight = np.where(targets, attention, 0).sum(axis=-1)  # (layers, heads, n)
    if not looking.any():
        return np.full(weight.shape[:-1], np.nan)
    return weight[..., looking].mean(axis=-1)


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
