"""Right answers by other ways: a count, the deepest BERT."""

import torch
from torch import nn


def right_1(names):
    yield built


def built(config, cross_attention=False):
    """Counted on PyTorch's own layer."""
    kind = nn.TransformerDecoderLayer if cross_attention else nn.TransformerEncoderLayer
    sizes = config.hidden_size, config.num_attention_heads, config.intermediate_size
    with torch.device("meta"):
        return sum(map(torch.numel, kind(*sizes).parameters()))


def right_3(names):
    keys = "hidden_size", "num_attention_heads", "intermediate_size"
    keys += "num_hidden_layers", "parameters"
    answer = dict(zip(keys, (256, 4, 512, 41, 29_622_784), strict=True))
    yield answer | {"parameters": f"{answer['parameters']:,}", "vocab_size": 30522}
    wider = answer["intermediate_size"] + 1  # fits, at the same depth
    more = answer["num_hidden_layers"] * (2 * answer["hidden_size"] + 1)
    yield answer | {
        "intermediate_size": wider,
        "parameters": answer["parameters"] + more,
    }
