"""Wrong answers that the tables of mistakes do not hold, and words of the reply."""

from types import SimpleNamespace

import torch.nn.functional as F
from transformers import BertConfig
from transformers.models.bert.modeling_bert import BertLayer

from helpers.exercises.checks import mistakes_of


def wrong_1(names):
    right = mistakes_of("architecture.1").right
    yield lambda config, cross=False: right(config, cross) + 1, "you count"
    yield lambda config, cross=False: f"{right(config):,}", "attention comes in"
    yield lambda config, cross=False: 7_000_000, "you count 7,000,000"
    yield lambda config, cross=False: right(config, cross) + cross, "decoder layer: you"
    yield lambda config, cross: right(config, cross), "stopped with"


def wrong_2(names):
    right = built_with(plain)
    yield built_with(plain, eps=1e-6), "differs from that of transformers"
    yield built_with(plain, cut=lambda x, heads: x.reshape(2, heads, 5, -1)), "differs"
    yield built_with(lambda x, p: p.forward(p.attend(x) + x)), "differs"
    yield lambda x, weights, n_heads: x, "differs"
    yield lambda *given: right(*given).round(decimals=2), "to four decimals"
    yield lambda *given: (right(*given),), "one tensor"
    yield lambda *given: right(*given)[0], "shape of x"
    yield lambda x, weights: x, "stopped with"
    yield module_of_transformers, "runs a module"


def plain(x, part):
    x = part.norm("attention.output", x + part.attend(x))
    return part.norm("output", x + part.forward(x))


def cut_in_heads(x, heads):
    return x.unflatten(-1, (heads, -1)).transpose(1, 2)


def built_with(wiring, eps=1e-12, cut=cut_in_heads):
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
            parts = [cut(part, n_heads) for part in parts]
            mixed = F.scaled_dot_product_attention(*parts)
            return dense("attention.output.dense", mixed.transpose(1, 2).flatten(2))

        def forward(x):
            return dense("output.dense", F.gelu(dense("intermediate.dense", x)))

        return wiring(x, SimpleNamespace(norm=norm, attend=attend, forward=forward))

    return encoder_layer


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
