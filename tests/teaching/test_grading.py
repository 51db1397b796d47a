"""The files of a grading: notebooks, the table, the gradebook, the replies."""

import csv
import subprocess
import sys

import pytest

from teaching.grading import __main__ as command
from teaching.grading import gradebook, sandbox, table, taken
from teaching.grading.grades import Grade
from teaching.grading.submissions import submissions_in

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


def read(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


def test_notebooks_are_known_by_their_endings_and_others_are_named(tmp_path):
    for name in ("a.ipynb", "b.IPYNB", "c.ipynb.txt", "d.ipynb.json", "e (1).ipynb",
                 "f.ipynb (2)", "report.pdf", "own/g.ipynb", "own/.DS_Store",
                 ".ipynb_checkpoints/a.ipynb"):  # fmt: skip
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "linked.ipynb").symlink_to("a.ipynb")
    found, others = submissions_in(tmp_path)
    assert [s.name for s in found] == ["a.ipynb", "b.IPYNB", "c.ipynb.txt",
        "d.ipynb.json", "e (1).ipynb", "f.ipynb (2)", "own/g.ipynb"]  # fmt: skip
    assert others == {"linked.ipynb": "a link", "report.pdf": "no notebook (.ipynb)"}
    assert [s.beside for s in found if s.beside] == [tmp_path / "own"]


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
    assert lines[3][:2] == ["=Ng, Bo", "10002"] and unknown == ["1000"]


def test_the_work_of_a_group_counts_for_each_and_an_exercise_once(tmp_path):
    (tmp_path / "owners.csv").write_text(
        "file;id\ngroup 1/hw.ipynb;10001\ngroup 1/hw.ipynb;10003\nanna.ipynb;10003\n"
    )
    owners = gradebook.whose(tmp_path / "owners.csv", list(GRADES))
    lines, unknown = merged(tmp_path, owners)
    assert [line[-1] for line in lines[2:]] == [2, "", 2] and unknown == []


def test_a_file_named_by_an_id_is_its_owners():
    names = ["10001.ipynb", "a/10002.ipynb.txt", "hw_10003.ipynb"]
    found = gradebook.named_by_ids(names)
    assert found == {"10001": names[:1], "10002": names[1:2], "hw_10003": names[2:]}


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        (
            "owners.csv",
            "file,id\nother.ipynb,1\n",
            "no file 'other.ipynb' was handed in",
        ),
        ("export.csv", "Name,Mark\nA,1\n", "none of the columns ID"),
        ("export.csv", "", "cannot be read as a table"),
    ],
)
def test_a_table_that_does_not_fit_stops_before_anything_runs(
    tmp_path, capsys, name, text, said
):
    (tmp_path / "in").mkdir()
    (tmp_path / "in/a.ipynb").touch()
    (tmp_path / name).write_text(text)
    option = {"owners.csv": "--owners", "export.csv": "--gradebook"}[name]
    asked = [str(tmp_path / "in"), "--out", str(tmp_path / "g.csv")]
    with pytest.raises(SystemExit) as end:
        command.main([*asked, option, str(tmp_path / name)])
    assert end.value.code == 2 and said in capsys.readouterr().err
    assert not (tmp_path / "g.csv").exists()


@pytest.mark.parametrize("there", ["g.csv", "g-replies", "g-gradebook.csv"])
def test_what_is_there_already_is_left_alone(tmp_path, capsys, there):
    (tmp_path / "a.ipynb").touch()
    (tmp_path / there).write_text("mine")
    with pytest.raises(SystemExit):
        command.main([str(tmp_path), "--out", str(tmp_path / "g.csv")])
    assert "is there already" in capsys.readouterr().err
    assert (tmp_path / there).read_text() == "mine"


def test_without_bubblewrap_nothing_is_graded(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sandbox.shutil, "which", lambda name: None)
    (tmp_path / "a.ipynb").touch()
    with pytest.raises(SystemExit):
        command.main([str(tmp_path), "--out", str(tmp_path / "g.csv")])
    assert "bubblewrap" in capsys.readouterr().err
    assert not (tmp_path / "g.csv").exists()


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
