"""The attention written in the chapter: under masks, and as it starts."""

import numpy as np
import pytest
import torch

# Published or made-up figures that the text holds.
TYPED = "0.02 2.8 3.2 100.0"


@pytest.fixture(scope="module")
def chapter(cells):
    return cells.defined()


def padding(lengths, n):
    return torch.arange(n) < torch.tensor(lengths)[:, None]  # (batch, n)


def test_attention_is_equivariant_unless_the_mask_is_causal(chapter):
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
