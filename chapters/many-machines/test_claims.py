"""What the chapter claims: shards that can be stopped, and training that agrees."""

import json
import re

import numpy as np
import pandas as pd
import pytest

from helpers import DATA
from helpers.datasets import load_coarse_wsd
from helpers.embeddings.texts import embed_texts
from tests.lifted import three

# Published or made-up figures that the text holds.
TYPED = "1.8"

TEXTS = ["a crane", "no train today", "rain", "the crane rose over the river"] * 5


@pytest.fixture(scope="module")
def lifted(cells, tiny):
    """The functions and scripts that the chapter defines, on a random model."""
    return cells.defined("SENTENCES", "TUNE", "LOOP", "settings", bert=tiny)


@pytest.mark.parametrize("ranks", [(0,), (1, 0), (2, 0, 1)])
def test_shards_of_any_processes_give_the_vectors_in_order(lifted, tmp_path, ranks):
    for rank in ranks:
        lifted["embed_shards"](TEXTS, tmp_path, 3, rank, len(ranks))
    rows, vectors = lifted["in_order"](tmp_path)
    assert rows == list(range(20)) and len(list(tmp_path.iterdir())) == 7
    alone = embed_texts(lifted["bert"], TEXTS)
    np.testing.assert_allclose(vectors, alone, atol=1e-5)
    assert lifted["gap"](vectors, alone + 1) == pytest.approx(1, abs=1e-4)


def test_a_shard_that_was_begun_is_made_again_and_a_whole_one_is_kept(
    lifted, tmp_path, monkeypatch
):
    calls = []

    def broken(bert, texts):
        calls.append(texts)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return embed_texts(bert, texts)

    monkeypatch.setitem(lifted, "embed_texts", broken)
    with pytest.raises(KeyboardInterrupt):
        lifted["embed_shards"](TEXTS, tmp_path, 5)
    assert len(list(tmp_path.glob("*.parquet"))) == 2
    (tmp_path / "000002.unfinished").write_bytes(b"half")
    lifted["embed_shards"](TEXTS, tmp_path, 5)
    assert len(calls) == 3 + 2  # the two that were whole are not computed again
    (tmp_path / "000002.unfinished").unlink(missing_ok=True)
    assert lifted["in_order"](tmp_path)[0] == list(range(20))


@pytest.fixture(scope="module")
def folder(lifted, tmp_path_factory):
    """What the chapter puts beside its script."""
    folder = tmp_path_factory.mktemp("machines")
    lifted["bert"].model.save_pretrained(folder)
    lifted["bert"].tokenizer.save_pretrained(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COARSE_WSD_HOME", "sample")
        frame = load_coarse_wsd("bass", "train")[:24]
    sentences = [" ".join(words) for words in frame.sentence]
    data = {"texts": sentences, "labels": frame.label.tolist()}
    (folder / "bass.json").write_text(json.dumps(data))
    (folder / "sentences.py").write_text(lifted["SENTENCES"])
    (folder / "tune.py").write_text(lifted["TUNE"] + lifted["LOOP"])
    return folder


@pytest.mark.slow
def test_the_same_training_in_one_process_and_two_and_in_half_batches(lifted, folder):
    settings = lifted["settings"] | {"alone": {"batch": 4}}
    tuned = {}
    for processes in (1, 2):
        said = lifted["launch"](
            folder / "tune.py", folder, json.dumps(settings), processes=processes
        )
        said = json.loads(said.splitlines()[-1])
        assert said["processes"] == processes  # they know of each other
        tuned[processes] = said["runs"]
    apart, one, two = lifted["apart"], tuned[1], tuned[2]
    assert len(one["8 rows"]["losses"]) == len(one["2 x 4 rows"]["losses"]) == 6
    assert len(set(one["8 rows"]["losses"])) == 6  # the weights moved
    for name in ("8 rows", "2 x 4 rows"):
        assert apart(one[name], two[name]) < 1e-4
        assert apart(one[name], one["8 rows"]) < 1e-4
    assert one["8 rows"]["rate"] == two["8 rows"]["rate"] == two["2 x 4 rows"]["rate"]
    assert apart(one["another order"], two["another order"]) < 1e-4
    assert apart(one["another order"], one["8 rows"]) > 1e-3
    assert apart(one["dropout"], two["dropout"]) > 1e-3
    assert apart(one["last batch of 7"], two["last batch of 7"]) > 1e-4
    assert len(one["alone"]["losses"]) == 12  # without accumulation: other steps


@pytest.mark.parametrize(
    ("one", "two", "words"),
    [
        ([4, 4.1], [2, 2.1], "two processes were 2.0 times as fast"),
        ([2, 2.1], [4, 4.1], "two processes were slower, at 0.51 of the speed"),
        ([6, 6.1], [2, 2.1], "two cores cannot do that"),
        ([2, 4], [3, 3], "overlap"),
    ],
)
def test_two_processes_may_be_faster_or_not(cells, one, two, words):
    same = np.ones((2, 3))
    names = {"inner": {1: [9, *one], 2: [9, 9, *two]}, "took": {1: 30, 2: 30}}
    names["shared"] = {1: same, 2: same}
    said = cells.glued('glue("spread_out"', **names)
    assert words in said["spread_out"] and said["gap"] == "0"


def test_the_runs_that_agree_are_named(cells):
    names = ["8 rows", "2 x 4 rows", "dropout"]
    table = pd.DataFrame(
        {"one process and two": [1e-7, 1e-6, 0.2], "from 8 rows": [0, 0.3, 0.4]}, names
    )
    said = cells.glued("same_split", table=table, settings=names)
    assert said == {"same_split": "8 rows and 2 x 4 rows", "same_training": "8 rows"}


def test_a_script_that_fails_says_why(lifted, tmp_path):
    script = tmp_path / "broken.py"
    script.write_text("raise SystemExit('no such luck')")
    with pytest.raises(RuntimeError, match="no such luck"):
        lifted["launch"](script, processes=1)


def test_kept_job_lost_nothing_and_kept_its_pace():
    """Killed three times; the last shard is as fast as the first, and no heavier."""
    path = DATA / "results/embedding-job.csv"
    job = pd.read_csv(path, comment="#")
    assert sorted(job.shard) == list(range(len(job))) and job.texts.sum() == 200_000
    assert job.run.max() == 4 and (job.groupby("run").size() > 0).all()
    assert abs(job.rate.iloc[-1] / job.rate.iloc[0] - 1) < 0.15
    held = job.mib.dropna()
    assert abs(held.iloc[-1] / held.iloc[0] - 1) < 0.1
    assert "# 0 lost, 0 doubled" in path.read_text()


@three(
    "faster than",
    "slower than",
    "not told apart from",
    by=([1.0, 2.0], [6.0, 7.0], [2.0, 4.0]),
)
def test_an_engine_may_be_faster_or_slower(cells, by, word):
    rows = {"datasets": by, "Ray Data": by, "the command": [3.0, 5.0]}
    table = pd.DataFrame([(way, s) for way in rows for s in rows[way]])
    engines = table.set_axis(["way", "seconds"], axis=1).groupby("way").seconds
    verdicts = cells.glued("glue(key, told", engines=engines)
    assert verdicts == {"mapped_is": word, "ray_is": word}


def test_kept_engines_gave_the_vectors_of_the_command():
    path = DATA / "results/engines.csv"
    text, table = path.read_text(), pd.read_csv(path, comment="#")
    assert table.groupby("way").size().eq(table["round"].max() + 1).all()
    found = re.findall(r"# (.+): (\d+) lost, (\d+) doubled, .* most (\S+)", text)
    assert {way for way, *_ in found} == set(table.way)
    for way, lost, doubled, apart in found:
        assert (lost, doubled) == ("0", "0") and float(apart) < 1e-5, way
