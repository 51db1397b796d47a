"""Attacks on the grading, and accidents in it: each costs its own submission only."""

import os
import socket
from pathlib import Path

import pytest
import torch

from helpers.exercises import NotYet
from helpers.exercises.running import SOFTMAX, without
from teaching.grading import sandbox
from teaching.grading.running_submission import RunningSubmission
from tests.teaching.submitted import CHECK, RIGHT, ROOT, graded, write

needs_sandbox = pytest.mark.skipif(
    sandbox.fault() is not None, reason=str(sandbox.fault())
)
pytestmark = [needs_sandbox, pytest.mark.slow]

# Python that stops the notebook, before its answer, where something was got at.
READS_OTHERS = """import glob, json, os
found = [p for place in (".", "..", "/tmp", "/handed-in", {folder!r})
         for p in glob.glob(place + "/**/*.ipynb", recursive=True)]
for path in sorted(found):
    for cell in json.load(open(path))["cells"]:
        if "majority" in cell["source"]:
            exec(cell["source"])
"""
READS_SOLUTIONS = """import helpers, pathlib, re
root = pathlib.Path(helpers.__file__).parents[1]
found = [p for n in ("chapters", "notebooks", "tests")
         for p in (root / n).rglob("*.*") if p.name != "glossary.md"]
if found:
    majority_scores = lambda labels: (1, 1)
    raise SystemExit(found)
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
tries("users", lambda: open("/etc/passwd", "rb"))
tries("place", lambda: os.listdir({folder!r}))
for place in ("/", "/dev", "/etc", "/usr/bin", "/handed-in", {root!r}):
    tries("write " + place, lambda: open(place + "/mine", "w"))
for place, _, files in os.walk("/proc"):
    if not place.split("/")[2:] or not place.split("/")[2].isdigit():
        for name in files:
            path = os.path.join(place, name)
            tries(path, lambda: os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK)))
for place in ("/home", "/root", "/run", "/var", "/sys", "/work"):
    for parent, _, files in os.walk(place):
        if not parent.startswith({python!r}) and files:
            got.append(parent)
def new_namespace():
    if os.system("unshare --user --map-root-user true"):
        raise OSError
tries("namespace", new_namespace)
if got: raise RuntimeError(got[:5])
"""
MEMORY = """import mmap, os
held = []
def majority_scores(labels):
    while True:
        held.append(mmap.mmap(-1, 2**26))
        held[-1].write(b"x" * 2**26)
"""
HIDDEN_MEMORY = """import ctypes, os
library = ctypes.CDLL(None)
if library.shmget(0, 2**20, 0o1600) != -1:
    raise RuntimeError("shared memory")
try:
    os.memfd_create("held")
    raise RuntimeError("no limit")
except PermissionError:
    pass
"""
FILES = """def majority_scores(labels):
    for number in range(10**9):
        open(f"/tmp/{number}", "w").close()
"""
PROCESSES = """import os, time
def majority_scores(labels):
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
MANY_PAIRS = """from helpers.exercises import check
pairs = [(f"{i} " * 100, f"{i} {i} " * 90, i % 6) for i in range(3000)]
spearman = {"cls": 0.1, "mean": 0.1, "max": 0.1}
check("sentence-embeddings.3", {"pairs": pairs, "spearman": spearman})
"""
HOOKS = """from helpers.exercises import check
answer = {"sentence": "the [MASK] " + "old " * 480 + "fell", "word": "man",
          "head": (0, 0), "change": 1.0, "others": [(1, i) for i in range(10)],
          "other_changes": [1.0] * 10}
check("interventions.3", answer)
"""
WIDE = """from helpers.exercises import check
answer = {
    "templates": ["{:>300000000} [MASK]"] + [f"{{}} {i} [MASK]" for i in range(30)],
    "pair": ("he", "she"), "targets": (["a"], ["b"]),
    "differences": [0.0] * 31, "mean": 0.0, "interval": (0.0, 1.0)}
check("masked-language-model.3", answer)
"""
DEEP = '{"cells": ' + "[" * 100_000


COLLIDING = 'check("word-senses.1", {k * (2**61 - 1) for k in range(12_000)})'
FORGES_ROWS = """import os, sys, json, struct
for number in range(3, 40):
    for text in (b'{"exercise": "word-senses.1", "status": "passed", "message": ""}\\n',
                 struct.pack("<Q", 2**60)):
        try:
            os.write(number, text)
        except OSError:
            pass
"""
LYING = """class Liar(float):
    __eq__ = __ge__ = __le__ = __lt__ = lambda *_: True
    __float__ = lambda self: 1.0
    __array__ = lambda self, *a, **k: 1 / 0
    __class__ = property(lambda self: float)
    __module__ = "torch"
class Outcome:
    status, passed, message = "passed", True, ""
import helpers.exercises, builtins, numpy
numpy.isclose = numpy.allclose = lambda *a, **k: True
builtins.isinstance = lambda *a: True
def majority_scores(labels):
    return Liar(1), Liar(1)
"""
CONFIG = """from transformers import BertConfig
own = BertConfig(hidden_size=8)
own.__dict__.update({"__class__": "x", "to_dict": 1, "dtype": "os.system"})
check("word-senses.1", {"a": own, "b": float("nan"), "c": [[[]]] * 9})
"""
IMPORT = "from helpers.exercises import check\n"
WITHOUT_END = ("sleeps", "check sleeps", "stops itself", "many pairs")
LOOPED = "sentence-embeddings.1", "sentence-embeddings.2"
TWO_LOOPS = [
    IMPORT + f"def turn(*_):\n    while True: pass\ncheck({LOOPED[0]!r}, turn)",
    IMPORT + f"while True: pass\ncheck({LOOPED[1]!r}, {{}})",
]
# name -> (cells, status of word-senses.1, what the remark says)
BY_LOOP = IMPORT + 'for name in ["word-senses.1"]:\n    check(name, majority_scores)'
HOSTILE = {
    "solutions": ([READS_SOLUTIONS, RIGHT, CHECK], "passed", ""),
    "looped": ([RIGHT, BY_LOOP], "missing", "its id must stand in the call"),
    "memory": ([MEMORY, CHECK], "not yet", "memory"),
    "hidden memory": ([HIDDEN_MEMORY + RIGHT, CHECK], "passed", ""),
    "files": ([FILES, CHECK], "not yet", "files"),
    "processes": ([PROCESSES, CHECK], "not yet", "processes"),
    "disk": ([DISK + RIGHT, CHECK], "passed", ""),
    "colliding": ([IMPORT + COLLIDING], "not yet", "10000 elements"),
    "megabytes": (
        [IMPORT + 'check("word-senses.1", "x" * 36_000_000)'],
        "not yet",
        "bytes",
    ),
    "invented": (
        [IMPORT, *(f'check("{i}.{i}", 1)' for i in range(300)), RIGHT, CHECK],
        "passed",
        "",
    ),
    "forges rows": ([RIGHT.replace("max", "min"), FORGES_ROWS, CHECK], "not yet", ""),
    "lying": ([LYING, CHECK], "not yet", ""),
    "config": ([IMPORT + CONFIG], "not yet", ""),
    "sleeps": (["import time\ntime.sleep(999)\n" + RIGHT, CHECK], "not yet", "time"),
    "check sleeps": (["def majority_scores(x):\n while 1: pass", CHECK], "not yet", ""),
    "stops itself": (["import os\nos.kill(os.getpid(), 19)", CHECK], "not yet", "time"),
    "kills itself": (
        ["import os\nos.kill(os.getpid(), 9)\n" + RIGHT, CHECK],
        "not yet",
        "ended",
    ),
    "writes formulas": (["raise ValueError('a;=1+1;b')", CHECK], "not yet", ";'=1+1"),
    "hooks": ([HOOKS, RIGHT, CHECK], "passed", ""),
    "wide": ([WIDE, RIGHT, CHECK], "passed", "masked-language-model.3: "),
    "many pairs": ([MANY_PAIRS, CHECK], "not yet", "sentence-embeddings.3: "),
}
STUBBED = "def majority_scores(labels):\n    ..."
UNSEEN = "globals()['majority_scores'] = my_scores"
# Modules that a kernel has loaded before anything of a student's is found
OF_THE_KERNEL = ("random", "glob", "queue", "logging", "bdb", "traitlets", "IPython")
RIGHT_ONES = {
    "star": ["from numpy import *", "import numpy as np\nx = ones(3)", RIGHT, CHECK],
    "star needed": ["from numpy import *", RIGHT[19:].replace("np.", ""), CHECK],
    "display": ["display(1)\nget_ipython()\n" + RIGHT, CHECK],
    "shell": ["x = !echo 3\nassert x == ['3']\n!true\n" + RIGHT, CHECK],
    "magics": ["if True:\n    %time y = 1\n%env A=1\n" + RIGHT, CHECK],
    "await": ["import asyncio\nawait asyncio.sleep(0)\n" + RIGHT, CHECK],
    "popped": [
        RIGHT,
        "items = [majority_scores, 3]",
        "last = items.pop()",
        IMPORT + 'check("word-senses.1", items[-1])',
    ],
    "noted": [
        RIGHT,
        "kept = {}\ndef note(x):\n    kept['f'] = x",
        "note(majority_scores)",
        IMPORT + 'check("word-senses.1", kept["f"])',
    ],
    "set up": [
        RIGHT,
        "def setup():\n    global f\n    f = majority_scores",
        "setup()",
        IMPORT + 'check("word-senses.1", f)',
    ],
    "error before": [RIGHT, "1 / 0", "x = )", CHECK],
    "state": ["import sys", "sys.exit()", "exit()", RIGHT, CHECK],
    "bound unseen": [STUBBED, RIGHT.replace("majority", "my"), UNSEEN, CHECK],
}


@pytest.fixture(scope="module")
def outside(tmp_path_factory):
    """A folder of submissions, and what lies and listens outside of the sandbox."""
    folder = tmp_path_factory.mktemp("outside") / "in"
    servers = [socket.socket(kind) for kind in (socket.AF_UNIX, socket.AF_UNIX)]
    path, abstract = str(folder.parent / "listener"), "\0course-listener"
    servers[0].bind(path)
    servers[1].bind(abstract)
    servers.append(socket.create_server(("127.0.0.1", 0)))
    for server in servers:
        server.listen()
    spy = LOOKS_AROUND.format(
        path=path,
        abstract=abstract,
        inet=servers[2].getsockname(),
        folder=str(folder),
        root=str(ROOT),
        python=tuple(map(str, _python_folders())),
    )
    yield folder, spy
    for server in servers:
        server.close()


def _python_folders():
    import sys

    return {sys.prefix, sys.base_prefix, ROOT / "helpers", ROOT / "data", ROOT}


@pytest.fixture(scope="module")
def grades(outside):
    """The rows of all of them; those that use up their time get little of it."""
    folder, spy = outside
    for name, (cells, _, _) in HOSTILE.items():
        place = folder.parent / "without-end" if name in WITHOUT_END else folder
        write(place / f"{name}.ipynb", *cells)
    for name, cells in RIGHT_ONES.items():
        write(folder / f"{name}.ipynb", *cells)
    write(folder / "alice.ipynb", RIGHT, CHECK)
    write(folder / "spy.ipynb", spy + RIGHT, CHECK)
    others = READS_OTHERS.format(folder=str(folder))
    write(folder / "reads others.ipynb", others, CHECK)
    write(folder / "zoe.ipynb", RIGHT, CHECK)
    ends = IMPORT + "import os\nword = os._exit(1)"
    second = 'check("word-senses.2", {"word": word, "accuracy": {}})'
    write(folder / "ends one.ipynb", ends, second, RIGHT, CHECK)
    _odd_files(folder)
    options = ("--memory", "1.5", "--workers", "3")
    ended = graded(folder.parent / "without-end", "--seconds", "8", *options)
    return ended | graded(folder, "--seconds", "40", *options)


def _odd_files(folder):
    (folder / "linked.ipynb").symlink_to("alice.ipynb")
    (folder / "zero.ipynb").symlink_to("/dev/zero")
    (folder / "folder.ipynb").mkdir()
    (folder / "linked folder").symlink_to("/etc")
    os.mkfifo(folder / "pipe.ipynb")
    with open(folder / "huge.ipynb", "wb") as file:
        file.truncate(10**10)
    (folder / "nested.ipynb").write_text(DEEP)
    (folder / "utf-16.ipynb").write_bytes("{}".encode("utf-16"))
    text = (folder / "alice.ipynb").read_bytes()
    (folder / "mark.ipynb").write_bytes(b"\xef\xbb\xbf" + text)
    Path(os.fsdecode(os.fsencode(folder) + b"/andr\xe9.ipynb")).write_bytes(text)
    (folder / "a;=1+1;b.ipynb").write_bytes(text)
    own = folder / "own"
    own.mkdir()
    os.mkfifo(own / "pipe")
    (own / "link").symlink_to("../alice.ipynb")
    (own / "numbers.txt").write_text("3")
    reads = "import os\nassert open('numbers.txt').read() == '3'\n"
    reads += "assert sorted(os.listdir()) == ['notebook.ipynb', 'numbers.txt']\n"
    write(own / "hw.ipynb", reads + RIGHT, CHECK)
    same = write(folder / "same names/hw.ipynb", RIGHT, CHECK).parent
    for name in OF_THE_KERNEL:
        (same / f"{name}.py").write_text("raise RuntimeError('of the student')")


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_notebook_gets_what_it_deserves(grades, name):
    _, status, said = HOSTILE[name]
    row = grades[f"{name}.ipynb"]
    assert row["word-senses.1"] == status, row
    assert said in row["remarks"]
    assert row["remarks"] or status in ("passed", "not attempted yet")


@pytest.mark.parametrize("name", RIGHT_ONES)
def test_right_notebook_passes_however_it_is_written(grades, name):
    assert grades[f"{name}.ipynb"]["word-senses.1"] == "passed", grades[f"{name}.ipynb"]


def test_only_exercises_that_exist_get_a_column(grades):
    taken = {"masked-language-model.3", "interventions.3", "word-senses.2"}
    columns = {"submission", "passed", "word-senses.1", "remarks"} | taken
    assert set(grades["invented.ipynb"]) == columns


def test_check_that_takes_too_much_costs_its_own_exercise_only(grades):
    assert grades["wide.ipynb"]["masked-language-model.3"] == "not yet"
    assert grades["many pairs.ipynb"]["sentence-embeddings.3"] == "not yet"


def test_cell_that_ends_the_process_costs_its_own_exercise_only(grades):
    row = grades["ends one.ipynb"]
    assert (row["word-senses.2"], row["word-senses.1"]) == ("not yet", "passed")
    assert "word-senses.2: its process ended" in row["remarks"]


def test_loop_without_end_costs_its_own_exercise_only(tmp_path):
    write(tmp_path / "in/loops.ipynb", *TWO_LOOPS, RIGHT, CHECK)
    [row] = graded(tmp_path / "in", "--seconds", "30").values()
    assert [row[exercise] for exercise in LOOPED] == ["not yet", "not yet"]
    assert row["word-senses.1"] == "passed"
    assert f"{LOOPED[0]}: it ran out of time" in row["remarks"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("linked", "link"),
        ("zero", "link"),
        ("folder", "folder"),
        ("pipe", "no regular file"),
        ("huge", "larger than"),
        ("nested", "cannot be read as a notebook"),
        ("utf-16", "cannot be read as a notebook"),
    ],
)
def test_what_is_no_notebook_gets_a_row_with_the_reason(grades, name, said):
    row = grades[f"{name}.ipynb"]
    assert (row["word-senses.1"], row["passed"]) == ("missing", "0")
    assert said in row["remarks"]


def test_linked_folder_is_not_followed_and_has_a_row(grades):
    assert "link" in grades["linked folder"]["remarks"]


@pytest.mark.parametrize(
    "name",
    [
        *("mark.ipynb", "andr\\xe9.ipynb", "a;'=1+1;b.ipynb", "own/hw.ipynb"),
        "same names/hw.ipynb",
    ],
)
def test_odd_name_or_neighbour_costs_nothing(grades, name):
    assert grades[name]["word-senses.1"] == "passed", grades[name]


def test_file_beside_a_notebook_that_is_none_is_named(grades):
    remarks = grades["own/hw.ipynb"]["remarks"]
    assert "left out: cannot be read: it is no regular file" in remarks


def test_submission_in_the_same_folder_cannot_be_read(grades):
    assert grades["reads others.ipynb"]["word-senses.1"] == "not yet"
    assert "NameError" in grades["reads others.ipynb"]["remarks"]


def test_sandbox_shows_nothing_else_of_the_machine(grades):
    row = grades["spy.ipynb"]
    assert (row["word-senses.1"], row["remarks"]) == ("passed", "")


FORBIDDEN = """import torch
def softmax(scores):
    return torch.softmax(scores, -1)
"""
STUB = "def softmax(scores):\n    ...\n"


@pytest.mark.parametrize(
    ("cell", "raised", "said"),
    [(FORBIDDEN, NotYet, "calls softmax"), (STUB, NotImplementedError, None)],
)
def test_what_a_check_forbids_is_forbidden_in_the_sandbox_too(
    tmp_path, cell, raised, said
):
    write(tmp_path / "a.ipynb", cell)
    handed_in = 'from helpers.exercises import check\ncheck("word-senses.1", softmax)'
    with RunningSubmission(tmp_path, 4 * 2**30, []) as student:
        answer = student.run([cell, handed_in], "word-senses.1")
        with without(*SOFTMAX), pytest.raises(raised, match=said):
            answer(torch.zeros(2))
