"""Typical wrong answers of the chapter and the words that name each mistake."""

from types import SimpleNamespace

import torch
import torch.nn.functional as F
from transformers import BertConfig
from transformers.models.bert.modeling_bert import BertLayer


def wrong_1(names):
    yield counting(biases=False), "biases of the linear layers are missing"
    yield counting(norms=0), "layer norms are missing; each has two"
    yield counting(biases=False, norms=0), "biases and the layer norms"
    yield counting(second=0), "second attention comes in"
    yield counting(norms=2), "norm of its own"
    yield counting(four_times=True), "intermediate_size"
    yield counting(biases=0.5), "biases of the attention"
    yield counting(linears=3), "joins the heads"
    yield counting(second=1, always=True), "always"
    yield lambda config, cross=False: 3 * counting()(config, cross), "not all of them"
    yield lambda config, cross=False: counting()(config) * (1 + cross), "feed-forward"
    yield lambda config, cross=False: counting()(config, cross) + 1, "you count"
    yield lambda config, cross=False: f"{counting()(config):,}", "attention comes in"
    yield lambda config, cross=False: 7_000_000, "you count 7,000,000"
    yield lambda config, cross=False: "many", "whole number"
    yield lambda config: 1, "stopped with"
    yield 7_087_872, "without brackets"


def counting(biases=1, norms=None, second=1, four_times=False, linears=4, always=False):
    """A count of a layer's parameters with something forgotten."""

    def count(config, cross_attention=False):
        hidden, wide = config.hidden_size, config.intermediate_size
        wide = 4 * hidden if four_times else wide
        attentions = 1 + (second if cross_attention or always else 0)
        total = attentions * linears * hidden * hidden + 2 * hidden * wide
        total += (biases == 1) * attentions * linears * hidden
        total += (biases > 0) * (wide + hidden)
        return total + 2 * hidden * (attentions + 1 if norms is None else norms)

    return count


def wrong_2(names):
    yield built_with(norm_first), "come before attention"
    yield built_with(plain, gelu=lambda x: F.gelu(x, approximate="tanh")), "by erf"
    yield built_with(plain, gelu=F.relu), "ReLU"
    yield built_with(plain, one_head=True), "single head"
    yield built_with(no_residual), "not added"
    yield built_with(from_the_start), "input of the layer"
    yield built_with(plain, eps=1e-5), "1e-12"
    yield built_with(plain, eps=1e-6), "differs from that of transformers"
    yield built_with(plain, scale=lambda d_head: 1 / d_head), "not by its root"
    yield built_with(plain, scale=lambda d_head: 1 / 8), "the heads of Base"
    yield built_with(plain, cut=lambda x, heads: x.reshape(2, heads, 5, -1)), "differs"
    yield built_with(norms_exchanged), "norms are exchanged"
    yield built_with(lambda x, p: p.forward(p.attend(x) + x)), "differs"
    yield module_of_transformers, "runs a module"
    yield built_with(lambda x, p: x), "differs from that of transformers"
    yield built_with(lambda x, p: (x,)), "one tensor"
    yield built_with(lambda x, p: x[0]), "shape of x"
    yield lambda x, weights: x, "stopped with"


def plain(x, part):
    x = part.norm("attention.output", x + part.attend(x))
    return part.norm("output", x + part.forward(x))


def norms_exchanged(x, part):
    x = part.norm("output", x + part.attend(x))
    return part.norm("attention.output", x + part.forward(x))


def module_of_transformers(x, weights, n_heads):
    config = BertConfig(
        hidden_size=x.shape[-1],
        num_attention_heads=n_heads,
        intermediate_size=len(weights["intermediate.dense.bias"]),
        attn_implementation="eager",
    )
    layer = BertLayer(config).eval()
    layer.load_state_dict(weights)
    return layer(x)


def norm_first(x, part):
    x = x + part.attend(part.norm("attention.output", x))
    return x + part.forward(part.norm("output", x))


def no_residual(x, part):
    x = part.norm("attention.output", part.attend(x))
    return part.norm("output", part.forward(x))


def from_the_start(x, part):
    y = part.norm("attention.output", x + part.attend(x))
    return part.norm("output", x + part.forward(y))


def cut_in_heads(x, heads):
    return x.unflatten(-1, (heads, -1)).transpose(1, 2)


def built_with(
    wiring,
    gelu=F.gelu,
    one_head=False,
    eps=1e-12,
    scale=lambda d_head: d_head**-0.5,
    cut=cut_in_heads,
):
    """A layer by nn.functional, wired as the function `wiring` says."""

    def encoder_layer(x, weights, n_heads):
        def dense(name, x):
            return F.linear(x, weights[f"{name}.weight"], weights[f"{name}.bias"])

        def norm(name, x):
            name += ".LayerNorm"
            factor, shift = weights[f"{name}.weight"], weights[f"{name}.bias"]
            return F.layer_norm(x, x.shape[-1:], factor, shift, eps)

        def attend(x):
            parts = [dense(f"attention.self.{p}", x) for p in ("query", "key", "value")]
            heads = 1 if one_head else n_heads
            parts = [cut(part, heads) for part in parts]
            size = scale(parts[0].shape[-1])
            mixed = F.scaled_dot_product_attention(*parts, scale=size)
            return dense("attention.output.dense", mixed.transpose(1, 2).flatten(2))

        def forward(x):
            return dense("output.dense", gelu(dense("intermediate.dense", x)))

        return wiring(x, SimpleNamespace(norm=norm, attend=attend, forward=forward))

    return encoder_layer


def wrong_3(names):
    keys = "hidden_size", "num_attention_heads", "intermediate_size"
    keys += "num_hidden_layers", "parameters"

    def answer(*values):
        return dict(zip(keys, values, strict=True))

    right = 7_945_728 + 65_792  # embeddings with their norm, pooler
    layer = 527_104
    yield answer(256, 4, 512, 42, right + 42 * layer), "Embeddings and pooler"
    yield answer(256, 4, 512, 40, right + 40 * layer), "a deeper one would fit"
    yield answer(256, 4, 512, 41, 41 * layer), "transformers counts"
    yield answer(256, 4, 512, 41, 29_600_000), "transformers counts"
    yield answer(256, 4, 512, 41, 29.62), "whole number"
    yield answer(320, 5, 640, 24, 29_780_160), "a deeper one would fit"
    yield answer(256, 4, 1024, 27, 29_335_040), "a deeper one would fit"
    yield answer(256, 8, 512, 41, 0), "64 wide"
    yield answer(256, 4, 256, 41, 0), "twice the hidden size"
    yield answer(64, 1, 128, 400, 0), "at least 256"
    yield answer(256, 4, 512, 10**9, 0), "cannot fit"
    yield answer("wide", 4, 512, 41, 0), "hidden_size must be a whole number"
    yield torch.zeros(5), "Pass a dict"
