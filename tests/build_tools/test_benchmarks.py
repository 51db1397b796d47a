"""The benchmarks compare like with like: same words, same vectors, counted work."""

import numpy as np
import pandas as pd
import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from benchmarks import common, embedding, engines
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
    embedding.main(["--sentences", "12", "--rounds", "2", "--out", str(out)])
    by = ["vectors", "way", "dtype"]
    table = pd.read_csv(out, comment="#").set_index(by)
    kept = pd.read_csv(DATA / "results/embedding-speed.csv", comment="#").set_index(by)
    assert list(table) == list(kept)
    left_out = {way for _, way, _ in set(kept.index) - set(table.index)}
    assert left_out <= {"fastembed", "OpenVINO", "PyTorch, torch.compile"}
    programs = table.dropna(subset="cosine_min").cosine_min
    exact, half, small = (
        programs.xs(dtype, level="dtype") for dtype in ("float32", "bfloat16", "int8")
    )
    for kind in ("word", "mean"):
        assert len(exact[kind]) >= 6 and len(half[kind]) >= 5
    assert exact.min() > 0.99999 and 0.999 < half.min() < 0.99999
    assert 0.5 < small.min() and small.max() < 0.9999  # it did quantize
    alone = table.loc["mean"].dropna(subset="ms_p50")
    assert len(alone) == len(programs["mean"]) and (alone.ms_p50 <= alone.ms_p95).all()
    assert np.ptp(alone.spearman.xs("float32", level="dtype")) < 1e-3
    assert "12 sentences of the sample" in capsys.readouterr().out


def test_rows_that_are_lost_doubled_moved_or_scaled_are_seen(tiny, tmp_path):
    texts = ["the crane", "rose over", "a river bank", "and nobody looked up"]
    places = engines.write_rows(tmp_path / "texts.parquet", texts)
    read = engines.texts_in(tmp_path / "texts.parquet")
    assert len(read) == 7 and read[places["empty"]] == ""
    wanted = engines.references(tiny, read)
    assert set(wanted["mean"]) == set(range(7)) - {
        places["empty"],
        places["half a character"],
    }
    bad = pd.DataFrame({"row": [places["empty"]], "reason": ["is empty"]})

    def found(kind, change=lambda table: table):
        rows = wanted[kind]
        table = pd.DataFrame({"row": list(rows), "vector": list(rows.values())})
        return engines.judged(pd.concat([change(table), bad]), wanted, places)

    whole = found("mean")
    assert whole["vectors"] == 5 and whole["set aside"] == 1
    assert (whole["lost"], whole["doubled"], whole["difference"]) == (0, 0, 0)
    assert found("cls")["pooling"] == "cls"
    lost = found("mean", lambda table: pd.concat([table[1:], table[-2:]]))
    assert (lost["lost"], lost["doubled"]) == (1, 2)
    moved = found("mean", lambda table: table.assign(row=table.row[::-1].tolist()))
    assert moved["difference"] > 0.01
    norms = np.linalg.norm(list(wanted["mean"].values()), axis=1)
    assert whole["longest"] == pytest.approx(norms.max())


def test_the_page_prints_the_lines_that_the_benchmark_runs():
    lines = engines.listings()
    for part in lines.values():
        compile(part, "page", "exec")
    assert "ray.init(num_cpus=2)" in lines["Ray Data"]
