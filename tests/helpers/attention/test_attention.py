"""Attention: what is read, and heads switched off."""

import numpy as np
import pytest
import torch

from helpers.attention import heads_off, read_attention
from tests.bad_input import one_line

FIRST, SECOND = "I went to the store.", "At the store, I bought strawberries."


@pytest.fixture(scope="module")
def pair(bert):
    return read_attention(bert, FIRST, SECOND)


def test_what_is_read_is_the_attention_of_the_encoder(bert, pair):
    encoding = bert.tokenizer(FIRST, SECOND, return_tensors="pt")
    with torch.inference_mode():
        layers = bert.model(**encoding, output_attentions=True).attentions
    assert pair.tokens == encoding.tokens()
    assert pair.attention.shape == (bert.n_layers, bert.n_heads, 18, 18)
    np.testing.assert_allclose(pair.attention[3, 5], layers[3][0, 5], atol=1e-6)
    np.testing.assert_allclose(pair.attention.sum(axis=-1), 1, atol=1e-5)


def test_mask_is_a_word(bert):
    alone = read_attention(bert, "The [MASK] sat.")
    assert not alone.special[alone.tokens.index("[MASK]")]


def test_a_head_that_is_off_adds_nothing_and_comes_back(bert):
    """The output projection sees zeros where the head's numbers stood, nowhere else."""
    encoding = bert.tokenizer(FIRST, return_tensors="pt")
    layer, size = bert.model.encoder.layer[2], bert.hidden_size // bert.n_heads

    def mixed():
        seen = []
        hook = layer.attention.output.dense.register_forward_hook(
            lambda module, inputs, output: seen.append(inputs[0])
        )
        with torch.inference_mode():
            bert.model(**encoding)
        hook.remove()
        return seen[0].unflatten(-1, (bert.n_heads, size))  # (1, n, heads, size)

    whole = mixed()
    with heads_off(bert, [(2, 3), (2, 7)]):
        without = mixed()
    gone = (without == 0).all(dim=-1).all(dim=1)[0]
    assert torch.nonzero(gone).ravel().tolist() == [3, 7]
    assert torch.equal(without[:, :, ~gone], whole[:, :, ~gone])
    assert torch.equal(mixed(), whole)
    with pytest.raises(KeyError), heads_off(bert, (head for head in [(2, 3)])):
        assert torch.equal(mixed()[:, :, 3], without[:, :, 3])
        raise KeyError
    assert torch.equal(mixed(), whole)  # after an error too


@pytest.mark.parametrize("wrong", [-1, 99, 0.0, None])
@pytest.mark.parametrize("is_layer", [True, False])
def test_a_head_that_is_not_there_is_named_in_one_line(tiny, wrong, is_layer):
    def switch_off():
        with heads_off(tiny, [(0, 0), (wrong, 0) if is_layer else (0, wrong)]):
            raise AssertionError("there is nothing to switch off")

    said = "there is no head" if isinstance(wrong, int) else "whole numbers"
    assert said in one_line(ValueError, switch_off)
    assert not tiny.model.encoder.layer[0].attention.output.dense._forward_pre_hooks
