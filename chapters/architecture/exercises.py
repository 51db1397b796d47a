"""Checks of the chapter, the architecture; transformers' own layers give the truth."""

from functools import cache, partial

import numpy as np
import torch
import torch.nn.functional as F

from helpers.exercises import NotYet
from helpers.exercises.asking import a_dict, a_whole_number
from helpers.exercises.mistakes import Mistakes
from helpers.exercises.seeds import torch_rng
from helpers.models import load_bert

BUDGET = 30_000_000
SIZES = ("hidden_size", "num_attention_heads", "intermediate_size", "num_hidden_layers")


def check_1(answer):
    """A function: a BertConfig, and whether with cross-attention -> a count."""
    sizes = (60, 5, 100, 3), (768, 12, 3072, 12), (16, 1, 96, 2)
    configs = [_config(*some) for some in sizes]
    cases = [given for config in configs for given in ((config,), (config, True))]
    TABLES[1].ask(
        "layer_parameters", answer, cases, read=_a_count, otherwise=_count_off
    )
    return "Equal to a count of the tensors that transformers makes."


def _config(*sizes):
    from transformers import BertConfig

    sizes = dict(zip(SIZES, sizes, strict=False))
    return BertConfig(**sizes, attn_implementation="eager")


def _a_count(value, *case, what="The number of parameters"):
    """A whole number, also as the page prints it: "7,087,872"."""
    if isinstance(value, str):
        value = value.replace(",", "").replace("_", "")
    return a_whole_number(value, what)


def _counted(config, cross=False):
    """Parameters of a layer of transformers, built without numbers."""
    from transformers import BertConfig
    from transformers.models.bert.modeling_bert import BertLayer

    if cross:
        changed = config.to_dict() | {"is_decoder": True, "add_cross_attention": True}
        config = BertConfig(**changed)
    with torch.device("meta"):
        return sum(tensor.numel() for tensor in BertLayer(config).parameters())


def _count_off(got, wanted, config, cross=False):
    layer = "decoder layer" if cross else "layer"
    return (
        f"For hidden size {config.hidden_size} and feed-forward size "
        f"{config.intermediate_size}, {layer}: you count {got:,.0f}, and the tensors "
        f"have {wanted:,.0f}."
    )


def _without(biases=(1, 1), norms=1, third=1, linears=4, four_times=False):
    """A count in which something is forgotten."""

    def count(config, cross=False):
        hidden, n = config.hidden_size, 1 + cross
        wide = 4 * hidden if four_times else config.intermediate_size
        linear = hidden * hidden + biases[0] * hidden
        total = n * linears * linear + 2 * hidden * wide + biases[1] * (wide + hidden)
        return total + int(norms * 2 * hidden * (2 + cross * third))

    return count


COUNT_MISTAKES = {
    "Biases are missing: each linear layer has one, in the attention and in the "
    "feed-forward part.": (
        _without(biases=(0, 0)),
        _without(biases=(0, 1)),
        _without(biases=(1, 0)),
    ),
    "The layer norms are missing, or have one vector each; a norm has two.": (
        _without(norms=0),
        _without(norms=0.5),
    ),
    "The second attention is followed by a norm of its own.": _without(third=0),
    "The linear layer that joins the heads is missing.": _without(linears=3),
    "The feed-forward part need not be four times as wide as the hidden size: see "
    "intermediate_size.": _without(four_times=True),
    "With cross_attention a second attention comes in.": (
        lambda config, cross=False: _counted(config)
    ),
    "Count one layer, not all of them.": (
        lambda config, cross=False: config.num_hidden_layers * _counted(config, cross)
    ),
}


def check_2(answer):
    """A function: x (batch, n, hidden), state_dict of a BertLayer, heads -> x."""
    generator = torch_rng(4)
    stages = _random_layers(generator), _other_layers(generator)
    forbid = ("torch._call_impl",)
    TABLES[2].ask(
        "encoder_layer", answer, *stages, forbid=forbid, otherwise=_states_off
    )
    return "Equal to transformers' own layer, with random weights and this model's."


TINY = ((24, 4, 40), (16, 1, 64), (20, 5, 30))  # hidden size, heads, feed-forward


def _random_layers(generator):
    for batch, sizes in enumerate(TINY, start=1):
        weights = _weights(_bert_layer(*sizes), generator, 0.8)
        yield torch.randn(batch, 5, sizes[0], generator=generator), weights, sizes[1]


def _other_layers(generator):
    """A quiet one, where the norms' eps shows, and the first of the model."""
    hidden, n_heads, _ = TINY[0]
    quiet = 1e-3 * torch.randn(1, 5, hidden, generator=generator)
    yield quiet, _weights(_bert_layer(*TINY[0]), generator, 1e-3), n_heads
    bert = load_bert()
    weights = bert.model.encoder.layer[0].state_dict()
    x = torch.randn(2, 5, bert.hidden_size, generator=generator)
    yield x, {name: tensor.cpu() for name, tensor in weights.items()}, bert.n_heads


def _bert_layer(*sizes):
    from transformers.models.bert.modeling_bert import BertLayer

    return BertLayer(_config(*sizes)).eval()


def _weights(layer, generator, scale):
    with torch.no_grad():
        for parameter in layer.parameters():
            parameter.normal_(0, scale, generator=generator)
    return layer.state_dict()


def _near_states(got, wanted, x, weights, n_heads):
    return np.allclose(got, wanted, atol=5e-5)


def _states_off(got, wanted, x, weights, n_heads):
    return (
        f"For hidden size {x.shape[-1]} and {n_heads} heads the output differs from "
        f"that of transformers by up to {np.abs(got - wanted).max():.2g}. Compare step "
        "by step with the figure of the layer."
    )


@torch.inference_mode()
def _of_transformers(x, weights, n_heads):
    wide = weights["intermediate.dense.bias"].numel()
    layer = _bert_layer(x.shape[-1], n_heads, wide)
    layer.load_state_dict(weights)
    return layer(x)


SLIPS = {
    "Very close, but this is GELU by its tanh approximation; `gelu` in transformers is "
    "the exact one, by erf.": ("tanh",),
    "This is ReLU; BERT uses GELU.": ("relu",),
    "The norms come before attention and feed-forward; in BERT they come after the "
    "additions.": ("pre-norm",),
    "For a quiet input this is a layer norm with eps=1e-5, PyTorch's default; BERT's "
    "is 1e-12.": ("eps",),
    "The inputs of attention and feed-forward are not added to their outputs.": (
        "no residual",
    ),
    "This is attention with a single head; use n_heads.": ("one head",),
    "The scores are not divided by the root of a head's width, but by nothing or by "
    "the root of the hidden size.": ("unscaled", "hidden"),
    "The heads were cut, or joined, with a reshape alone. Without a transpose a head "
    "holds all of the first places, not a share of every place.": (
        "reshaped",
        "joined",
    ),
}


def _cut(x, heads, slip):
    """(batch, n, hidden) -> (batch, heads, n, d_head)"""
    if slip == "reshaped":
        return x.reshape(len(x), heads, x.shape[1], -1)
    return x.unflatten(-1, (heads, -1)).transpose(1, 2)


@torch.no_grad()
def _layer(x, weights, n_heads, slip):
    """A BERT layer on its state_dict, with one slip."""

    def dense(name, x):
        return F.linear(x, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def norm(name, x):
        scale, shift = weights[f"{name}.LayerNorm.weight"], f"{name}.LayerNorm.bias"
        eps = 1e-5 if slip == "eps" else 1e-12
        return F.layer_norm(x, x.shape[-1:], scale, weights[shift], eps)

    def attend(x):
        heads = 1 if slip == "one head" else n_heads
        parts = (
            dense(f"attention.self.{name}", x) for name in ("query", "key", "value")
        )
        q, k, v = (_cut(part, heads, slip) for part in parts)
        width = {"unscaled": 1, "hidden": x.shape[-1]}.get(slip, q.shape[-1])
        mixed = F.scaled_dot_product_attention(q, k, v, scale=width**-0.5)
        if slip in ("joined", "reshaped"):
            return dense("attention.output.dense", mixed.reshape(x.shape))
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
    kept = slip != "no residual"
    x = norm("attention.output", attend(x) + kept * x)
    return norm("output", feed_forward(x) + kept * x)


def check_3(answer):
    """A dict: the four sizes of the deepest BERT within the budget, and its count."""
    keys = (*SIZES, "parameters")
    hidden, heads, wide, layers, given = (
        _a_count(value, what=key)
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
            f"Transformers counts {count:,} parameters in this model, more than "
            "30 million. Embeddings and pooler count too."
        )
    if given != count:
        raise NotYet(
            f"These sizes fit, but transformers does not count {given:,} parameters "
            "in this model. Are embeddings and pooler in yours?"
        )
    if layers < _deepest():
        raise NotYet(
            f"It fits with {count:,} parameters, and a deeper one would fit too. Is "
            "each layer as cheap as it may be, and is the budget used up?"
        )
    return f"{layers} layers of {hidden}: no deeper one fits the rules."


@cache
def _count_bert(*sizes):
    from transformers import BertModel

    with torch.device("meta"):
        return sum(tensor.numel() for tensor in BertModel(_config(*sizes)).parameters())


def _deepest():
    """The largest number of layers that the rules of exercise 3 allow."""
    depths = []
    for hidden in range(256, 1025, 64):
        none, one = (_count_bert(hidden, hidden // 64, 2 * hidden, n) for n in (0, 1))
        depths.append((BUDGET - none) // (one - none))
    return max(depths)


LAYER_MISTAKES = {
    said: tuple(partial(_layer, slip=slip) for slip in slips)
    for said, slips in SLIPS.items()
}

TABLES = {
    1: Mistakes(_counted, COUNT_MISTAKES, "The number of parameters"),
    2: Mistakes(_of_transformers, LAYER_MISTAKES, "Each number", near=_near_states),
}
