"""What the chapter claims: same order, same vectors, and races that may go any way."""

import numpy as np
import pandas as pd
import pytest
import torch

from helpers import DATA
from tests.lifted import three

# Published or made-up figures that the text holds.
TYPED = "0.9999"


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


def test_sorting_computes_fewer_places(lifted, rows):
    places = [lifted["cells"](rows, lifted[w](rows)) for w in ("by_length", "as_given")]
    assert sum(map(len, rows)) < places[0] < places[1]


def test_only_gradients_keep_memory(lifted, rows):
    model = lifted["bert"].model
    with torch.inference_mode():
        assert lifted["bytes_kept"](model, rows[:3]) == 0
    model.requires_grad_(True)
    kept = [lifted["bytes_kept"](model, rows[:n]) for n in (1, 5)]
    model.requires_grad_(False)
    assert kept[1] > 2 * kept[0] > 0


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


def rounds(*medians):
    """Seconds of five rounds for ways with such medians, each a little shaken."""
    shake = 1 + 0.01 * np.array([-1, 1, 0, 2, -2])
    return {
        str(i): list(median * np.roll(shake, i)) for i, median in enumerate(medians)
    }


NAMES = {"np": np, "pd": pd}


@pytest.mark.parametrize(
    ("part", "name"),
    [
        ('"inference"', "inference"),
        ('"batches"', "batches"),
        ('"sorting"', "sorting"),
        ('"half_speed"', "half_speed"),
    ],
)
def test_a_race_may_go_three_ways(lifted, cells, part, name):
    names = {**NAMES, **{k: lifted[k] for k in ("turns", "against")}}
    names |= {"compare": lifted["compare"], "advice": "float32"}

    def say(seconds):
        return cells.glued(f"glue({part}", **{**names, "seconds": seconds})

    assert say(rounds(2, 1))[name] == "2.0 times as fast"
    assert say(rounds(1, 2))[name] == "slower, at 0.50 of the speed"
    noise = {"a": [1, 2, 1, 2, 1], "b": [2, 1, 2, 1, 2]}
    assert say(noise)[name] == "not told apart from it in 5 rounds"


def test_the_race_of_bfloat16_may_contradict_the_advice(lifted, cells):
    names = {**NAMES, **{k: lifted[k] for k in ("turns", "against", "compare")}}

    def held(seconds, advice):
        names.update(seconds=seconds, advice=advice)
        return cells.glued('glue("half_speed"', **names)["advice_held"]

    assert "as well" in held(rounds(2, 1), "bfloat16")
    assert "as well" in held(rounds(1, 2), "float32")
    assert "against" in held(rounds(2, 1), "float32")
    assert "do not decide" in held({"a": [1, 2, 1], "b": [2, 1, 2]}, "float32")


def test_the_speed_of_a_table_is_that_of_the_sentence(lifted):
    table = lifted["report"](rounds(3, 2, 1))
    assert table.speed.tolist() == [1, 1.5, 3]
    assert table["median"].tolist() == [3, 2, 1]


@pytest.mark.parametrize(
    ("medians", "words"),
    [
        ((3, 2, 1, 2, 3), "in these rounds it is ahead of all others"),
        ((3, 1, 1.001, 2, 3), "these rounds do not tell apart 128 and 256"),
    ],
)
def test_the_fastest_bounds_are_named(lifted, cells, medians, words):
    bounds = [64, 128, 256, 512, 1024]
    rng = np.random.default_rng(0)
    seconds = {
        bound: median * (1 + 0.003 * rng.standard_normal(5))
        for bound, median in zip(bounds, medians, strict=True)
    }
    rate = {bound: 1 / np.median(times) for bound, times in seconds.items()}
    names = {**NAMES, "seconds": seconds, "rate": rate, "best": 256}
    names["leaders"] = lifted["leaders"]
    assert cells.glued('glue("front"', **names)["front"] == words


@pytest.mark.parametrize(
    ("short", "long", "words"),
    [(1, 2, "2.0 times as fast"), (2, 1, "slower, at 0.49"), (1, 1, "not told apart")],
)
def test_long_texts_may_be_slower_or_not(lifted, cells, short, long, words):
    ways = [("stored", 32), ("stored", 512), ("in tiles", 512)]
    noise = np.array([1, 1.2, 0.9, 1.1, 1])
    times = [short * noise, long * noise[::-1] ** 0.5, long * noise]
    names = {**NAMES, **{k: lifted[k] for k in ("turns", "against", "compare")}}
    names |= {"squares": dict(zip(ways, times, strict=True)), "size": 8, "wide": 32}
    assert words in cells.glued('glue("slowdown"', **names)["slowdown"]


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


def kept_speed():
    speed = pd.read_csv(DATA / "results/embedding-speed.csv", comment="#")
    return speed.set_index("way")


def test_kept_table_bears_out_the_text():
    """Fast, ahead of the peers, and the same vectors; 8 bits are others."""
    speed = kept_speed()
    peers = speed.loc["pipeline, batch 1":"sentence-transformers, batch 32"]
    assert len(peers) == 3
    assert speed.ratio["embed_words, float32"] > peers.ratio.max()
    assert (speed.lowest <= speed.ratio).all() and (speed.ratio <= speed.highest).all()
    programs = speed.dropna()
    exact = programs.drop(["embed_words, bfloat16", "ONNX Runtime, int8"])
    assert len(exact) == 10 and exact.cosine_min.min() > 0.999999
    others = exact.drop([way for way in exact.index if way.startswith("embed_")])
    default = speed.loc[["embed_words, float32", "embed_words, bfloat16"]]
    assert len(others) == 9 and default.lowest.max() > others.highest.max()
    assert np.ptp(exact.spearman) < 1e-4
    assert programs.cosine_min["embed_words, bfloat16"] >= 0.999
    assert programs.cosine_min["ONNX Runtime, int8"] < 0.999
    assert (programs.ms_p50 <= programs.ms_p95).all()
    assert set(speed.index[-4:]) == set(speed.index) - set(programs.index)


@three(
    "ahead of all of them",
    "behind PyTorch, SDPA",
    "not told apart from PyTorch, SDPA",
    by=(3.2, 9.0, 3.8),
)
def test_a_peer_may_be_ahead(cells, by, word):
    speed = kept_speed()
    speed["ratio"] = np.minimum(speed.ratio, 3)
    speed.loc["ONNX Runtime, int8", "ratio"] = 99  # is not exact, so no peer
    speed.loc["embed_words, float32", "ratio"] = 4
    speed.loc["PyTorch, SDPA", "ratio"] = by
    speed["lowest"], speed["highest"] = speed.ratio - 0.3, speed.ratio + 0.3
    names = {"speed": speed, "programs": speed.dropna()}
    said = cells.glued('glue("default_stands"', **names)
    assert said["default_stands"] == word


@three("faster", "slower", "about as fast", by=(6, 2, 4.1))
def test_bfloat16_may_win_or_lose(cells, by, word):
    speed = kept_speed()
    speed.loc["embed_words, float32", "ratio"] = 4
    speed.loc["embed_words, bfloat16", "ratio"] = by
    speed["lowest"], speed["highest"] = speed.ratio - 0.3, speed.ratio + 0.3
    names = {"speed": speed, "programs": speed.dropna()}
    said = cells.glued('glue("default_stands"', "half_there", **names)
    assert said["half_there"] == word


def test_products_that_cost_nothing_leave_the_rest(cells):
    share = pd.Series({"addmm": 50.0, "gelu": 20, "bmm": 25, "copy_": 5})
    names = {"share": share, "top": share.head(3)}
    said = cells.glued('glue("products_share"', **names)
    assert said["products_share"] == 75 and said["without_products"] == 4
    assert said["rest_share"] == 5


def test_kept_race_of_bfloat16_bears_out_that_the_units_decide():
    """With all units faster, with some of them or none slower, on one processor."""
    kept = pd.read_csv(DATA / "results/bfloat16.csv", comment="#")
    kept = kept.set_index(["units", "work"])
    assert (kept.lowest <= kept.ratio).all() and (kept.ratio <= kept.highest).all()
    for units, work in kept.index:
        row = kept.loc[units, work]
        assert row.lowest > 1 if "AMX" in units else row.highest < 1
