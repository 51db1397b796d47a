"""Notebooks that are handed in, in their sandbox: right, odd and hostile ones."""

import os
import socket
import sys
from pathlib import Path

import pytest

from teaching.grading import sandbox
from tests.teaching.submitted import CHECK, RIGHT, ROOT, graded, write

needs_sandbox = pytest.mark.skipif(
    sandbox.fault() is not None, reason=str(sandbox.fault())
)
pytestmark = [needs_sandbox, pytest.mark.slow]
IMPORT = "from helpers.exercises import check\n"
LOOP = IMPORT + "for n in [1]:\n    check(f'word-senses.{n}', majority_scores)"
RIGHT_ONES = {
    "loop": [
        RIGHT,
        IMPORT + "for n in (1,):\n  check(f'word-senses.{n}', majority_scores)",
    ],
    "star": ["from numpy import *", "import numpy as np\nx = ones(3)", RIGHT, CHECK],
    "star needed": ["from numpy import *", RIGHT[19:].replace("np.", ""), CHECK],
    "display": ["display(1)\nget_ipython()\n" + RIGHT, CHECK],
    "shell": ["x = !echo 3\nassert x == ['3']\n!true\n" + RIGHT, CHECK],
    "magics": ["if True:\n    %time y = 1\n%env A=1\n" + RIGHT, CHECK],
    "await": ["import asyncio\nawait asyncio.sleep(0)\n" + RIGHT, CHECK],
    "noted": [
        RIGHT,
        "kept = {}\ndef note(x):\n    kept['f'] = x",
        "note(majority_scores)",
        IMPORT + 'check("word-senses.1", kept["f"])',
    ],
    "error before": [RIGHT, "1 / 0", "x = )", CHECK],
    "state": ["import sys", "sys.exit()", "exit()", RIGHT, CHECK],
    "colab": [
        "from google.colab import drive\ndrive.mount('/content')\n" + RIGHT,
        CHECK,
    ],
    "form": ["#@title Answer\n#@markdown here\n%%time\n" + RIGHT, CHECK],
    "twice": [RIGHT, CHECK, CHECK.replace("majority_scores)", "len)")],
}
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
while True:
    try:
        os.fork()
    except OSError:
        time.sleep(0.1)
"""
DISK = """def fill(place):
    for number in range(100):
        with open(f"{place}/{number}", "wb") as file:
            file.write(b"x" * 2**26)
for place in (".", "/tmp", "/dev/shm"):
    try:
        fill(place)
        raise RuntimeError("no limit")
    except OSError:
        pass
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
    "hidden memory": (HIDDEN_MEMORY + IMPORT + 'check("word-senses.2", ...)', ""),
    "files": (FILES, "too many files"),
    "processes": (PROCESSES, "too many processes"),
    "disk": (DISK + IMPORT + 'check("word-senses.2", ...)', ""),
    "sleeps": ("import time\ntime.sleep(999)", "out of time"),
    "loops": ("while True: pass", "out of time"),
    "stops itself": (STOPS.format(19), "out of time"),
    "kills itself": (STOPS.format(9), "ended before its last cell"),
    "says much": (SAYS_MUCH, "said too much"),
    "writes formulas": (IMPORT + 'check("word-senses.2", "=1+1")', "word-senses.2: "),
}


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
    names |= {"folder": str(folder), "root": str(ROOT)}
    names["seen"] = tuple(map(str, {sys.prefix, sys.base_prefix, ROOT}))
    yield folder, LOOKS_AROUND.format(**names)
    for server in servers:
        server.close()


@pytest.fixture(scope="module")
def grades(outside):
    """The rows of all of them; those that never end get little time."""
    folder, spy = outside
    short = folder.parent / "without-end"
    for name, (code, said) in HOSTILE.items():
        place = short if "time" in said else folder
        write(place / f"{name}.ipynb", RIGHT, CHECK, code)
    for name, cells in RIGHT_ONES.items():
        write(folder / f"{name}.ipynb", *cells)
    write(folder / "alice.ipynb", RIGHT, CHECK)
    write(folder / "spy.ipynb", spy + RIGHT, CHECK)
    others = READS_OTHERS.format(folder=str(folder))
    write(folder / "reads others.ipynb", others + RIGHT, CHECK)
    _odd_files(folder)
    limits = ("--memory", "1.5", "--workers", "3")
    ended = graded(short, "--seconds", "40", *limits)
    return ended | graded(folder, "--seconds", "120", *limits)


def _odd_files(folder):
    text = (folder / "alice.ipynb").read_bytes()
    for name in (
        "mark.ipynb.txt",
        "a (1).ipynb.json",
        "UP.IPYNB",
        "a;=1+1.ipynb",
    ):
        (folder / name).write_bytes(b"\xef\xbb\xbf" + text)
    (folder / "nested.ipynb").write_text('{"cells": ' + "[" * 100_000)
    with open(folder / "huge.ipynb", "wb") as file:
        file.truncate(10**10)
    own = folder / "own"
    own.mkdir()
    (own / "numbers.txt").write_text("3")
    write(own / "hw.ipynb", "assert open('numbers.txt').read() == '3'\n" + RIGHT, CHECK)
    (own / "random.py").write_text("raise RuntimeError('of the student')")


@pytest.mark.parametrize("name", RIGHT_ONES)
def test_a_right_notebook_passes_however_it_is_written(grades, name):
    assert grades[f"{name}.ipynb"]["word-senses.1"] == "passed", grades[f"{name}.ipynb"]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_notebook_is_ended_and_keeps_what_it_had_passed(grades, name):
    row = grades[f"{name}.ipynb"]
    assert row["word-senses.1"] == "passed", row
    assert HOSTILE[name][1] in row["remarks"]
    assert row["remarks"] or row["ran on"]


@pytest.mark.parametrize("name", ["spy", "reads others"])
def test_nothing_of_others_or_of_the_machine_is_got_at(grades, name):
    row = grades[f"{name}.ipynb"]
    assert (row["word-senses.1"], row["remarks"]) == ("passed", "")


@pytest.mark.parametrize(
    "name",
    [
        *("mark.ipynb.txt", "a (1).ipynb.json", "UP.IPYNB"),
        *("a;'=1+1.ipynb", "own/hw.ipynb"),
    ],
)
def test_an_odd_name_or_neighbour_costs_nothing(grades, name):
    assert grades[name]["word-senses.1"] == "passed", grades[name]


@pytest.mark.parametrize(
    ("name", "said"),
    [("nested", "cannot be read as a notebook"), ("huge", "larger than")],
)
def test_what_is_no_notebook_has_a_row_with_the_reason(grades, name, said):
    assert said in grades[f"{name}.ipynb"]["remarks"]


def test_a_grade_says_what_it_ran_on(grades):
    assert grades["alice.ipynb"]["ran on"] == "the course model and its samples"


@pytest.mark.parametrize("name", ["a random model"])
def test_a_grade_on_another_model_names_it(tmp_path, tiny_bert_folder, name):
    load = "from helpers.models import load_bert\nload_bert()\n"
    write(tmp_path / "in/hw.ipynb", load + RIGHT, CHECK)
    [row] = graded(tmp_path / "in", BERT_COURSE_MODEL=str(tiny_bert_folder)).values()
    assert row["word-senses.1"] == "passed"
    assert row["ran on"] == f"the model is {tiny_bert_folder}"


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
    for name, model, data in (
        ("usual", "embedded", "sample"),
        ("tiny", str(tiny_bert_folder), "sample"),
        ("absent", "no/such-model", "sample"),
        ("official", "embedded", "official"),
    ):
        own = f"assert layers == {2 if name == 'tiny' else 6}\n{RIGHT}"
        sources = (SWITCHES.format(model, data), LAYERS, own, CHECK)
        write(tmp_path / f"in/{name}.ipynb", *sources)
    on_tiny = graded(tmp_path / "in", BERT_COURSE_MODEL=str(tiny_bert_folder))
    passed = {name[:-6]: row["passed"] for name, row in on_tiny.items()}
    assert passed == {"usual": "1", "tiny": "1", "absent": "0", "official": "1"}
    assert on_tiny["usual.ipynb"]["ran on"] == "the course model and its samples"
    assert str(tiny_bert_folder) in on_tiny["tiny.ipynb"]["ran on"]
    remarks = {name[:-6]: row["remarks"] for name, row in on_tiny.items()}
    assert remarks["usual"] == remarks["tiny"] == ""
    assert "'no/such-model', not at hand here" in remarks["absent"]
    assert "the data 'official', not at hand here" in remarks["official"]


def test_the_replies_of_the_notebook_are_those_of_the_table(tmp_path):
    wrong = RIGHT.replace("accuracy, 2", "2 * accuracy, 2")
    write(tmp_path / "in/hw.ipynb", wrong, CHECK)
    [row] = graded(tmp_path / "in").values()
    names = {}
    exec(wrong, names)
    from helpers.exercises import check

    reply = check("word-senses.1", names["majority_scores"])
    assert row["remarks"] == f"word-senses.1: {reply.message}"
    [page] = Path(tmp_path, "grades of in-replies").iterdir()
    assert "not yet" in page.read_text("utf-8") and os.path.getsize(page) < 5000
