"""Grading: what a submission answers is judged, what it does to its grader is not."""

import csv
import io
import json

import nbformat
import numpy as np
import pandas as pd
import pytest
import torch

from build_tools.grading import __main__ as command
from build_tools.grading import grade as grading
from build_tools.grading import sandbox
from build_tools.grading.exchange import Unknown, decode, encode, receive, send

RIGHT = """import numpy as np

def majority_scores(labels):
    counts = np.unique(labels, return_counts=True)[1]
    accuracy = counts.max() / counts.sum()
    return accuracy, 2 * accuracy / (accuracy + 1) / len(counts)
"""
CHECK = 'from helpers.exercises import check\n\ncheck("11.1", majority_scores)'
FORGED = """import helpers.exercises, helpers.checks.chapter_11 as checks
class Passed:
    status, passed, message = "passed", True, ""
def check(*_):
    print("Exercise 11.1: passed.")
    return Passed()
helpers.exercises.check = check
checks.check_1 = lambda answer: "passed"
def majority_scores(labels):
    return 1.0, 1.0
"""
DELETES = """import os, shutil
for place in {places!r}:
    shutil.rmtree(place, ignore_errors=True)
    try:
        open(os.path.join(place, "mine"), "w").write("mine")
    except OSError:
        pass
"""
works_here = pytest.mark.skipif(
    sandbox.how() is None, reason="neither bubblewrap nor unshare works here"
)


def submit(folder, name, *sources):
    folder.mkdir(exist_ok=True)
    cells = [nbformat.v4.new_code_cell(source) for source in (*sources, CHECK)]
    path = folder / f"{name}.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    return path


def rows(tmp_path, *options):
    out = tmp_path / "grades.csv"
    command.main([str(tmp_path / "in"), "--out", str(out), *options])
    with out.open(newline="") as stream:
        return {row["submission"]: row for row in csv.DictReader(stream)}


@works_here
def test_each_submission_gets_what_it_deserves(tmp_path, monkeypatch):
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "file").write_text("kept")
    places = [str(kept), str(tmp_path / "in")]
    folder = tmp_path / "in"
    submit(folder, "right", RIGHT)
    submit(folder, "stub", "def majority_scores(labels):\n    ...")
    submit(folder, "forged", FORGED)
    submit(folder, "hangs", "def majority_scores(labels):\n    while True: pass")
    submit(folder, "deletes", DELETES.format(places=places) + RIGHT)
    submit(folder, "exits", "import os\nos._exit(0)\n" + RIGHT)
    submit(folder, "network", "import socket\n", "x = )", NETWORK + RIGHT)
    (folder / "broken.ipynb").write_text("{")
    found = rows(tmp_path, "--seconds", "30")
    assert {name[:-6]: row.get("11.1") for name, row in found.items()} == {
        "right": "passed",
        "stub": "not attempted yet",
        "forged": "not yet",
        "hangs": "not yet",
        "deletes": "passed",
        "exits": "not yet",
        "network": "passed",
        "broken": "missing",
    }
    assert "commonest" in found["forged.ipynb"]["remarks"]
    assert "out of time" in found["hangs.ipynb"]["remarks"]
    assert "cannot be read" in found["broken.ipynb"]["remarks"]
    assert (kept / "file").read_text() == "kept"
    assert not (kept / "mine").exists() and len(list(folder.iterdir())) == 8


NETWORK = """import socket, urllib.request
try:
    socket.create_connection(("127.0.0.1", {port}), 2)
    del majority_scores
except OSError:
    pass
""".replace("{port}", "8000")


@works_here
def test_a_submission_sees_no_other_and_no_network(tmp_path):
    import socket

    server = socket.create_server(("127.0.0.1", 0))
    spy = f"""import os, socket
seen = [name for place in {[str(tmp_path / "in")]!r} for name in os.listdir(place)]
try:
    socket.create_connection({server.getsockname()!r}, 2)
    seen.append("network")
except OSError:
    pass
if seen: raise RuntimeError(seen)
"""
    submit(tmp_path / "in", "spy", spy + RIGHT)
    submit(tmp_path / "in", "other", RIGHT)
    found = rows(tmp_path)
    assert found["spy.ipynb"]["remarks"] == ""
    assert found["spy.ipynb"]["11.1"] == "passed"


@works_here
def test_a_cell_that_ends_the_process_costs_its_own_exercise_only(tmp_path):
    path = submit(tmp_path / "in", "one", "import os\nword = os._exit(1)")
    notebook = nbformat.read(path, as_version=4)
    answer = '{"word": word, "accuracy": {}}'
    notebook.cells.insert(1, nbformat.v4.new_code_cell(f'check("11.2", {answer})'))
    notebook.cells.insert(2, nbformat.v4.new_code_cell(RIGHT))
    nbformat.write(notebook, path)
    [row] = rows(tmp_path).values()
    assert (row["11.2"], row["11.1"]) == ("not yet", "passed")


def test_without_a_sandbox_it_refuses_unless_told(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sandbox.shutil, "which", lambda name: None)
    submit(tmp_path / "in", "right", RIGHT)
    with pytest.raises(SystemExit) as end:
        rows(tmp_path)
    assert end.value.code == 2
    assert "no sandbox works here" in capsys.readouterr().err
    assert not (tmp_path / "grades.csv").exists()
    assert rows(tmp_path, "--unsafe")["right.ipynb"]["11.1"] == "passed"


def test_a_folder_without_notebooks_is_named(tmp_path, capsys):
    with pytest.raises(SystemExit):
        command.main([str(tmp_path / "nowhere")])
    assert "holds no notebooks" in capsys.readouterr().err


def crossed(value):
    functions = []
    message = json.loads(json.dumps(encode(value, functions)))
    return decode(message, lambda number: functions[number])


@pytest.mark.parametrize(
    "value",
    [
        None,
        ...,
        [1, 2.5, "a", True],
        (1, (2,)),
        {1: "a", "b": [1]},
        {1, 2},
        float("inf"),
        np.float64(0.5),
        np.int64(3),
        np.bool_(True),
        "é\ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16"),
    ],
)
def test_plain_values_cross_as_they_are(value):
    got = crossed(value)
    assert got == value and type(got) is type(value)


def test_arrays_and_tables_cross_as_they_are():
    array = np.arange(6, dtype=np.float32).reshape(2, 3)[:, ::2]
    assert np.array_equal(crossed(array), array)
    assert crossed(array).dtype == np.float32
    assert torch.equal(crossed(torch.ones(2, 2).bool()), torch.ones(2, 2).bool())
    assert crossed(torch.ones(2, dtype=torch.bfloat16)).tolist() == [1, 1]
    frame = pd.DataFrame({"a": [1, 2], "b": ["x", "y"]})
    assert crossed(frame).equals(frame)
    assert crossed(np.array(["a", "bc"])).tolist() == ["a", "bc"]


def test_a_function_is_called_where_it_is():
    assert crossed({"f": lambda x: x + 1})["f"](2) == 3


def test_objects_do_not_cross():
    assert isinstance(crossed(object()), Unknown)
    assert isinstance(crossed(np.array([object()])), Unknown)
    forged = {"kind": "ndarray", "dtype": "|O", "shape": [1], "data": "AAAAAAAAAAA="}
    with pytest.raises(ValueError, match="objects"):
        decode(forged, None)


def test_messages_that_are_too_large_are_refused(monkeypatch):
    stream = io.BytesIO()
    send(stream, list(range(100)))
    stream.seek(0)
    assert receive(stream) == list(range(100))
    monkeypatch.setattr("build_tools.grading.exchange.LARGEST", 10)
    stream.seek(0)
    with pytest.raises(ValueError, match="too large"):
        receive(stream)
    with pytest.raises(EOFError):
        receive(io.BytesIO(b"\1"))


@pytest.mark.parametrize("text", ["=1+1", "@x", "-2", "+3"])
def test_no_cell_of_the_table_is_a_formula(text):
    assert command.harmless(text).startswith("'")
    assert command.harmless("passed") == "passed" and command.harmless("") == ""


def test_the_last_check_of_an_exercise_counts():
    cells = ['check("11.1", f)', 'check("11.2", g)', 'check("11.1", h)']
    assert grading.checks_in(cells) == [(1, "11.2"), (2, "11.1")]
