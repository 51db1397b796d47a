"""The BERT written in the chapter, held against transformers, and its counts."""

import re
from functools import partial
from unittest import mock

import pytest
import torch
from transformers import BertConfig, BertModel
from transformers.models.bert.modeling_bert import BertLayer

from chapters.architecture.linked import LAYER

# Published or made-up figures that the text holds.
TYPED = "0.5 0.6 3.2"


@pytest.fixture(scope="module")
def chapter(cells):
    return cells.defined("OUR_NAMES", bert=mock.Mock(n_heads=4))


def config(**changes):
    sizes = {
        "vocab_size": 50,
        "hidden_size": 24,
        "num_hidden_layers": 3,
        "num_attention_heads": 4,
        "intermediate_size": 40,
        "max_position_embeddings": 20,
    }
    return BertConfig(**sizes | changes, attn_implementation="eager")


def randomized(module):
    torch.manual_seed(8)
    with torch.no_grad():
        for parameter in module.parameters():  # biases and norms too
            parameter.normal_(0, 0.3)
    return module.eval()


def renamed(chapter, module, prefix=""):
    return {
        chapter["our_name"](prefix + name)[len(chapter["our_name"](prefix)) :]: tensor
        for name, tensor in module.state_dict().items()
    }


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"hidden_size": 6, "num_attention_heads": 1, "intermediate_size": 5},
        {"num_hidden_layers": 1, "num_attention_heads": 24, "type_vocab_size": 3},
        {"layer_norm_eps": 0.1},
    ],
)
def test_the_stack_equals_transformers(chapter, changes):
    theirs = randomized(BertModel(config(**changes)))
    ours = chapter["Encoder"](theirs.config).eval()
    ours.load_state_dict(renamed(chapter, theirs))
    batch = {
        "input_ids": torch.randint(1, 50, (3, 9)),
        "token_type_ids": torch.tensor([[0] * 5 + [1] * 4] * 3),
        "attention_mask": (torch.arange(9) < torch.tensor([[9], [6], [2]])).long(),
    }
    with torch.no_grad():
        states, pooled = ours(**batch)
        run = theirs(**batch, output_hidden_states=True)
    assert len(states) == theirs.config.num_hidden_layers + 1
    for our_state, their_state in zip(states, run.hidden_states, strict=True):
        torch.testing.assert_close(our_state, their_state, atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(pooled, run.pooler_output, atol=1e-5, rtol=1e-5)


@pytest.fixture
def layers(chapter):
    """Our layer and transformers' with the same random weights, an x and a mask."""
    theirs = randomized(BertLayer(config()))
    ours = chapter["EncoderLayer"](theirs.attention.self.config).eval()
    ours.load_state_dict(renamed(chapter, theirs, "encoder.layer.0."))
    mask = torch.arange(7) < torch.tensor([[7], [3]])
    return ours, theirs, torch.randn(2, 7, 24), mask[:, None, None, :]


def where(mask):
    """The mask as transformers adds it to the scores."""
    return torch.where(mask, 0.0, torch.finfo(torch.float32).min)


@pytest.fixture
def page(cells, bert):
    """The layer with its settings and the slips, as the page defines them."""
    return cells.defined("written_layer", "SLIPS", bert=bert)


def written(page, settings):
    """The page's layer with a slip, for small weights of four heads."""
    halved = {"n_heads": 2} if "n_heads" in settings else {"n_heads": 4}
    return partial(page["written_layer"], **settings | halved)


@torch.no_grad()
def test_the_lines_at_the_top_are_a_layer_of_transformers(layers):
    _, theirs, x, mask = layers
    names = {"torch": torch}
    names["heads"] = lambda t: t.unflatten(-1, (4, -1)).transpose(1, 2)
    exec(LAYER, names)
    torch.testing.assert_close(
        names["bert_layer"](theirs, x, mask),
        theirs(x, where(mask)),
        atol=1e-5,
        rtol=1e-5,
    )


@torch.no_grad()
@pytest.mark.parametrize("part", ["attention.output.dense", "output.dense"])
def test_without_a_residual_what_a_part_drops_is_lost(page, layers, part):
    _, theirs, x, mask = layers
    linear = theirs.get_submodule(part)
    linear.weight.zero_(), linear.bias.zero_()
    other = x + x**2
    lost, kept = written(page, page["SLIPS"]["no residual"]), written(page, {})
    torch.testing.assert_close(lost(theirs, x, mask), lost(theirs, other, mask))
    assert not torch.allclose(kept(theirs, x, mask), kept(theirs, other, mask))


@torch.no_grad()
def test_the_other_wirings_give_x_its_own_way(page, layers):
    _, theirs, x, mask = layers
    for linear in (theirs.attention.output.dense, theirs.output.dense):
        linear.weight.zero_(), linear.bias.zero_()
    slips = {name: written(page, settings) for name, settings in page["SLIPS"].items()}
    torch.testing.assert_close(slips["norm first"](theirs, x, mask), x)
    torch.testing.assert_close(
        slips["second sum from x"](theirs, x, mask), theirs.output.LayerNorm(x)
    )


def test_the_first_loss_judges_the_hidden_word_alone(cells, tiny):
    names = cells.run("labels = torch.where", torch=torch, bert=tiny)
    [hidden] = names["is_mask"].nonzero().tolist()
    scored = names["outputs"]["BertForMaskedLM"]
    log_p = scored.logits[tuple(hidden)].log_softmax(dim=-1)
    expected = -log_p[tiny.tokenizer.convert_tokens_to_ids("cat")]
    torch.testing.assert_close(scored.loss, expected)


BASE = {}
LARGE = {
    "num_hidden_layers": 24,
    "hidden_size": 1024,
    "num_attention_heads": 16,
    "intermediate_size": 4096,
}


@pytest.mark.parametrize(
    ("changes", "published"), [(BASE, 109_482_240), (LARGE, 335_141_888)]
)
def test_counts_of_base_and_large(chapter, chapter_text, changes, published):
    parts = chapter["parameters"](BertConfig(**changes))
    assert sum(parts.values()) == published
    assert f"{published:,}" in chapter_text()


@pytest.mark.parametrize(
    "changes",
    [
        {"vocab_size": 77, "max_position_embeddings": 31, "type_vocab_size": 5},
        {"hidden_size": 60, "num_attention_heads": 5, "num_hidden_layers": 0},
        {"hidden_size": 60, "num_attention_heads": 3, "intermediate_size": 7},
    ],
)
def test_parts_add_up_to_what_transformers_builds(chapter, changes):
    with torch.device("meta"):
        model = BertModel(BertConfig(**changes))
    count = {name: tensor.numel() for name, tensor in model.named_parameters()}
    parts = chapter["parameters"](model.config)
    assert sum(parts.values()) == sum(count.values())
    belongs = {
        "word embeddings": "word_embeddings",
        "position embeddings": "position_embeddings",
        "segment embeddings": "token_type_embeddings",
        "attention": r"attention.*(query|key|value|dense)",
        "feed-forward": r"(intermediate|\d\.output)\.dense",
        "layer norms": "LayerNorm",
        "pooler": "pooler",
    }
    for part, pattern in belongs.items():
        named = sum(n for name, n in count.items() if re.search(pattern, name))
        assert parts[part] == named, part
