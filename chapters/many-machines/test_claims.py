"""What the chapter claims: a job that can be killed, and training that agrees."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from chapters.many_machines import processes as processes_of_page
from helpers.datasets import load_coarse_wsd
from helpers.embeddings.texts import embed_texts

# Published or made-up figures that the text holds.
TYPED = "0.17 0.01 0.5"

TEXTS = ["a crane", "no train today", "rain", "the crane rose over the river"] * 5


@pytest.fixture(scope="module")
def lifted(cells, tiny):
    """The functions and scripts that the chapter defines, on a random model."""
    scripts = "SENTENCES", "TUNE", "LOOP", "ENDS", "settings", "by_adamw", "waiting"
    return cells.defined(*scripts, bert=tiny, os=os)


@pytest.mark.parametrize("ranks", [(0,), (1, 0), (2, 0, 1)])
def test_shards_of_any_processes_give_the_vectors_in_order(lifted, tmp_path, ranks):
    for rank in ranks:
        lifted["embed_shards"](TEXTS, tmp_path, 3, rank, len(ranks))
    table = lifted["in_order"](tmp_path)
    assert table.row.tolist() == list(range(20))
    assert len(list(tmp_path.iterdir())) == 7
    alone = embed_texts(lifted["bert"], TEXTS)
    np.testing.assert_allclose(np.stack(table.vector), alone, atol=1e-5)


def test_a_run_that_is_killed_and_begun_again_loses_and_repeats_nothing(
    lifted, tmp_path, monkeypatch
):
    calls, whole = [], os.replace

    def killed(source, target):
        if len(calls) == 2:
            raise KeyboardInterrupt  # what was written has no name yet
        calls.append(Path(target).name)
        whole(source, target)

    monkeypatch.setattr(os, "replace", killed)
    with pytest.raises(KeyboardInterrupt):
        lifted["embed_shards"](TEXTS, tmp_path, 5)
    monkeypatch.setattr(os, "replace", whole)
    made = {p: p.stat().st_mtime_ns for p in tmp_path.glob("*.parquet")}
    assert len(made) == 2 and len(list(tmp_path.iterdir())) == 3
    assert len(lifted["in_order"](tmp_path)) == 10  # half a shard is not read
    lifted["embed_shards"](TEXTS, tmp_path, 5)
    assert all(path.stat().st_mtime_ns == then for path, then in made.items())
    assert lifted["in_order"](tmp_path).row.tolist() == list(range(20))


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
    script = lifted["TUNE"] + lifted["LOOP"] + lifted["ENDS"]
    (folder / "tune.py").write_text(script)
    return folder


def by_torchrun(processes, *command):
    """What a script prints that the real launcher has started so many times."""
    launcher = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node"]
    run = subprocess.run(
        [sys.executable, *launcher, str(processes), *map(str, command)],
        env=os.environ | processes_of_page.SETTINGS,
        timeout=600,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr[-2000:]
    return run.stdout


@pytest.mark.slow
def test_the_same_training_in_one_process_and_two_and_in_half_batches(lifted, folder):
    settings = lifted["settings"] | {"alone": {"batch": 4}}
    tuned = {}
    for processes in (1, 2):
        said = by_torchrun(processes, folder / "tune.py", folder, json.dumps(settings))
        said = json.loads(said.splitlines()[-1])
        assert said["processes"] == processes  # they know of each other
        tuned[processes] = said["runs"]
    apart, one, two = lifted["apart"], tuned[1], tuned[2]
    assert len(one["8 rows"]) == len(one["2 x 4 rows"]) == 6
    assert len(set(one["8 rows"])) == 6  # the weights moved
    for name in ("8 rows", "2 x 4 rows"):
        assert apart(one[name], two[name]) < 1e-4
        assert apart(one[name], one["8 rows"]) < 1e-4
    assert apart(one["another order"], two["another order"]) < 1e-4
    assert apart(one["another order"], one["8 rows"]) > 1e-3
    assert apart(one["dropout"], two["dropout"]) > 1e-3
    assert apart(one["last batch of 7"], two["last batch of 7"]) > 1e-4
    assert len(one["alone"]) == 12  # without accumulation: other steps


@pytest.fixture
def script(tmp_path):
    """Write a script of so many lines; returns its path."""
    path = tmp_path / "script.py"
    return lambda *lines: (path.write_text("\n".join(lines)), path)[1]


def test_one_that_fails_stops_those_that_wait_for_it(script):
    path = script(
        "import os, time",
        "1 / int(os.environ['RANK'])",
        "time.sleep(20)",
        "open('finished', 'w')",
    )
    with pytest.raises(RuntimeError, match="division by zero"):
        processes_of_page.launch(path, processes=2)
    assert not path.with_name("finished").exists()


def test_processes_know_which_they_are_and_meet(script):
    path = script(
        "import sys, torch",
        "from torch import distributed",
        "distributed.init_process_group('gloo')",
        "mine = torch.tensor([float(distributed.get_rank())])",
        "distributed.all_reduce(mine)",
        "print(sys.argv[1], distributed.get_world_size(), mine.item())",
        "distributed.destroy_process_group()",
    )
    assert processes_of_page.launch(path, "told", processes=2) == "told 2 1.0\n"


def test_a_process_that_is_killed_is_noticed(script):
    path = script("import os, signal", "os.kill(os.getpid(), signal.SIGKILL)")
    process = processes_of_page.start(path)
    process.join(60)
    assert process.exitcode == -9
    with pytest.raises(RuntimeError, match="was stopped"):
        processes_of_page.launch(path, processes=1)


def test_what_waits_together_is_answered_together(lifted, monkeypatch):
    sizes, bert = [], lifted["bert"]

    def counted(bert, texts):
        sizes.append(len(texts))
        return embed_texts(bert, texts)

    monkeypatch.setitem(lifted, "embed_texts", counted)
    monkeypatch.setitem(lifted, "questions", TEXTS[:8])
    waiting, replies = lifted["waiting"], []
    for text in TEXTS[:8]:
        replies.append(lifted["SimpleQueue"]())
        waiting.put((text, replies[-1]))
    worker = lifted["Thread"](target=lifted["answer_batches"], args=[4, 0.5])
    worker.start()
    found = [reply.get(timeout=60) for reply in replies]
    waiting.put(None)
    worker.join(60)
    assert sizes == [4, 4] and not worker.is_alive()
    np.testing.assert_allclose(found, embed_texts(bert, TEXTS[:8]), atol=1e-5)
