"""The attention written in the chapter, held against PyTorch and transformers."""

import numpy as np
import pytest
import torch
from torch import nn

# Published or made-up figures that the text holds.
TYPED = "0.02 2.8 3.2 100.0"


@pytest.fixture(scope="module")
def chapter(cells):
    return cells.defined()


@pytest.fixture
def generator():
    return torch.Generator().manual_seed(5)


def padding(lengths, n):
    return torch.arange(n) < torch.tensor(lengths)[:, None]  # (batch, n)


@pytest.mark.parametrize(("hidden", "heads"), [(6, 1), (6, 3), (20, 4), (16, 16)])
def test_multi_head_attention_equals_pytorch(chapter, hidden, heads):
    torch.manual_seed(6)
    theirs = nn.MultiheadAttention(hidden, heads, batch_first=True)
    for parameter in theirs.parameters():
        nn.init.normal_(parameter, std=0.5)
    ours = chapter["MultiHeadAttention"](hidden, heads)
    stacked = theirs.in_proj_weight.chunk(3), theirs.in_proj_bias.chunk(3)
    for name, weight, bias in zip(("query", "key", "value"), *stacked, strict=True):
        getattr(ours, name).load_state_dict({"weight": weight, "bias": bias})
    ours.output.load_state_dict(theirs.out_proj.state_dict())
    x, real = torch.randn(2, 5, hidden), padding([5, 3], 5)
    causal = torch.ones(5, 5).tril().bool()
    mask = real[:, None, None, :] & causal
    their_output = theirs(
        x,
        x,
        x,
        key_padding_mask=~real,
        attn_mask=~causal,
        average_attn_weights=False,
    )
    for our_part, their_part in zip(ours(x, mask), their_output, strict=True):
        torch.testing.assert_close(our_part, their_part, atol=1e-5, rtol=1e-5)


def test_attention_is_equivariant_unless_the_mask_is_causal(chapter, generator):
    torch.manual_seed(7)
    ours = chapter["MultiHeadAttention"](12, 3)
    x, order = torch.randn(1, 6, 12), torch.tensor([1, 2, 0, 5, 3, 4])
    causal = torch.ones(6, 6).tril().bool()
    real = padding([4], 6)
    for mask, mask_moved, same in (
        (None, None, True),
        (real[:, None, None, :], real[:, order][:, None, None, :], True),
        (causal, causal, False),
    ):
        straight, shuffled = ours(x, mask)[0], ours(x[:, order], mask_moved)[0]
        assert torch.allclose(shuffled, straight[:, order], atol=1e-5) == same


def test_the_last_rows_are_a_layer_of_bert_at_its_start(cells, chapter):
    from scipy.stats import truncnorm
    from transformers import BertConfig, BertModel

    names = cells.run("def look_at", "x0 = torch.randn", **chapter)
    torch.manual_seed(8)
    layer = BertModel(BertConfig(num_hidden_layers=1, vocab_size=9)).encoder.layer[0]
    cut, rng = truncnorm(-2, 2, scale=0.02), np.random.default_rng(9)
    assert names["draws"]["start, Google"].std() == pytest.approx(cut.std(), rel=0.01)
    assert names["draws"]["start, Google"].abs().max() <= 0.04
    x = torch.randn(60, 17, 768)
    for start in ("transformers", "Google"):
        raw = fresh_scores(layer, x, chapter["split_heads"])
        ours = names["rows"][f"start, {start}"]
        assert ours[:3] == pytest.approx(chapter["look_at"](raw), rel=0.1)
        assert ours[3:] == pytest.approx(chapter["look_at"](raw / 8), rel=0.1)
        for part in (layer.attention.self.query, layer.attention.self.key):
            drawn = cut.rvs(part.weight.shape, random_state=rng)
            part.weight.data = torch.tensor(drawn).float()  # for the second round


def fresh_scores(layer, x, split_heads):
    q, k = (
        split_heads(linear(x), 12)
        for linear in (layer.attention.self.query, layer.attention.self.key)
    )
    return q[:, :, :1] @ k[:, :, 1:].mT
