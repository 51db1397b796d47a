"""The files of a grading: notebooks, the table, the gradebook, the replies."""

import csv
import json
import os
import subprocess
import sys
from pathlib import Path
from textwrap import indent

import pytest

from teaching.grading import __main__ as command
from teaching.grading import gradebook, grades, sandbox, switches, table, taken
from teaching.grading.grades import Grade
from teaching.grading.submissions import Unusable, shown, submissions_in
from teaching.grading.submissions import read as read_file
from tests.teaching.submitted import CHECK, RIGHT, ROOT

FIRST, SECOND = "word-senses.1", "word-senses.2"
GRADES = {
    "anna.ipynb": Grade({FIRST: ("passed", ""), SECOND: ("not yet", "=1+1 <b>no</b>")}),
    "group 1/hw.ipynb": Grade({FIRST: ("passed", ""), SECOND: ("passed", "")}),
    "late.ipynb": Grade(remark="it ran out of time"),
}
CANVAS = """Student,ID,SIS User ID,Section,Inside BERT
    Points Possible,,,,3
"Lee, Anna",10001,u1,A,
"=Ng, Bo",10002,u2,A,
"Li, Ana",10003,u3,A,
"""


IMPORT = "from helpers.exercises import check\n"
LOOP = "for n in [1]:\n    check(f'word-senses.{n}', majority_scores)"
LAST = CHECK.splitlines()[-1]
UNLUCKY = """try:
    import no_plots
except ImportError:
"""
# What stands around a right answer: name -> (cells, what is told beside a pass).
RIGHT_ONES = {
    "loop": ([RIGHT, IMPORT + LOOP], ""),
    "star": (["from numpy import *", RIGHT[19:].replace("np.", ""), CHECK], ""),
    "display": (["display(1)\nget_ipython()\n" + RIGHT, CHECK], ""),
    "shell": (["x = !echo 3\nassert x == ['3']\n!false\n" + RIGHT, CHECK], ""),
    "await": (["import asyncio\nawait asyncio.sleep(0)\n" + RIGHT, CHECK], ""),
    "noted": ([RIGHT, "kept = [majority_scores]", "majority_scores = 1", IMPORT,
               'check("word-senses.1", kept[0])'], ""),
    "error before": (["1 / 0\n" + RIGHT, "x = )", CHECK], "cell 1 stopped with Zero"),
    "exit": (["import sys", "sys.exit()", "exit()", RIGHT, CHECK], ""),
    "colab": (["from google.colab import files\nfiles.upload()\n" + RIGHT, CHECK],
              "no package google.colab here"),
    "plots": (["import no_plots.pyplot as plt\na, b = plt.subplots()\n" + RIGHT, CHECK],
              "no package no_plots here"),
    "plots inside": ([RIGHT.replace("    counts", "    import no_plots\n    counts"),
                      CHECK], "no package no_plots here"),
    "tried": ([UNLUCKY + indent(RIGHT, "    "), CHECK], ""),
    "magics": (["%matplotlib inline\n%env A=1\n" + RIGHT, IMPORT + "%no_magic 1",
                "%time " + LAST], "`%no_magic` not found"),
    "form": (["#@title Answer\n#@markdown here\n\n%%time\n" + RIGHT, CHECK], ""),
    "cell magic": (["%%of_a_host --x\n" + RIGHT, CHECK], ""),
    "future": (["from __future__ import annotations\n" + RIGHT, CHECK], ""),
    "twice": ([RIGHT, CHECK, CHECK.replace("majority_scores)", "len)")], ""),
}  # fmt: skip
QUOTED = [RIGHT, CHECK.replace('"', "\N{LEFT DOUBLE QUOTATION MARK}")]
RUN_ALL = """import json, sys
from teaching.grading.run_notebook import Cells
told = {}
cells = Cells(lambda **row: rows.append(row))
for name, sources in json.load(sys.stdin).items():
    rows = told[name] = []
    cells.shell.reset(new_session=False)
    cells.lacking.clear()
    cells.run(sources)
    assert not [m for m in sys.modules if m.startswith(("google.colab", "no_plots"))]
sys.stderr.write(json.dumps(told))
"""


@pytest.fixture(scope="module")
def told():
    """What each notebook reports, all run in one process and without a sandbox."""
    asked = {name: cells for name, (cells, _) in RIGHT_ONES.items()}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", RUN_ALL], cwd=ROOT, text=True,
        input=json.dumps(asked | {"quoted": QUOTED}), capture_output=True,
        env=os.environ | {"INSIDE_BERT_PROGRESS": "off"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stderr.splitlines()[-1])


def as_grade(rows):
    rows = [*rows, {"ran_on": "the course model"}]
    return grades.read_rows("\n".join(map(json.dumps, rows)).encode(), "")


@pytest.mark.parametrize("name", RIGHT_ONES)
def test_a_right_notebook_passes_whatever_surrounds_its_answer(told, name):
    assert as_grade(told[name]).replies[FIRST][0] == "passed", told[name]
    notes = "; ".join(row.get("note", "") for row in told[name])
    assert RIGHT_ONES[name][1] in notes
    assert as_grade(told[name]).remark == ""


def test_a_cell_that_is_no_python_is_named_where_nothing_passes(told):
    assert as_grade(told["quoted"]).remark == (
        "no check of an exercise ran; code cell 2 stopped with line 3, which is no "
        "Python: invalid character '\N{LEFT DOUBLE QUOTATION MARK}' (U+201C)"
    )


def test_what_is_missing_is_named_where_an_answer_fails_for_it():
    note = {"note": "there is no package seaborn here"}
    reply = {"exercise": FIRST, "status": "not yet", "reply": "It stopped."}
    assert as_grade([note, note, reply]).remark == note["note"]
    assert as_grade([note, reply, reply | {"status": "passed"}]).remark == ""


@pytest.mark.parametrize(
    ("model", "data", "said"),
    [
        ("embedded", "sample", ""),
        ("no/such-model", "sample", "the model 'no/such-model', not at hand here"),
        ("embedded", "official", "the data 'official', not at hand here"),
    ],
)
def test_what_a_notebook_was_made_on_and_is_not_here_is_named(
    monkeypatch, model, data, said
):
    for name in switches.DATA_HOMES:
        monkeypatch.setenv(name, "sample")
    monkeypatch.setenv("BERT_COURSE_MODEL", "embedded")
    monkeypatch.setattr(switches, "is_at_hand", lambda model: model == "embedded")
    cell = f"MODEL = {model!r}\nDATA = '{data}'  # data\nchoose_run(MODEL, DATA)"
    assert said in switches.follow(["MODEL = 'other'", cell])
    assert bool(said) == bool(switches.follow([cell]))


def read(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


def test_notebooks_are_known_by_their_endings_and_others_are_named(tmp_path):
    for name in ("a.ipynb", "b.IPYNB", "c.ipynb.txt", "d.ipynb.json", "e (1).ipynb",
                 "f.ipynb (2)", "report.pdf", "letter.txt", "own/g.ipynb",
                 "own/.DS_Store", ".ipynb_checkpoints/a.ipynb"):  # fmt: skip
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "linked.ipynb").symlink_to("a.ipynb")
    for name in ("h.json", "i", "j.txt"):
        (tmp_path / name).write_text('{"cells": [], "nbformat": 4}')
    found, others = submissions_in(tmp_path)
    assert [s.name for s in found] == ["a.ipynb", "b.IPYNB", "c.ipynb.txt",
        "d.ipynb.json", "e (1).ipynb", "f.ipynb (2)", "h.json", "i", "j.txt",
        "own/g.ipynb"]  # fmt: skip
    none = "no notebook (.ipynb)"
    assert others == {"linked.ipynb": "a link", "report.pdf": none, "letter.txt": none}
    assert [s.beside for s in found if s.beside] == [tmp_path / "own"]


def test_what_is_no_plain_file_is_not_read():
    with pytest.raises(Unusable, match="no regular file"):
        read_file(Path("/dev/null"))
    assert shown(Path("group 1/\udcff\n.ipynb")) == "group 1/\\xff\\x0a.ipynb"


def test_the_table_has_a_row_a_submission_and_no_formula(tmp_path):
    table.write(tmp_path / "grades.csv", GRADES)
    assert read(tmp_path / "grades.csv") == [
        ["submission", "passed", FIRST, SECOND, "remarks", "ran on"],
        ["anna.ipynb", "1", "passed", "not yet", f"{SECOND}: =1+1 <b>no</b>", ""],
        ["group 1/hw.ipynb", "2", "passed", "passed", "", ""],
        ["late.ipynb", "0", "missing", "missing", "it ran out of time", ""],
    ]
    assert [table.harmless(x) for x in ("=1", "a;=1", " -1", "a\n\x1b")] == [
        "'=1",
        "a;'=1",
        " '-1",
        "a \\x1b",
    ]


def test_a_page_of_replies_shows_text_as_it_is(tmp_path):
    table.write_replies(tmp_path / "replies", GRADES)
    first, second, _ = sorted((tmp_path / "replies").iterdir())
    assert first.name == "001-anna.ipynb.html"
    assert second.name == "002-group_1_hw.ipynb.html"
    page = first.read_text("utf-8")
    assert "&lt;b&gt;no&lt;/b&gt;" in page and "1 of 2 exercises passed" in page


def merged(tmp_path, owners, export=CANVAS):
    (tmp_path / "export.csv").write_text(export, encoding="utf-8")
    return gradebook.merged(tmp_path / "export.csv", GRADES, owners)


def test_points_go_to_exact_ids_and_the_rest_of_the_export_stays(tmp_path):
    lines, unknown = merged(tmp_path, {"10002": ["anna.ipynb"], "1000": ["late.ipynb"]})
    assert [line[-1] for line in lines] == ["Inside BERT", "3", "", 1, ""]
    assert lines[3][:2] == ["=Ng, Bo", "10002"] and unknown.endswith("export.csv: 1000")


def test_the_work_of_a_group_counts_for_each_and_an_exercise_once(tmp_path):
    (tmp_path / "owners.csv").write_text(
        "file;id\ngroup 1/hw.ipynb;10001\ngroup 1/hw.ipynb;10003\nanna.ipynb;10003\n"
    )
    owners = gradebook.whose(tmp_path / "owners.csv", list(GRADES))
    lines, unknown = merged(tmp_path, owners)
    assert [line[-1] for line in lines[2:]] == [2, "", 2] and unknown == ""


@pytest.mark.parametrize(
    ("header", "row", "owner"),
    [
        ("Identifier,Full name,Grade", "Participant 12,Bo,", "Participant 12"),
        ("Name,ID number,Email address", "Bo,,bo@example.org", "bo@example.org"),
    ],
)
def test_the_column_of_ids_is_the_one_that_has_them(tmp_path, header, row, owner):
    owned = {owner: ["anna.ipynb"], "9": ["late.ipynb"]}
    lines, unknown = merged(tmp_path, owned, f"{header}\n{row}\n")
    assert lines[1][-1] == 1
    column = header.split(",")[row.split(",").index(owner)]
    assert unknown.startswith(f"not in the column {column!r} of ")
    assert unknown.endswith(": 9")


def test_a_file_named_by_an_id_is_its_owners():
    names = ["10001.ipynb", "a/10002.ipynb.txt", "hw_10003.ipynb"]
    found = gradebook.named_by_ids(names)
    assert found == {"10001": names[:1], "10002": names[1:2], "hw_10003": names[2:]}


@pytest.fixture
def refused(tmp_path, capsys):
    """Grade a folder, which stops before anything runs; returns what is said."""

    def grade(*options):
        before = sorted(tmp_path.iterdir())
        with pytest.raises(SystemExit) as end:
            command.main([str(tmp_path), "--out", str(tmp_path / "g.csv"), *options])
        assert end.value.code == 2 and sorted(tmp_path.iterdir()) == before
        return capsys.readouterr().err

    return grade


@pytest.mark.parametrize(
    ("option", "text", "said"),
    [
        ("--owners", "file,id\nother.ipynb,1\n", "no file 'other.ipynb' was handed"),
        ("--gradebook", "Name,Mark\nA,1\n", "none of the columns ID"),
        ("--gradebook", "", "cannot be read as a table"),
    ],
)
def test_a_table_that_does_not_fit_is_named(tmp_path, refused, option, text, said):
    (tmp_path / "a.ipynb").touch()
    (tmp_path / "table.csv").write_text(text)
    assert said in refused(option, str(tmp_path / "table.csv"))


def test_without_a_notebook_the_files_that_are_none_are_named(tmp_path, refused):
    (tmp_path / "homework.zip").touch()
    said = refused()
    assert "holds no notebooks" in said
    assert "not graded: homework.zip: no notebook (.ipynb)" in said


@pytest.mark.parametrize("there", ["g.csv", "g-replies", "g-gradebook.csv"])
def test_what_is_there_already_is_left_alone(tmp_path, refused, there):
    (tmp_path / "a.ipynb").touch()
    (tmp_path / there).write_text("mine")
    assert "is there already" in refused()
    assert (tmp_path / there).read_text() == "mine"


def test_without_bubblewrap_nothing_is_graded(tmp_path, monkeypatch, refused):
    monkeypatch.setattr(sandbox.shutil, "which", lambda name: None)
    (tmp_path / "a.ipynb").touch()
    assert "bubblewrap" in refused()


# Copies of a process that holds 32 MiB: each shares them or writes its own.
COPIES = """import os, sys
held = bytearray(b"x") * 2**25
done, tell = os.pipe()
for _ in range(int(sys.argv[1])):
    if os.fork() == 0:
        if sys.argv[2] == "own":
            held[::4096] = held[1::4096]
        os.write(tell, b"x")
        sys.stdin.read()
        os._exit(0)
for _ in range(int(sys.argv[1])):
    os.read(done, 1)
print("ready", flush=True)
sys.stdin.read()
"""


@pytest.mark.skipif(sandbox.fault() is not None, reason=str(sandbox.fault()))
@pytest.mark.parametrize(
    ("number", "kind", "said"),
    [
        (12, "shared", ""),
        (12, "own", "it took too much memory"),
        (65, "shared", "it started too many processes"),
    ],
)
def test_memory_that_copies_share_counts_once(number, kind, said):
    run = [sys.executable, "-c", COPIES, str(number), kind]
    pipes = dict.fromkeys(("stdin", "stdout"), subprocess.PIPE)
    with sandbox.start(run, sandbox.ROOT / "LICENSE", 2**30, **pipes) as process:
        process.stdout.readline()
        assert taken.Watch(process.pid, memory=2**27).excess() == said
        process.kill()
