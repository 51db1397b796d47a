"""Checks of the chapter, the architecture; transformers' own layers give the truth."""

import torch
import torch.nn.functional as F

from helpers.exercises import NotYet
from helpers.exercises.asking import (
    a_dict,
    a_function,
    a_whole_number,
    an_array,
    name_mistake,
)
from helpers.models import load_bert

BUDGET = 30_000_000
SIZES = ("hidden_size", "num_attention_heads", "intermediate_size", "num_hidden_layers")


def check_1(answer):
    """A function: a BertConfig, and whether with cross-attention -> a count."""
    from transformers import BertConfig

    a_function(answer, "layer_parameters")
    for hidden, wide, heads in ((768, 3072, 12), (60, 100, 5), (16, 96, 1)):
        config = BertConfig(
            hidden_size=hidden, intermediate_size=wide, num_attention_heads=heads
        )
        for cross in (False, True):
            got = a_whole_number(answer(config, cross), "The number of parameters")
            if got != (truth := _counted(config, cross)):
                raise NotYet(_what_was_forgotten(got, truth, hidden, wide, cross))
    return "Equal to a count of the tensors that transformers makes."


def _counted(config, cross):
    """Parameters of a layer of transformers, built without numbers."""
    from transformers import BertConfig
    from transformers.models.bert.modeling_bert import BertLayer

    if cross:
        changed = config.to_dict() | {"is_decoder": True, "add_cross_attention": True}
        config = BertConfig(**changed)
    with torch.device("meta"):
        return sum(tensor.numel() for tensor in BertLayer(config).parameters())


def _what_was_forgotten(got, truth, hidden, wide, cross):
    attentions = 2 if cross else 1
    attention = 4 * (hidden * hidden + hidden)
    biases = attentions * 4 * hidden + wide + hidden
    norms = 2 * hidden * (attentions + 1)
    differences = {
        biases: "The biases of the linear layers are missing.",
        norms: "The layer norms are missing; each has two vectors.",
        biases + norms: "The biases and the layer norms are missing.",
        2 * hidden * wide - 8 * hidden**2 + wide - 4 * hidden: "The feed-forward part "
        "need not be four times as wide as the hidden size: see intermediate_size.",
    }
    if cross:
        differences |= {
            attention + 2 * hidden: "With cross_attention a second attention comes in.",
            2 * hidden: "The second attention is followed by a norm of its own.",
        }
    which = "decoder layer" if cross else "layer"
    start = f"For hidden size {hidden} and feed-forward size {wide}, {which}: "
    if truth != got and truth - got in differences:
        return start + differences[truth - got]
    return f"{start}you count {got:,}, and the tensors have {truth:,} numbers."


def check_2(answer):
    """A function: x (batch, n, hidden), state_dict of a BertLayer, heads -> x."""
    a_function(answer, "encoder_layer")
    generator = torch.Generator().manual_seed(4)
    bert = load_bert()
    layers = [(_random_layer(size, generator), size[1]) for size in TINY]
    layers.append((bert.model.encoder.layer[0], bert.n_heads))
    for layer, n_heads in layers:
        weights = {key: value.cpu() for key, value in layer.state_dict().items()}
        hidden = weights["output.dense.bias"].numel()
        x = torch.randn(2, 5, hidden, generator=generator)
        with torch.inference_mode():
            truth = layer(x.to(next(layer.parameters()).device)).cpu()
        hint = "Return one tensor of the shape of x."
        got = an_array(answer(x, weights, n_heads), x.shape, "The output", hint=hint)
        got = torch.from_numpy(got).float()
        if torch.allclose(got, truth, atol=5e-5, rtol=1e-5):
            continue
        slips = (
            (message, _layer(x, weights, n_heads, slip))
            for slip, message in SLIPS.items()
        )
        name_mistake(got, slips, atol=5e-5)
        gap = (got - truth).abs().max()
        raise NotYet(
            f"For hidden size {hidden} and {n_heads} heads the output differs from "
            f"that of transformers by up to {gap:.2g}. Compare step by step with the "
            "figure of the layer."
        )
    return "Equal to transformers' own layer, with random weights and this model's."


TINY = ((24, 3, 40), (16, 1, 64), (20, 5, 30))  # hidden size, heads, feed-forward
SLIPS = {
    "tanh": "Very close, but this is GELU by its tanh approximation; `gelu` in "
    "transformers is the exact one, by erf.",
    "pre-norm": "The norms come before attention and feed-forward; in BERT they come "
    "after the additions.",
    "no residual": "The inputs of attention and feed-forward are not added to their "
    "outputs.",
    "first residual": "Nothing is added to what attention gives.",
    "second residual": "Nothing is added to what the feed-forward part gives.",
    "wrong branch": "The second addition takes the input of the layer; it should take "
    "what went into the feed-forward part.",
    "relu": "This is ReLU; BERT uses GELU.",
    "one head": "This is attention with a single head; use n_heads.",
    "unscaled": "The scores are not divided by the root of the head's width.",
    "hidden": "The scores are divided by the root of the hidden size; the width that "
    "counts is that of one head.",
}


def _random_layer(size, generator):
    from transformers import BertConfig
    from transformers.models.bert.modeling_bert import BertLayer

    hidden, heads, wide = size
    config = BertConfig(
        hidden_size=hidden,
        num_attention_heads=heads,
        intermediate_size=wide,
        attn_implementation="eager",
    )
    layer = BertLayer(config).eval()
    with torch.no_grad():
        for parameter in layer.parameters():
            parameter.normal_(0, 0.8, generator=generator)
    return layer


@torch.no_grad()
def _layer(x, weights, n_heads, slip):
    """A BERT layer on its state_dict, with one slip."""

    def dense(name, x):
        return F.linear(x, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def norm(name, x):
        scale, shift = weights[f"{name}.LayerNorm.weight"], f"{name}.LayerNorm.bias"
        return F.layer_norm(x, x.shape[-1:], scale, weights[shift], 1e-12)

    def attend(x):
        heads = 1 if slip == "one head" else n_heads
        parts = (
            dense(f"attention.self.{name}", x) for name in ("query", "key", "value")
        )
        q, k, v = (part.unflatten(-1, (heads, -1)).transpose(1, 2) for part in parts)
        width = {"unscaled": 1, "hidden": x.shape[-1]}.get(slip, q.shape[-1])
        mixed = F.scaled_dot_product_attention(q, k, v, scale=width**-0.5)
        return dense("attention.output.dense", mixed.transpose(1, 2).flatten(2))

    def feed_forward(x):
        wide = dense("intermediate.dense", x)
        if slip == "relu":
            return dense("output.dense", wide.relu())
        kind = "tanh" if slip == "tanh" else "none"
        return dense("output.dense", F.gelu(wide, approximate=kind))

    if slip == "pre-norm":
        x = x + attend(norm("attention.output", x))
        return x + feed_forward(norm("output", x))
    start, kept = x, slip not in ("no residual", "first residual")
    x = norm("attention.output", attend(x) + (x if kept else 0))
    kept = slip not in ("no residual", "second residual")
    added = start if slip == "wrong branch" else x
    return norm("output", feed_forward(x) + (added if kept else 0))


def check_3(answer):
    """A dict: the four sizes of the deepest BERT within the budget, and its count."""
    keys = (*SIZES, "parameters")
    hidden, heads, wide, layers, given = (
        a_whole_number(value, key)
        for key, value in zip(keys, a_dict(answer, keys), strict=True)
    )
    if hidden < 256:
        raise NotYet(f"The hidden size must be at least 256; yours is {hidden}.")
    if heads * 64 != hidden:
        raise NotYet(
            f"The heads must be 64 wide: {heads} of them do not make up {hidden}."
        )
    if wide < 2 * hidden:
        raise NotYet(
            f"The feed-forward size must be at least twice the hidden size, "
            f"{2 * hidden}; yours is {wide}."
        )
    if layers > 1000:
        raise NotYet(f"{layers} layers cannot fit into 30 million parameters.")
    count = _count_bert(hidden, heads, wide, layers)
    if count > BUDGET:
        raise NotYet(
            f"Transformers counts {count:,} parameters in this model, more than 30 "
            "million. Embeddings and pooler count too."
        )
    if given != count:
        raise NotYet(
            f"These sizes fit, but parameters is wrong: transformers counts {count:,}."
        )
    if layers < _deepest():
        raise NotYet(
            f"It fits with {count:,} parameters, and a deeper one would fit too. Is "
            "each layer as cheap as it may be, and is the budget used up?"
        )
    return f"{layers} layers of {hidden}: no deeper one fits the rules."


def _count_bert(hidden, heads, wide, layers):
    from transformers import BertConfig, BertModel

    with torch.device("meta"):
        config = BertConfig(
            hidden_size=hidden,
            num_attention_heads=heads,
            intermediate_size=wide,
            num_hidden_layers=layers,
        )
        return sum(tensor.numel() for tensor in BertModel(config).parameters())


def _deepest():
    """The largest number of layers that the rules of exercise 3 allow."""
    depths = []
    for hidden in range(256, 1025, 64):
        none, one = (_count_bert(hidden, hidden // 64, 2 * hidden, n) for n in (0, 1))
        depths.append((BUDGET - none) // (one - none))
    return max(depths)
