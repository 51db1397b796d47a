"""Checks of the chapter, the architecture; transformers' own layers give the truth."""

from functools import cache

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
from helpers.exercises.running import without
from helpers.exercises.seeds import torch_rng
from helpers.models import load_bert

BUDGET = 30_000_000
SIZES = ("hidden_size", "num_attention_heads", "intermediate_size", "num_hidden_layers")


def check_1(answer):
    """A function: a BertConfig, and whether with cross-attention -> a count."""
    from transformers import BertConfig

    a_function(answer, "layer_parameters")
    for hidden, wide, heads in ((60, 100, 5), (768, 3072, 12), (16, 96, 1)):
        config = BertConfig(
            hidden_size=hidden,
            intermediate_size=wide,
            num_attention_heads=heads,
            num_hidden_layers=3,
        )
        got, truth = zip(
            *(
                (_a_count(answer(config, cross)), _counted(config, cross))
                for cross in (False, True)
            ),
            strict=True,
        )
        if got != truth:
            raise NotYet(_what_was_forgotten(got, truth, hidden, wide))
    return "Equal to a count of the tensors that transformers makes."


def _a_count(value, what="The number of parameters"):
    """A whole number, also as the page prints it: "7,087,872"."""
    if isinstance(value, str):
        value = value.replace(",", "").replace("_", "")
    return a_whole_number(value, what)


def _counted(config, cross):
    """Parameters of a layer of transformers, built without numbers."""
    from transformers import BertConfig
    from transformers.models.bert.modeling_bert import BertLayer

    if cross:
        changed = config.to_dict() | {"is_decoder": True, "add_cross_attention": True}
        config = BertConfig(**changed)
    with torch.device("meta"):
        return sum(tensor.numel() for tensor in BertLayer(config).parameters())


def _what_was_forgotten(got, truth, hidden, wide):
    """What the counts (without, with cross-attention) say; both tell them apart."""
    start = f"For hidden size {hidden} and feed-forward size {wide}"
    mistakes = {
        f"{start}: {message}": [_formula(hidden, wide, n, **slip) for n in (1, 2)]
        for message, slip in FORGOTTEN.items()
    }
    mistakes |= {
        f"{start}: with cross_attention a second attention comes in.": (truth[0],) * 2,
        f"{start}: the count must not always be that of a decoder layer.": (truth[1],)
        * 2,
        f"{start}: count one layer, not all of them.": [3 * n for n in truth],
        f"{start}: the decoder layer has a second attention, but no second "
        "feed-forward part.": (truth[0], 2 * truth[0]),
    }
    name_mistake(got, mistakes, rtol=0, atol=0)
    which, yours, ours = next(
        (name, a, b)
        for name, a, b in zip(("layer", "decoder layer"), got, truth, strict=True)
        if a != b
    )
    return f"{start}, {which}: you count {yours:,}, and the tensors have {ours:,}."


FORGOTTEN = {
    "the biases of the linear layers are missing.": {"biases": (0, 0)},
    "the biases of the attention are missing.": {"biases": (0, 1)},
    "the biases of the feed-forward part are missing.": {"biases": (1, 0)},
    "the layer norms are missing; each has two vectors.": {"norms": 0},
    "a layer norm has two vectors, not one.": {"norms": 0.5},
    "the biases and the layer norms are missing.": {"biases": (0, 0), "norms": 0},
    "the second attention is followed by a norm of its own.": {"third": 0},
    "the linear layer that joins the heads is missing.": {"linears": 3},
    "the feed-forward part need not be four times as wide as the hidden size: see "
    "intermediate_size.": {"four_times": True},
}


def _formula(
    hidden, wide, n, biases=(1, 1), norms=1, third=1, linears=4, four_times=False
):
    """Parameters of a layer with n attentions, with something forgotten."""
    wide = 4 * hidden if four_times else wide
    linear = hidden * hidden + biases[0] * hidden
    total = n * linears * linear + 2 * hidden * wide + biases[1] * (wide + hidden)
    return total + int(norms * 2 * hidden * (2 + (n - 1) * third))


def check_2(answer):
    """A function: x (batch, n, hidden), state_dict of a BertLayer, heads -> x."""
    a_function(answer, "encoder_layer")
    generator = torch_rng(4)
    bert = load_bert()
    layers = [(_random_layer(size, generator), size[1], 1) for size in TINY]
    quiet = _random_layer(TINY[0], generator, 1e-3)  # where the norms' eps shows
    layers += [
        (quiet, TINY[0][1], 1e-3),
        (bert.model.encoder.layer[0], bert.n_heads, 1),
    ]
    for layer, n_heads, scale in layers:
        weights = {key: value.cpu() for key, value in layer.state_dict().items()}
        hidden = weights["output.dense.bias"].numel()
        x = scale * torch.randn(2, 5, hidden, generator=generator)
        with torch.inference_mode():
            truth = layer(x.to(next(layer.parameters()).device)).cpu()
        hint = "Return one tensor of the shape of x."
        result = _without_modules(answer, x, weights, n_heads)
        got = an_array(result, x.shape, "The output", hint=hint)
        _compare_states(torch.from_numpy(got).float(), truth, x, weights, n_heads)
    return "Equal to transformers' own layer, with random weights and this model's."


def _without_modules(answer, *arguments):
    try:
        with without("torch._wrapped_call_impl"):
            return answer(*arguments)
    except NotYet as problem:
        if "_wrapped_call_impl" not in str(problem):
            raise
        raise NotYet(
            "Your function runs a module; this exercise asks for functions on the "
            "weights, such as F.linear(x, weight, bias)."
        ) from None


def _compare_states(got, truth, x, weights, n_heads):
    if torch.allclose(got, truth, atol=5e-5, rtol=1e-5):
        return
    slips = (
        (message, _layer(x, weights, n_heads, slip)) for slip, message in SLIPS.items()
    )
    name_mistake(got, slips, atol=5e-5)
    raise NotYet(
        f"For hidden size {x.shape[-1]} and {n_heads} heads the output differs from "
        f"that of transformers by up to {(got - truth).abs().max():.2g}. Compare step "
        "by step with the figure of the layer."
    )


TINY = ((24, 4, 40), (16, 1, 64), (20, 5, 30))  # hidden size, heads, feed-forward
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
    "no root": "The scores are divided by the width of a head itself, not by its root.",
    "of Base": "The scores are divided by 8, the root of 64. So wide are the heads of "
    "Base; these have another width.",
    "no norm": "There is no layer norm.",
    "first norm": "There is no norm after attention.",
    "second norm": "There is no norm after the feed-forward part.",
    "norms exchanged": "The two norms are exchanged: attention.output.LayerNorm "
    "follows attention.",
    "reshaped": "The heads were cut with a reshape alone: without a transpose a head "
    "holds all of the first places, not a share of every place.",
    "joined": "The heads were joined with a reshape alone: bring their axis back "
    "behind the places first.",
    "eps": "For a quiet input this is a layer norm with eps=1e-5, PyTorch's default; "
    "BERT's is 1e-12.",
}


def _random_layer(size, generator, scale=0.8):
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
            parameter.normal_(0, scale, generator=generator)
    return layer


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
        if slip in (
            "no norm",
            {"attention.output": "first norm"}.get(name, "second norm"),
        ):
            return x
        if slip == "norms exchanged":
            name = {"output": "attention.output"}.get(name, "output")
        scale, shift = weights[f"{name}.LayerNorm.weight"], f"{name}.LayerNorm.bias"
        eps = 1e-5 if slip == "eps" else 1e-12
        return F.layer_norm(x, x.shape[-1:], scale, weights[shift], eps)

    def attend(x):
        heads = 1 if slip == "one head" else n_heads
        parts = (
            dense(f"attention.self.{name}", x) for name in ("query", "key", "value")
        )
        q, k, v = (_cut(part, heads, slip) for part in parts)
        width = q.shape[-1]
        widths = {"unscaled": 1, "hidden": x.shape[-1], "no root": width**2}
        width = (widths | {"of Base": 64}).get(slip, width)
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
    start, kept = x, slip not in ("no residual", "first residual")
    x = norm("attention.output", attend(x) + (x if kept else 0))
    kept = slip not in ("no residual", "second residual")
    added = start if slip == "wrong branch" else x
    return norm("output", feed_forward(x) + (added if kept else 0))


def check_3(answer, budget=BUDGET):
    """A dict: the four sizes of the deepest BERT within the budget, and its count."""
    keys = (*SIZES, "parameters")
    hidden, heads, wide, layers, given = (
        _a_count(value, key)
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
        raise NotYet(f"{layers} layers cannot fit into {_millions(budget)} parameters.")
    count = _count_bert(hidden, heads, wide, layers)
    if count > budget:
        raise NotYet(
            f"Transformers counts {count:,} parameters in this model, more than "
            f"{_millions(budget)}. Embeddings and pooler count too."
        )
    if given != count:
        raise NotYet(
            f"These sizes fit, but parameters is {given:,}, and transformers counts "
            f"{count:,}."
        )
    if layers < _deepest(budget):
        raise NotYet(
            f"It fits with {count:,} parameters, and a deeper one would fit too. Is "
            "each layer as cheap as it may be, and is the budget used up?"
        )
    return f"{layers} layers of {hidden}: no deeper one fits the rules."


@cache
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


def _millions(budget):
    return f"{budget // 10**6} million"


def _deepest(budget):
    """The largest number of layers that the rules of exercise 3 allow."""
    depths = []
    for hidden in range(256, 1025, 64):
        none, one = (_count_bert(hidden, hidden // 64, 2 * hidden, n) for n in (0, 1))
        depths.append((budget - none) // (one - none))
    return max(depths)
