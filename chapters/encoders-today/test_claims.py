"""What the chapter claims: its formulas, its loss, its baselines and its verdicts."""

import time
from types import SimpleNamespace

import numpy as np
import pytest
import torch
import torch.nn.functional as F
import transformers
from torch.utils.flop_counter import FlopCounterMode

# Published or made-up figures that the text holds.
TYPED = "4.1"


@pytest.fixture
def lifted(cells, bert):
    """The functions and the two small networks that the chapter defines, by name."""
    names = {"torch": torch, "F": F, "transformers": transformers, "time": time}
    names |= {"FlopCounterMode": FlopCounterMode}
    names["bert"] = SimpleNamespace(
        tokenizer=bert.tokenizer, device=torch.device("cpu")
    )
    names["ids"] = torch.randint(1000, 9000, (16, 24))
    names["batch"] = SimpleNamespace(attention_mask=torch.ones_like(names["ids"]))
    return cells.defined("shape", "networks", **names)


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
    assert lifted["gated_size"](50_368, 768, 22, 1152) == 149_014_272
    assert lifted["gated_size"](256_000, 768, 22, 1152) == 306_939_648  # mmBERT


@pytest.mark.parametrize("layers", [1, 3])
def test_the_second_formula_counts_small_encoders_too(lifted, layers):
    shape = dict(hidden_size=24, num_hidden_layers=layers, num_attention_heads=4)
    shape |= dict(intermediate_size=56, vocab_size=100, pad_token_id=0)
    size = lifted["gated_size"](100, 24, layers, 56)
    config = transformers.ModernBertConfig(**shape)
    assert size == counted(transformers.ModernBertModel, config)
    config = transformers.LlamaConfig(**shape)
    assert size == counted(transformers.LlamaModel, config)


def test_sharing_saves_parameters_and_no_multiplications(lifted):
    counts = [lifted["multiplications"](n) for n in lifted["networks"].values()]
    assert counts[0] == pytest.approx(counts[1], rel=0.02)
    acts = {n.config.hidden_act for n in lifted["networks"].values()}
    assert acts == {"gelu"}  # the same program in both


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


def test_a_race_takes_turns_and_waits_for_the_device(lifted, monkeypatch):
    queue, calls, read = [], [], []
    lifted["bert"].device = SimpleNamespace(type="cuda")
    monkeypatch.setattr(torch.cuda, "synchronize", queue.clear)
    clock = SimpleNamespace(perf_counter=lambda: read.append(len(queue)) or len(read))
    lifted["time"] = clock

    def way(name):
        return lambda: (queue.append(name), calls.append(name))

    seconds = lifted["race"]({name: way(name) for name in "ab"}, rounds=2)
    assert "".join(calls) == "ababab"  # the first turn warms up
    assert set(read) == {0} and [len(s) for s in seconds.values()] == [2, 2]


@pytest.mark.parametrize(
    ("bert", "albert", "words"),
    [
        ([2, 2.1, 2], [1, 1, 1.1], "ALBERT was faster here, at 1.97 times"),
        ([1, 1, 1.1], [2, 2.1, 2], "ALBERT was slower here, at 0.51 times"),
        ([1, 2, 1], [2, 1, 2], "in 3 rounds neither was the faster"),
    ],
)
def test_albert_may_be_faster_or_slower(cells, bert, albert, words):
    times = {"BERT": bert, "ALBERT": albert}
    said = cells.glued('glue("albert_time"', times=times)
    assert said["albert_time"].startswith(words)


@pytest.mark.parametrize(
    ("end", "hits", "words"),
    [
        (1, [1, 1, 1, 1, 1, 1, 1, 1], ("it came nearer", "more often")),
        (3, [0, 0, 0, 0, 0, 0, 0, 0], ("it went away", "less often")),
        (2, [1, 0, 0, 0, 1, 1, 1, 0], ("no movement", "do not prove")),
    ],
)
def test_a_student_may_come_nearer_or_not(cells, end, hits, words):
    noise = np.tile([0.0, 0.1], 4)
    before = np.array([0, 0, 0, 0, 1, 1, 1, 1]) if end == 2 else 1 - np.array(hits)
    targets = torch.eye(8, dtype=torch.bool)  # a target a sentence
    said = cells.glued('glue("kl_moved"', targets=targets, held_out=slice(0, 8),
        losses=[2 + noise, end + noise[::-1]], same=[before, np.array(hits)],
    )  # fmt: skip
    assert said["kl_moved"].startswith(words[0])
    assert words[1] in said["same_moved"]


@pytest.mark.parametrize(
    ("reranked", "gain", "rest"),
    [
        (0.9, "found more right answers than", "is ahead even of"),
        (0.1, "found fewer right answers than", "is behind"),
        (0.5, "cannot be told from", "cannot be told from"),
    ],
)
def test_re_ranking_may_gain_or_lose(cells, reranked, gain, rest):
    noise = np.tile([0.0, 0.1, -0.1], 4)
    rows = SimpleNamespace(word=np.repeat(list("abcdef"), 2))
    results = {"words": 0.5 + noise, "re": reranked + noise[::-1], "all": 0.5 + noise}
    said = cells.glued('glue("rerank_gain"', rows=rows, results=results)
    assert said["rerank_gain"].startswith(gain)
    assert said["rerank_all"].startswith(rest)
