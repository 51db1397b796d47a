"""Wrong answers that the tables of mistakes do not hold, and words of the reply."""

from transformers import BertConfig
from transformers.models.bert.modeling_bert import BertLayer

from helpers.exercises.checks import mistakes_of


def wrong_1(names):
    right = mistakes_of("architecture.1").right
    yield lambda config, cross=False: right(config, cross) + 1, "you count"
    yield lambda config, cross=False: f"{right(config):,}", "attention comes in"
    yield lambda config, cross=False: 7_000_000, "you count 7,000,000"
    yield lambda config, cross=False: right(config, cross) + cross, "decoder layer: you"


def wrong_2(names):
    yield lambda x, weights, n_heads: x, "differs"
    yield lambda x, weights, n_heads: (x,), "one tensor"
    yield lambda x, weights, n_heads: x[0], "shape of x"
    yield module_of_transformers, "runs a module"


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
    yield answer(256, 4, 512, 41, 29.62), "whole number"
    yield answer(320, 5, 640, 24, 29_780_160), "a deeper one would fit"
    yield answer(256, 4, 1024, 27, 29_335_040), "a deeper one would fit"
    yield answer(256, 8, 512, 41, 0), "64 wide"
    yield answer(256, 4, 256, 41, 0), "twice the hidden size"
    yield answer(64, 1, 128, 400, 0), "at least 256"
    yield answer(256, 4, 512, 10**9, 0), "cannot fit"
