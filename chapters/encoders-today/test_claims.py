"""What the chapter claims: its formulas, its loss, its positions and its costs."""

from types import SimpleNamespace

import numpy as np
import pytest
import torch
import transformers
from torch.utils.flop_counter import FlopCounterMode

from chapters.encoders_today import costs, reading

# Published or made-up figures that the text holds.
TYPED = "97 40 60 15 64 560 32,000"


@pytest.fixture(scope="module")
def lifted(cells, bert):
    """The functions and the two small networks that the chapter defines, by name."""
    names = {"torch": torch, "T": transformers}
    names |= {"FlopCounterMode": FlopCounterMode, "texts": ["a river bank"] * 20}
    names["bert"] = SimpleNamespace(
        tokenizer=bert.tokenizer, device=torch.device("cpu"), model=bert.model
    )
    return cells.defined("shape", "networks", **names)


def test_base_has_as_many_weights_as_the_layers_of_bert():
    with torch.device("meta"):
        layers = transformers.BertModel(transformers.BertConfig()).encoder
    assert costs.BASE == sum(p.numel() for p in layers.parameters())


@pytest.mark.parametrize("pieces", [40, 200])
def test_local_layers_need_the_scores_that_modernbert_computes(lifted, pieces):
    config = transformers.ModernBertConfig(
        hidden_size=16, num_hidden_layers=4, num_attention_heads=2,
        intermediate_size=8, vocab_size=100, pad_token_id=0,
        attn_implementation="eager",
    )  # fmt: skip
    model = transformers.ModernBertModel(config).eval()
    ids = torch.randint(3, 100, (1, pieces))
    with torch.no_grad():
        maps = model(ids, output_attentions=True).attentions
    used = sum(int((layer[0, 0] > 0).sum()) for layer in maps)
    share = lifted["scores_left"](pieces, layers=4)
    assert share == pytest.approx(used / (4 * pieces**2))


def test_the_soft_loss_is_the_divergence_from_the_teacher(lifted):
    student, teacher = torch.randn(2, 5, 9, generator=torch.Generator().manual_seed(0))
    p, q = (teacher / 2).softmax(-1), (student / 2).softmax(-1)
    wanted = 4 * (p * (p / q).log()).sum(-1)
    assert torch.allclose(lifted["soft_losses"](student, teacher), wanted, atol=1e-6)
    assert lifted["soft_losses"](teacher, teacher).abs().max() < 1e-6


def test_padding_costs_as_much_as_what_is_read(bert):
    class Reader:
        def __call__(self, ids, attention_mask):
            read.append((ids.numel(), int(attention_mask.sum())))

    read, texts = [], ["a bank"] * 3 + ["a river bank and a bank of money"]
    reading.read(bert, texts, Reader(), size=2)
    real, computed = reading.pieces(bert, texts, size=2)
    assert (computed, real) == tuple(map(sum, zip(*read, strict=True)))
    assert len(read) == 2 and real == 3 * 4 + 10 and computed == 2 * 4 + 2 * 10


@pytest.mark.parametrize("padding", [0, 0.4])
@pytest.mark.parametrize("again", [0, 105])
def test_the_formula_of_the_page_is_that_of_the_calculator(lifted, padding, again):
    case = 1e6, 24.8, 10_646_784, 2.1e10, padding, again
    assert lifted["hours"](*case) == pytest.approx(costs.hours(*case))


def test_sinusoids_follow_the_formula_and_one_matrix_shifts_them(lifted):
    rows = lifted["sinusoids"](60, 16)
    assert rows[7, 4] == pytest.approx(np.sin(7 / 10_000 ** (4 / 16)))
    assert rows[7, 5] == pytest.approx(np.cos(7 / 10_000 ** (4 / 16)))
    places = lifted["sinusoids"](1000, 64)
    table = np.random.default_rng(0).normal(size=(1000, 64))  # as if learned
    for rows, least, most in ((places, 0, 1e-9), (table, 1, np.inf)):
        matrix, *_ = np.linalg.lstsq(rows[:-7], rows[7:], rcond=None)
        assert least <= np.abs(rows[:-7] @ matrix - rows[7:]).max() < most
