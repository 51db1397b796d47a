"""What the chapter claims: same order, same vectors, one script in two processes."""

import ast
import json

import numpy as np
import pandas as pd
import pytest
import torch

from helpers import DATA
from helpers.datasets import load_coarse_wsd
from helpers.models import load_bert

LIFTED = (
    "embed in_batches cut as_given by_length by_pieces cells agreement race wait "
    "bytes_kept launch EMBED GATHER TUNE LOOP"
).split()


@pytest.fixture(scope="module")
def lifted(chapter_cells, tiny_bert_folder):
    """The functions and scripts that the chapter defines, on a random model."""
    names = {"bert": load_bert(str(tiny_bert_folder), "cpu")}
    for cell in chapter_cells():
        if any(tag.startswith("solution") for tag in cell.tags):
            continue
        for node in ast.parse(cell.source).body:
            imports = isinstance(node, ast.Import | ast.ImportFrom)
            if imports or _defined(node) in LIFTED:
                exec(ast.unparse(node), names)
    assert set(LIFTED) <= set(names)
    return names


def _defined(node):
    if isinstance(node, ast.Assign):
        return getattr(node.targets[0], "id", None)
    return getattr(node, "name", None)


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


@pytest.fixture(scope="module")
def folder(lifted, tmp_path_factory):
    """What the chapter puts beside its two scripts."""
    folder = tmp_path_factory.mktemp("scaling")
    lifted["bert"].model.save_pretrained(folder)
    lifted["bert"].tokenizer.save_pretrained(folder)
    data = {}
    for part in ("train", "test"):
        frame = load_coarse_wsd("bass", part)[:36]
        sentences = [" ".join(words) for words in frame.sentence]
        data[part] = {"texts": sentences, "labels": frame.label.tolist()}
    (folder / "bass.json").write_text(json.dumps(data))
    (folder / "texts.json").write_text(json.dumps(data["train"]["texts"]))
    (folder / "embed.py").write_text(lifted["EMBED"] + lifted["GATHER"])
    (folder / "tune.py").write_text(lifted["TUNE"] + lifted["LOOP"])
    return folder


@pytest.fixture(autouse=True)
def sample(monkeypatch):
    monkeypatch.setenv("COARSE_WSD_HOME", "sample")


def test_one_process_and_two_give_the_same_vectors(lifted, folder):
    found = []
    for processes in (1, 2):
        result = folder / f"{processes}.npy"
        said = lifted["launch"](
            folder / "embed.py", folder, result, processes=processes
        )
        assert said.split()[0] == str(processes)  # they know of each other
        found.append(np.load(result))
    texts = json.loads((folder / "texts.json").read_text())
    rows = lifted["bert"].tokenizer(texts)["input_ids"]
    loop = lifted["in_batches"](rows, [[place] for place in range(len(rows))])
    assert found[0].shape == loop.shape
    assert np.allclose(found[0], found[1], atol=1e-5)
    assert np.allclose(found[1], loop, atol=1e-5)


def test_one_process_and_two_fine_tune_alike(lifted, folder):
    runs = []
    for processes in (1, 2):
        result = folder / f"{processes}.json"
        lifted["launch"](folder / "tune.py", folder, result, processes=processes)
        runs.append(json.loads(result.read_text()))
    assert [run.pop("processes") for run in runs] == [1, 2]
    losses = [run.pop("losses") for run in runs]
    assert losses[0] == pytest.approx(losses[1], abs=1e-4)
    assert len(set(losses[0])) > 1  # the weights moved
    assert runs[0] == runs[1]


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


def test_a_script_that_fails_says_why(lifted, tmp_path):
    script = tmp_path / "broken.py"
    script.write_text("raise SystemExit('no such luck')")
    with pytest.raises(RuntimeError, match="no such luck"):
        lifted["launch"](script, processes=1)


def test_kept_table_bears_out_the_text():
    """Fast, ahead of the peers, and the same vectors."""
    speed = pd.read_csv(DATA / "results/embedding-speed.csv", comment="#")
    speed = speed.set_index("way")
    ours = speed.loc["embed_words, float32"]
    peers = speed.loc["pipeline, batch 1":"sentence-transformers, batch 32"]
    assert len(peers) == 3 and ours.ratio > peers.ratio.max()
    assert (speed.lowest <= speed.ratio).all() and (speed.ratio <= speed.highest).all()
    exact = speed.drop("embed_words, bfloat16")
    assert exact.cosine_min.dropna().min() > 0.999999
    assert speed.cosine_min["embed_words, bfloat16"] >= 0.999
    assert speed.cosine_mean["embed_words, bfloat16"] >= 0.9999


def test_kept_race_of_bfloat16_bears_out_that_the_units_decide():
    """With all units faster, with some of them or none slower, on one processor."""
    kept = pd.read_csv(DATA / "results/bfloat16.csv", comment="#")
    kept = kept.set_index(["units", "work"])
    assert (kept.lowest <= kept.ratio).all() and (kept.ratio <= kept.highest).all()
    for units, work in kept.index:
        row = kept.loc[units, work]
        assert row.lowest > 1 if "AMX" in units else row.highest < 1
