"""What the chapter claims: same order, same vectors, and races run in turns."""

import re
import warnings

import numpy as np
import pandas as pd
import pytest
import torch

from helpers import DATA
from helpers.exercises import check
from helpers.exercises.chapters import chapter_named

PAGE = chapter_named("scaling").page


@pytest.fixture(scope="module")
def lifted(cells, tiny):
    """The functions and scripts that the chapter defines, on a random model."""
    return cells.defined(bert=tiny)


@pytest.fixture(scope="module")
def rows():
    """Piece ids of unequal length in no order."""
    rng = np.random.default_rng(0)
    return [rng.integers(1000, 9000, n).tolist() for n in rng.integers(4, 60, 21)]


@pytest.mark.parametrize(
    ("way", "bound"), [("as_given", 4), ("by_length", 4), ("by_pieces", 130)]
)
def test_every_batching_gives_the_vectors_of_the_loop_in_order(
    lifted, rows, way, bound
):
    bert = lifted["bert"]
    with torch.inference_mode():
        loop = [
            bert.model(torch.tensor([row])).last_hidden_state[0].mean(0).numpy()
            for row in rows
        ]
    batches = lifted[way](rows, bound)
    assert sorted(place for batch in batches for place in batch) == list(range(21))
    assert np.allclose(lifted["in_batches"](rows, batches), loop, atol=1e-5)


def test_batches_by_pieces_keep_to_the_bound(lifted, rows):
    assert len(lifted["by_pieces"](rows, 10**6)) == 1
    for batch in lifted["by_pieces"](rows, 130):
        assert len(batch) * max(len(rows[place]) for place in batch) <= 130
    alone = lifted["by_pieces"](rows, 1)
    assert [len(batch) for batch in alone] == [1] * 21


@pytest.mark.parametrize("cut", ["the rest first", "alike in size"])
def test_batches_that_are_not_full_are_refused(cut):
    def run(function, rows, size):
        order = np.argsort([-len(row) for row in rows], kind="stable")
        if cut == "the rest first":
            parts = np.split(order, range(len(rows) % size, len(rows), size))
        else:
            parts = np.array_split(order, -(-len(rows) // size))
        parts = [part for part in parts if len(part)]
        lines = np.concatenate([function([rows[i] for i in part]) for part in parts])
        return lines[np.argsort(order)]

    assert not check("scaling.2", run).passed


def test_the_ways_take_turns_after_a_warm_up(lifted, rows):
    calls = []
    ways = {name: lambda rows, n=name: calls.append((n, len(rows))) for name in "ab"}
    seconds, _ = lifted["race"](ways, rows, rounds=2)
    assert [n for n, _ in calls] == list("ababab")
    assert [count for _, count in calls] == [4, 4, 21, 21, 21, 21]
    assert [len(times) for times in seconds.values()] == [2, 2]


def test_the_share_of_attention_counts_multiplications(lifted):
    """n / (2h + f + n) against torch's own count for one layer."""
    from torch.utils.flop_counter import FlopCounterMode

    bert, n = lifted["bert"], 48
    size, wide = bert.hidden_size, bert.model.config.intermediate_size
    layer = bert.model.encoder.layer[0]
    with torch.inference_mode(), FlopCounterMode(display=False) as counter:
        layer(torch.zeros(1, n, size))
    square = 2 * n * n * size
    counted = counter.get_total_flops() / 2
    assert square / counted == pytest.approx(n / (2 * size + wide + n))


def test_a_race_waits_for_the_device_before_it_reads_the_clock(lifted, monkeypatch):
    """A device that queues: the clock must not be read while work is left."""
    queue, waits, read = [], [], []
    device = type("Device", (), {"type": "cuda"})()
    monkeypatch.setitem(lifted, "bert", type("Bert", (), {"device": device})())

    def synchronize():
        waits.append(len(queue))
        queue.clear()

    monkeypatch.setattr(torch.cuda, "synchronize", synchronize)
    monkeypatch.setattr(
        lifted["time"], "perf_counter", lambda: read.append(len(queue)) or len(read)
    )
    lifted["race"]({"queued": queue.append}, [1, 2, 3], rounds=3)
    assert read == [0] * 6 and waits == [1, 1, 0, 1, 0, 1]
    device.type = "cpu"
    lifted["race"]({"done": lambda rows: None}, [1, 2, 3], rounds=3)
    assert len(waits) == 6


def test_the_printed_lines_for_onnx_runtime_give_the_vectors_of_the_loop(
    tiny, tmp_path, monkeypatch
):
    pytest.importorskip("onnxruntime", reason="requirements-test.txt brings it")
    monkeypatch.chdir(tmp_path)
    [lines] = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.S)
    names = {"bert": tiny, "torch": torch}
    with warnings.catch_warnings():  # of the exporter, about what it fixes
        warnings.simplefilter("ignore")
        exec(lines, names)
    for text in ("A cat.", "The crane rose over a river bank, and over a bank."):
        with torch.inference_mode():
            states = tiny.model(**tiny.encode(text)).last_hidden_state[0]
        found = names["embed_one"](text)
        np.testing.assert_allclose(found, states.mean(dim=0), atol=1e-5)


def test_kept_table_is_of_programs_that_compute_the_same():
    """In both number types, and but for 8 bits, and for bfloat16 a little."""
    speed = pd.read_csv(DATA / "results/embedding-speed.csv", comment="#")
    for name, low, high in (
        ("ratio", "lowest", "highest"),
        ("ours", "ours_lowest", "ours_highest"),
    ):
        assert (speed[low] <= speed[name]).all() and (speed[name] <= speed[high]).all()
    programs = speed.dropna(subset="cosine_min").set_index(["vectors", "way", "dtype"])
    exact, half, eight = (
        programs.xs(dtype, level="dtype") for dtype in ("float32", "bfloat16", "int8")
    )
    assert set(half.index) < set(exact.index)  # who can, in both
    assert len(half.loc["mean"]) == len(half.loc["word"]) == 8
    assert exact.cosine_min.min() > 0.999999
    assert 0.999 <= half.cosine_min.min() and half.cosine_min.max() < 0.999999
    assert eight.cosine_min.max() < 0.999
    alone = programs.loc["mean"]
    assert np.ptp(alone.spearman.xs("float32", level="dtype")) < 1e-4
    assert (alone.ms_p50 <= alone.ms_p95).all()
