"""The command on two machines: one killed half way, and with nothing but a wire."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import pandas as pd
import psutil
import pytest
from embed_job.__main__ import main

JOB = Path(__file__).with_name("embed_job")
SHARD, SHARDS = 100, 50
UNSHARE = ["unshare", "--user", "--map-root-user", "--net", "--mount"]


@pytest.fixture(scope="module")
def texts(tmp_path_factory):
    rng = np.random.default_rng(0)
    words = "the crane rose over a river bank and nobody looked up at it".split()
    lengths = rng.integers(1, 40, SHARD * SHARDS)
    path = tmp_path_factory.mktemp("texts") / "texts.txt"
    path.write_text("\n".join(" ".join(rng.choice(words, n)) for n in lengths))
    return path


@pytest.fixture(scope="module")
def alone(texts, tiny_bert_folder, tmp_path_factory):
    """The vectors of one process."""
    out = tmp_path_factory.mktemp("alone")
    main([str(texts), str(out), "--model", str(tiny_bert_folder), "--shard", "500"])
    return vectors_of(out)


def vectors_of(out):
    table = pd.read_parquet(out / "vectors").sort_values("row")
    assert table.row.tolist() == list(range(SHARD * SHARDS))  # none lost or doubled
    return np.stack(table.vector)


def command(machine, address, port, texts, out, model):
    """What is typed on each machine."""
    launch = [sys.executable, "-m", "torch.distributed.run"]
    options = {"nnodes": 2, "nproc-per-node": 1, "node-rank": machine}
    options |= {"master-addr": address, "master-port": port}
    named = [str(part) for name, v in options.items() for part in (f"--{name}", v)]
    job = [JOB, texts, out, "--model", model, "--shard", SHARD]
    return [*launch, *named, *map(str, job)]


def start(command):
    settings = {"ACCELERATE_USE_CPU": "true", "HF_HUB_OFFLINE": "1"}
    settings |= {"OMP_NUM_THREADS": "1", "TQDM_DISABLE": "1"}
    return subprocess.Popen(
        command,
        env=os.environ | settings,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def stop(*runs):
    """Kill -9 of launchers and of all that they have started."""
    for run in runs:
        with suppress(psutil.NoSuchProcess):
            launcher = psutil.Process(run.pid)
            for process in [*launcher.children(recursive=True), launcher]:
                process.kill()
        run.communicate()


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def wait_for(reached):
    deadline = time.monotonic() + 200
    while not reached() and time.monotonic() < deadline:
        time.sleep(0.005)


def of_machine(out, machine):
    return [p for p in out.glob("vectors/*.parquet") if int(p.stem) % 2 == machine]


@pytest.mark.slow
def test_a_machine_that_is_killed_half_way_goes_on(
    texts, alone, tiny_bert_folder, tmp_path
):
    out, given = tmp_path / "out", (texts, tmp_path / "out", tiny_bert_folder)
    port = free_port()
    runs = [start(command(rank, "127.0.0.1", port, *given)) for rank in (0, 1)]
    wait_for(lambda: of_machine(out, 1))
    stop(runs[1])
    begun = len(of_machine(out, 1))
    wait_for(lambda: len(of_machine(out, 0)) == SHARDS // 2)  # the other one goes on
    stop(runs[0])
    made = {p: p.stat().st_mtime_ns for p in out.glob("vectors/*.parquet")}
    assert 0 < begun == len(of_machine(out, 1)) < SHARDS // 2
    assert len(of_machine(out, 0)) == SHARDS // 2
    port = free_port()
    runs = [start(command(rank, "127.0.0.1", port, *given)) for rank in (0, 1)]
    said = [run.communicate(timeout=200)[0] for run in runs]
    assert [run.returncode for run in runs] == [0, 0], said
    assert all(path.stat().st_mtime_ns == then for path, then in made.items())
    np.testing.assert_allclose(vectors_of(out), alone, atol=1e-5)
    assert json.loads((out / "manifest.json").read_text())["vectors"] == SHARD * SHARDS
    assert not [p for p in out.rglob(".*")]  # no half-written file is left


WIRE = """set -e
mount -t tmpfs none /run
for n in 0 1; do ip netns add machine$n; done
ip link add wire0 type veth peer name wire1
for n in 0 1; do
  ip link set wire$n netns machine$n
  ip -n machine$n address add 10.99.0.$((n + 1))/24 dev wire$n
  ip -n machine$n link set wire$n up
  ip -n machine$n link set lo up
done
"""


@pytest.fixture
def wire():
    """What lays a wire between two network namespaces, where the system lets us."""
    laid = [*UNSHARE, "bash", "-c", WIRE]
    tools = shutil.which("ip") and shutil.which("unshare")
    if not tools or subprocess.run(laid, capture_output=True).returncode:
        pytest.skip("no network namespaces on this system")
    return WIRE


@pytest.mark.slow
def test_two_machines_with_nothing_but_a_wire(
    wire, texts, alone, tiny_bert_folder, tmp_path
):
    """Each writes to a disk of its own; the shards are put together afterwards."""
    outs = [tmp_path / f"machine-{rank}" for rank in (0, 1)]
    both = [
        command(rank, "10.99.0.1", 29500, texts, outs[rank], tiny_bert_folder)
        for rank in (0, 1)
    ]
    lines = [
        f'ip netns exec machine{rank} {" ".join(both[rank])} & pids="$pids $!"'
        for rank in (0, 1)
    ]
    wait = "for pid in $pids; do wait $pid; done"
    run = start([*UNSHARE, "bash", "-c", "\n".join([wire, *lines, wait])])
    try:
        said, _ = run.communicate(timeout=200)
    finally:
        stop(run)
    assert run.returncode == 0, said
    assert [len(of_machine(out, 0)) for out in outs] == [SHARDS // 2, 0]
    assert [len(of_machine(out, 1)) for out in outs] == [0, SHARDS // 2]
    for path in of_machine(outs[1], 1):
        shutil.copy(path, outs[0] / "vectors")
    np.testing.assert_allclose(vectors_of(outs[0]), alone, atol=1e-5)
