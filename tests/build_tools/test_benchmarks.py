"""The benchmarks compare like with like: same words, same vectors, counted work."""

import numpy as np
import pandas as pd
import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from benchmarks import common, embedding, embedding_job
from helpers import DATA
from helpers.models import load_bert


@pytest.fixture
def tiny(tiny_bert_folder, monkeypatch):
    monkeypatch.setenv("COARSE_WSD_HOME", "sample")
    monkeypatch.setenv("BERT_COURSE_MODEL", str(tiny_bert_folder))
    return load_bert(tiny_bert_folder, "cpu")


def test_counted_products_are_those_of_the_linear_maps(tiny):
    run, flop = common.products(tiny.model, 48)
    with FlopCounterMode(display=False) as counted:
        run()
    assert counted.get_total_flops() == flop
    with torch.inference_mode(), FlopCounterMode(display=False) as whole:
        tiny.model.encoder(torch.zeros(48, 1, 32))  # one piece a text: no square
    assert whole.get_total_flops() - flop == 2 * 2 * 2 * 48 * 32  # 2 layers


@pytest.mark.weekly
def test_every_way_gives_the_vectors_of_the_loop(bert, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("COARSE_WSD_HOME", "sample")
    monkeypatch.setattr(embedding, "load_bert", lambda: bert)
    pairs = embedding.graded_pairs().head(20)
    monkeypatch.setattr(embedding, "graded_pairs", lambda: pairs)
    out = tmp_path / "speed.csv"
    embedding.main(["--sentences", "12", "--rounds", "1", "--out", str(out)])
    table = pd.read_csv(out, comment="#").set_index("way")
    kept = pd.read_csv(DATA / "results" / "embedding-speed.csv", comment="#")
    left_out = set(kept.way) - set(table.index)  # what this machine has no program for
    assert left_out <= {embedding.MEANS, "PyTorch, torch.compile"}
    assert list(table.index) == [way for way in kept.way if way not in left_out]
    assert list(table.reset_index().columns) == list(kept.columns)
    whole = table.loc[:"embed_words, bfloat16"]
    exact = whole.drop(["embed_words, bfloat16", "ONNX Runtime, int8"])
    assert len(exact) >= 8 and exact.cosine_min.min() > 0.99999
    assert np.ptp(exact.spearman) < 1e-3 and (whole.ms_p50 <= whole.ms_p95).all()
    assert 0.5 < table.cosine_min["ONNX Runtime, int8"] < 0.9999  # it did quantize
    assert "12 sentences of the sample" in capsys.readouterr().out


@pytest.mark.weekly
def test_a_job_that_is_killed_is_measured_shard_by_shard(tiny, tmp_path, capsys):
    out = tmp_path / "job.csv"
    size = ["--texts", "60", "--shard", "6", "--kills", "1"]
    embedding_job.main([*size, "--out", str(out)])
    said = out.read_text()
    assert "0 lost, 0 doubled" in said and "killed 1 times" in said
    kept = pd.read_csv(out, comment="#")
    assert sorted(kept.shard) == list(range(10)) and set(kept.run) <= {1, 2}
    assert kept.texts.sum() == 60 and (kept.rate > 0).all()
    gap = float(said.split("from the loop on 60 texts: ")[1].split()[0])
    assert gap < 1e-5
