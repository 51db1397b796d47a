"""What the chapter claims: its formulas, its loss and its baselines."""

import pytest
import torch
import torch.nn.functional as F
import transformers


@pytest.fixture
def lifted(chapter_cells):
    """The functions that the chapter defines, by name."""
    names = {"torch": torch, "F": F, "transformers": transformers}
    for cell in chapter_cells():
        if cell.source.startswith(("def encoder_size", "def deberta_size")):
            exec(cell.source, names)
        if "def soft_loss" in cell.source:
            exec(cell.source[cell.source.index("def soft_loss") :], names)
    return names


def counted(kind, config):
    with torch.device("meta"):
        return sum(p.numel() for p in kind(config).parameters())


@pytest.mark.parametrize("layers", [1, 3])
def test_the_formula_counts_small_encoders_too(lifted, layers):
    shape = dict(hidden_size=24, num_hidden_layers=layers, num_attention_heads=4)
    shape |= dict(intermediate_size=56, vocab_size=100, max_position_embeddings=30)
    size = lifted["encoder_size"]
    config = transformers.BertConfig(**shape)
    assert size(100, 24, layers, 56, 30) == counted(transformers.BertModel, config)
    config = transformers.AlbertConfig(embedding_size=8, **shape)
    assert size(100, 24, layers, 56, 30, embedding=8, shared=True) == counted(
        transformers.AlbertModel, config
    )
    config = transformers.ElectraConfig(embedding_size=8, **shape)
    assert size(100, 24, layers, 56, 30, embedding=8, pooler=False) == counted(
        transformers.ElectraModel, config
    )


def test_the_published_sizes(lifted):
    size = lifted["encoder_size"]
    assert size(30_522) == 109_482_240
    assert size(30_522, 1024, 24, 4096) == 335_141_888
    assert size(30_000, embedding=128, shared=True) == 11_683_584
    assert lifted["modernbert_size"](50_368, 768, 22, 1152) == 149_014_272


def test_the_soft_loss_is_the_divergence_from_the_teacher(lifted):
    student, teacher = torch.randn(2, 5, 9, generator=torch.Generator().manual_seed(0))
    p, q = (teacher / 2).softmax(-1), (student / 2).softmax(-1)
    wanted = 4 * (p * (p / q).log()).sum() / 5
    assert torch.isclose(lifted["soft_loss"](student, teacher), wanted)
    assert lifted["soft_loss"](teacher, teacher).abs() < 1e-6
