"""Notebooks that are handed in, in their sandbox: right, odd and hostile ones."""

import os
import socket
import sys
from textwrap import indent

import pytest

from teaching.grading import sandbox
from tests.teaching.submitted import CHECK, RIGHT, ROOT, graded, write

needs_sandbox = pytest.mark.skipif(
    sandbox.fault() is not None, reason=str(sandbox.fault())
)
pytestmark = [needs_sandbox, pytest.mark.slow]
# Python that stops the notebook, before its answer, where something was got at.
READS_OTHERS = """import glob, json
found = [p for place in (".", "/tmp", "/handed-in", {folder!r})
         for p in glob.glob(place + "/**/*.ipynb", recursive=True)]
found.remove("/handed-in/notebook.ipynb")
if found: raise RuntimeError(found)
"""
LOOKS_AROUND = """import os, socket
got = []
def tries(what, attempt):
    try:
        attempt()
        got.append(what)
    except OSError:
        pass
def connect(kind, address):
    with socket.socket(kind) as own:
        own.settimeout(2)
        own.connect(address)
tries("socket", lambda: connect(socket.AF_UNIX, {path!r}))
tries("abstract", lambda: connect(socket.AF_UNIX, {abstract!r}))
tries("network", lambda: connect(socket.AF_INET, {inet!r}))
tries("passwords", lambda: open("/etc/shadow", "rb"))
tries("place", lambda: os.listdir({folder!r}))
for place in ("/", "/dev", "/etc", "/usr/bin", "/handed-in", {root!r}):
    tries("write " + place, lambda: open(place + "/mine", "w"))
for place in ("/home", "/root", "/run", "/var", "/sys", "/work"):
    for parent, _, files in os.walk(place):
        if not parent.startswith({seen!r}) and files:
            got.append(parent)
def new_namespace():
    if os.system("unshare --user --map-root-user true"):
        raise OSError
tries("namespace", new_namespace)
if got: raise RuntimeError(got[:5])
"""
MEMORY = """import mmap
held = []
while True:
    held.append(mmap.mmap(-1, 2**26))
    held[-1].write(b"x" * 2**26)
"""
HIDDEN_MEMORY = """import ctypes, os
if ctypes.CDLL(None).shmget(0, 2**20, 0o1600) != -1:
    raise RuntimeError("shared memory")
try:
    os.memfd_create("held")
    raise RuntimeError("no limit")
except PermissionError:
    pass
"""
FILES = 'for number in range(10**9):\n    open(f"/tmp/{number}", "w").close()'
PROCESSES = """import os, time
for _ in range(80):
    if os.fork() == 0:
        time.sleep(600)
time.sleep(600)
"""
DISK = """import os
def fill(place):
    try:
        for number in range(100):
            with open(f"{place}/{number}", "wb") as file:
                file.write(b"x" * 2**26)
    finally:
        for used in range(number + 1):
            os.remove(f"{place}/{used}")
for place in (".", "/tmp", "/dev/shm"):
    try:
        fill(place)
    except OSError:
        continue
    raise RuntimeError("no limit")
"""
STOPS = "import os\nos.kill(os.getpid(), {})"
SAYS_MUCH = """import os
for number in range(3, 40):
    try:
        while os.write(number, b"x" * 2**20): pass
    except OSError:
        pass
"""
# name -> (cells after a right answer, what the remark says); the answer counts.
HOSTILE = {
    "memory": (MEMORY, "too much memory"),
    "files": (FILES, "too many files"),
    "processes": (PROCESSES, "too many processes"),
    "stops itself": (STOPS.format(19), "out of time"),
    "kills itself": (STOPS.format(9), "ended before its last cell"),
    "says much": (SAYS_MUCH, "said too much"),
}
WRONG = RIGHT.replace("accuracy, 2", "2 * accuracy, 2")


@pytest.fixture(scope="module")
def outside(tmp_path_factory):
    """A folder of submissions, and what listens outside of the sandbox."""
    folder = tmp_path_factory.mktemp("outside") / "in"
    servers = [socket.socket(socket.AF_UNIX) for _ in range(2)]
    path, abstract = str(folder.parent / "listener"), "\0course-listener"
    servers[0].bind(path)
    servers[1].bind(abstract)
    servers.append(socket.create_server(("127.0.0.1", 0)))
    for server in servers:
        server.listen()
    names = {"path": path, "abstract": abstract, "inet": servers[2].getsockname()}
    names |= {"folder": str(folder), "root": str(ROOT / "helpers")}
    names["seen"] = tuple(map(str, {sys.prefix, sys.base_prefix, ROOT}))
    yield folder, LOOKS_AROUND.format(**names)
    for server in servers:
        server.close()


@pytest.fixture(scope="module")
def grades(outside):
    """The rows of all of them; the one that never ends has a run of its own."""
    folder, spy = outside
    for name, (code, said) in HOSTILE.items():
        place = folder.parent / "without-end" if "time" in said else folder
        write(place / f"{name}.ipynb", RIGHT, CHECK, code)
    others = READS_OTHERS.format(folder=str(folder))
    formula = CHECK.splitlines()[0] + '\ncheck("word-senses.2", "=1+1")'
    limited = (HIDDEN_MEMORY, DISK, formula)
    write(folder / "spy.ipynb", others, spy, *limited, RIGHT, CHECK)
    write(folder / "wrong.ipynb", WRONG, CHECK)
    right = write(folder / "right.ipynb", RIGHT, CHECK).read_bytes()
    (folder / "a;=1+1.ipynb.txt").write_bytes(b"\xef\xbb\xbf" + right)
    (folder / "nested.ipynb").write_text('{"cells": ' + "[" * 100_000)
    with open(folder / "huge.ipynb", "wb") as file:
        file.truncate(10**10)
    reads = "assert open('numbers.txt').read() == '3'\n"
    write(folder / "own/hw.ipynb", reads + RIGHT, CHECK)
    (folder / "own/numbers.txt").write_text("3")
    (folder / "own/random.py").write_text("raise RuntimeError('of the student')")
    limits = ("--memory", "1", "--workers", "2")
    ended = graded(folder.parent / "without-end", "--seconds", "40", *limits)
    return ended | graded(folder, "--seconds", "120", *limits)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_notebook_is_ended_and_keeps_what_it_had_passed(grades, name):
    row = grades[f"{name}.ipynb"]
    assert row["word-senses.1"] == "passed", row
    assert HOSTILE[name][1] in row["remarks"]


def test_nothing_of_others_or_of_the_machine_is_got_at(grades):
    row = grades["spy.ipynb"]
    assert (row["word-senses.1"], row["word-senses.2"]) == ("passed", "not yet")
    # Of what failed nothing is told: no cell of it found anything.
    assert row["remarks"].startswith("word-senses.2: "), row["remarks"]


@pytest.mark.parametrize("name", ["right.ipynb", "a;'=1+1.ipynb.txt", "own/hw.ipynb"])
def test_an_odd_name_or_neighbour_costs_nothing(grades, name):
    row = grades[name]
    assert (row["word-senses.1"], row["remarks"]) == ("passed", ""), row
    assert row["ran on"] == "the course model and its samples"


@pytest.mark.parametrize(
    ("name", "said"),
    [("nested", "cannot be read as a notebook"), ("huge", "larger than")],
)
def test_what_is_no_notebook_has_a_row_with_the_reason(grades, name, said):
    assert said in grades[f"{name}.ipynb"]["remarks"]


def test_the_replies_of_the_notebook_are_those_of_the_table(grades, outside):
    names = {}
    exec(WRONG, names)
    from helpers.exercises import check

    reply = check("word-senses.1", names["majority_scores"])
    assert grades["wrong.ipynb"]["remarks"] == f"word-senses.1: {reply.message}"
    folder, _ = outside
    [page] = folder.parent.glob("grades of in-replies/*wrong*")
    assert "not yet" in page.read_text("utf-8") and os.path.getsize(page) < 5000


SWITCHES = """from helpers import choose_run
MODEL = {!r}
DATA = {!r}
choose_run(MODEL, DATA)
"""
LAYERS = """from helpers.models import load_bert
from helpers.datasets import load_coarse_wsd
layers = load_bert().n_layers
source = load_coarse_wsd("bank").attrs["source"]
"""


def test_a_submission_is_judged_on_what_its_switches_name_where_that_is_at_hand(
    tmp_path, tiny_bert_folder
):
    """Two models in one class, and a grade that is typed from each of the runs."""
    for name, model in (("usual", "embedded"), ("tiny", str(tiny_bert_folder))):
        number = 2 if name == "tiny" else 6
        own = f"if layers == {number}:\n" + indent(RIGHT, "    ")
        sources = (SWITCHES.format(model, "sample"), LAYERS, own, CHECK)
        write(tmp_path / f"in/{name}.ipynb", *sources)
    on_tiny = graded(tmp_path / "in", BERT_COURSE_MODEL=str(tiny_bert_folder))
    assert {row["passed"] for row in on_tiny.values()} == {"1"}
    assert {row["remarks"] for row in on_tiny.values()} == {""}
    assert on_tiny["usual.ipynb"]["ran on"] == "the course model and its samples"
    assert on_tiny["tiny.ipynb"]["ran on"] == f"the model is {tiny_bert_folder}"
