"""The attention written in the chapter, held against PyTorch and transformers."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F
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


MASKS = {
    "no mask": lambda n: None,
    "padding": lambda n: padding([n, 2], n)[:, None, None, :],
    "causal": lambda n: torch.ones(n, n).tril().bool(),
    "both": lambda n: MASKS["padding"](n) & MASKS["causal"](n),
}


@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize(("heads", "n", "d_head"), [(1, 2, 1), (3, 5, 4), (4, 4, 4)])
def test_attention_equals_pytorch(chapter, generator, mask, heads, n, d_head):
    parts = torch.randn(3, 2, heads, n, d_head, generator=generator)
    mask = MASKS[mask](n)
    mixed, weights = chapter["attention"](*parts, mask)
    theirs = F.scaled_dot_product_attention(*parts, attn_mask=mask)
    torch.testing.assert_close(mixed, theirs, atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(weights.sum(-1), torch.ones(2, heads, n))


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


def test_multi_head_attention_equals_bert_in_every_layer(chapter, tiny):
    batch = tiny.tokenizer(
        ["a cat sat", "on the mat with two dogs"], padding=True, return_tensors="pt"
    )
    run = tiny.model(**batch, output_hidden_states=True, output_attentions=True)
    mask = batch["attention_mask"][:, None, None, :].bool()
    for number, layer in enumerate(tiny.model.encoder.layer):
        ours = chapter["MultiHeadAttention"](tiny.hidden_size, tiny.n_heads)
        for name in ("query", "key", "value"):
            linear = getattr(layer.attention.self, name)
            getattr(ours, name).load_state_dict(linear.state_dict())
        ours.output = layer.attention.output.dense
        x = run.hidden_states[number]
        output, weights = ours(x, mask)
        torch.testing.assert_close(
            weights, run.attentions[number], atol=1e-5, rtol=1e-5
        )
        theirs = layer.attention.output.LayerNorm(output + x)
        after = layer.output(layer.intermediate(theirs), theirs)
        torch.testing.assert_close(
            after, run.hidden_states[number + 1], atol=1e-4, rtol=1e-4
        )


def test_what_is_masked_changes_nothing_and_the_late_mask_leaks(chapter, generator):
    q, k, v = torch.randn(3, 2, 4, 8, generator=generator)
    mask, other = padding([4, 2], 4)[:, None, :], k.clone()
    other[1, 2:] *= 3
    moved = {}
    for name in ("attention", "masked_too_late"):
        before, after = (chapter[name](q, keys, v, mask)[0] for keys in (k, other))
        moved[name] = (before - after)[1, :2].abs().max()
    assert moved["attention"] == 0
    assert moved["masked_too_late"] > 0.01
    late = chapter["masked_too_late"](q, k, v, mask)[1]
    assert (late[1].sum(-1) < 1).all()


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


def test_variance_follows_the_width_until_it_is_divided_out(chapter, generator):
    rows = {}
    for width in (16, 1024):
        q, k = torch.randn(2, 200, 16, width, generator=generator)
        raw = q[:, :1] @ k.transpose(1, 2)
        rows[width] = chapter["look_at"](raw), chapter["look_at"](raw / width**0.5)
    for width, ((variance, *_), (scaled, *_)) in rows.items():
        assert variance == pytest.approx(width, rel=0.1)
        assert scaled == pytest.approx(1, rel=0.1)
    (_, largest, slope), (_, largest_scaled, slope_scaled) = rows[1024]
    assert largest > 0.9 > 0.4 > largest_scaled
    assert slope_scaled > 5 * slope


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
