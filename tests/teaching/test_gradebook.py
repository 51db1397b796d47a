"""The gradebook: nobody and nothing is lost, and what does not fit is said."""

import csv
import os
from datetime import datetime

import pandas as pd
import pytest

from helpers._support.contents import chapters
from helpers.exercises.checks import exercises
from teaching.grading import __main__ as command
from teaching.grading import gradebook, rosters

SLUG = "word-senses"
IDS = [e for e in exercises() if e.startswith(f"{SLUG}.")]
COLUMN = f"{chapters()[SLUG].number}. Word senses"
CANVAS = """\
Student,ID,SIS User ID,SIS Login ID,Section,{column} (77),Final Score
,,,,,Manual Posting,
    Points Possible,,,,,3,(read only)
"Müller, Anna",10001,S-1,anna.mueller,"BERT, Monday",,
"O'Brien ""Bo"", Sam",10002,S-2,sob2,Tuesday,,
=1+1,10003,S-3,evil,Tuesday,,
"Student, Test",10004,,f00d5eed,Tuesday,,
"""
MOODLE = """\
First name;Last name;ID number;Email address;Last downloaded from this course
Anna;Müller;A-7001;anna.mueller@example.org;1764000000
=1+1;Ng;A-7002;ng@example.org;1764000000
Ana;Li Chen;A-7003;li@example.org;1764000000
Ana;Li;A-7004;ana@example.org;1764000000
"""


@pytest.fixture
def classroom(tmp_path):
    """Return (write a roster and grades, run, read what was written)."""

    def run(roster, submissions, *options, form="canvas"):
        (tmp_path / "roster.csv").write_text(roster.format(column=COLUMN))
        with (tmp_path / "grades.csv").open("w", newline="") as stream:
            out = csv.writer(stream)
            out.writerow(["submission", "passed", *IDS, "remarks"])
            for name, statuses in submissions.items():
                out.writerow([name, statuses.count("passed"), *statuses, ""])
        files = [str(tmp_path / name) for name in ("grades.csv", "roster.csv")]
        gradebook.main([*files, *map(str, options)])
        tables = [tmp_path / f"grades-{name}.csv" for name in (form, "matches")]
        return [pd.read_csv(path, dtype=str, na_filter=False) for path in tables]

    return run


ALL, ONE = ["passed"] * len(IDS), ["passed"] + ["not yet"] * (len(IDS) - 1)


def test_canvas_gets_its_own_columns_with_points_by_student(classroom, capsys):
    book, matches = classroom(
        CANVAS, {"mulleranna_10001_9_x.ipynb": ALL, "sob2/word-senses.ipynb": ONE}
    )
    owned = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
    assert [*book] == [*owned, f"{COLUMN} (77)"]
    assert [*book.iloc[0]] == ["    Points Possible", "", "", "", "", str(len(IDS))]
    assert [*book.iloc[:, -1]][1:] == [str(len(IDS)), "1", "", ""]
    assert [*book.ID][1:] == ["10001", "10002", "10003", "10004"]
    assert book.Student[1] == "Müller, Anna"
    assert book.Student[2] == """O'Brien "Bo", Sam"""
    assert book.Student[3] == "'=1+1"  # no spreadsheet computes it
    assert book.Section[1] == "BERT, Monday"
    assert len(matches) == 4
    said = capsys.readouterr().out
    assert "2 submissions have a student, 0 have none" in said
    assert "without a submission: '=1+1; Student, Test" in said


def test_moodle_gets_what_it_matches_by(classroom):
    book, _ = classroom(MOODLE, {"A-7002/a.ipynb": ONE}, form="moodle")
    assert [*book] == ["First name", "Last name", "ID number", "Email address", COLUMN]
    assert [*book[COLUMN]] == ["", "1", "", ""]
    assert [*book["First name"]] == ["Anna", "'=1+1", "Ana", "Ana"]


@pytest.mark.parametrize(
    ("path", "student"),
    [
        ("anna.mueller@example.org/word-senses.ipynb", "A-7001"),
        ("Anna Mueller_123_assignsubmission_file/a.ipynb", "A-7001"),
        ("MÜLLER-ANNA.ipynb", "A-7001"),
        ("Mu\u0308ller_Anna.ipynb", "A-7001"),
        ("muelleranna_1_2_a.ipynb", "A-7001"),
        ("Ana Li Chen/a.ipynb", "A-7003"),
        ("Ana Li/a.ipynb", "A-7004"),
        ("Ana Li A-7003/a.ipynb", "A-7003"),
        ("A-7001 A-7002/a.ipynb", ""),
        ("Anna/a.ipynb", ""),
        ("A-70011/a.ipynb", ""),
    ],
)
def test_a_submission_belongs_to_the_one_student_who_fits(classroom, path, student):
    _, matches = classroom(MOODLE, {path: ALL}, form="moodle")
    assert matches.id[0] == student
    assert bool(student) == (matches["found by"][0] in ("id", "name", "id and name"))


def test_a_submission_without_a_student_is_said(classroom, capsys):
    classroom(MOODLE, {"A-7001 A-7002.ipynb": ALL, "nobody.ipynb": ALL}, form="moodle")
    said = capsys.readouterr().out
    assert "A-7001 A-7002.ipynb: fits several: Anna Müller; '=1+1 Ng" in said
    assert "nobody.ipynb: no id and no whole name" in said


def test_an_id_that_a_spreadsheet_would_compute_is_said(classroom, capsys):
    book, _ = classroom(CANVAS.replace("S-3", "=2+2"), {"10001.ipynb": ALL})
    assert book["SIS User ID"][3] == "=2+2"  # Canvas matches by it
    assert "=2+2 would be a formula in a spreadsheet" in capsys.readouterr().out


def test_the_best_of_several_submissions_counts(classroom):
    names = {"10001/first.ipynb": ONE, "10001/second.ipynb": ONE[::-1]}
    book, _ = classroom(CANVAS, names)
    assert book.iloc[1, -1] == "2"


def test_points_are_those_of_the_file_and_late_ones_count_less(classroom, tmp_path):
    for name, day in {"10001": 3, "10002": 1}.items():
        (tmp_path / "in" / name).mkdir(parents=True)
        notebook = tmp_path / f"in/{name}/a.ipynb"
        notebook.write_text("")
        os.utime(notebook, (datetime(2026, 3, day).timestamp(),) * 2)
    (tmp_path / "points.toml").write_text(f"late = 0.5\n[points]\n{SLUG} = 10\n")
    options = ["--points", tmp_path / "points.toml", "--deadline", "2026-03-02T12:00"]
    names = ["10001/a.ipynb", "10002/a.ipynb"]
    book, matches = classroom(
        CANVAS, dict.fromkeys(names, ALL), *options, "--folder", tmp_path / "in"
    )
    assert [*book.iloc[:3, -1]] == ["10", "5", "10"]
    assert matches.late[0].startswith("changed 2026-03-03") and not matches.late[1]


def test_what_canvas_marks_late_is_late(classroom):
    _, matches = classroom(CANVAS, {"mulleranna_LATE_10001_5_a.ipynb": ALL})
    assert [*matches.late][:2] == ["marked LATE by Canvas", ""]
    _, matches = classroom(CANVAS, {"10001_plates.ipynb": ALL})
    assert not matches.late[0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        ("name,mail\nA,b\n", "neither that of a Canvas gradebook"),
        ("Vorname,Nachname,E-Mail-Adresse\nA,B,c\n", "in English"),
        ("First name,Email address\n", "names no student"),
        ("First name,Email address\nA,b,c\n", "line 2 has 3 cells where the header"),
        ("First name,Email address\nA\n", "line 2 has 1 cells"),
        ("First name,Email address\nA,b\nC,B\n", "lines 2 and 3 have the same Email"),
        ("ID number,First name,ID number\n1,A,1\n", "two columns ID number"),
        ('First name,ID number\n"A,1\n', "is no CSV"),
        ("First name,ID number\nA\0,1\n", "zero bytes"),
        ("Student,ID\nA,1\n", "neither that of a Canvas"),
    ],
)
def test_a_roster_that_cannot_be_used_gets_one_line(tmp_path, capsys, text, said):
    (tmp_path / "roster.csv").write_text(text)
    with pytest.raises(SystemExit) as end:
        command.main([str(tmp_path), "--roster", str(tmp_path / "roster.csv")])
    error = capsys.readouterr().err
    assert end.value.code == 2 and said in error and error.count("\n") == 1


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_roster_is_read_in_the_encodings_of_exports(tmp_path, encoding):
    path = tmp_path / "roster.csv"
    path.write_text(MOODLE.replace(";", "\t"), encoding=encoding)
    assert rosters.read(path).students[0].name == "Anna Müller"
    path.write_bytes(MOODLE.encode("latin-1"))
    with pytest.raises(rosters.RosterFault, match="not UTF-8"):
        rosters.read(path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[points]\nnowhere = 1", "no chapter is named nowhere"),
        (f"[points]\n{SLUG} = -1", "-1, not a number from 0 on"),
        (f"[points]\n{SLUG} = true", "True, not a number"),
        ("late = 2", "at most 1"),
        ("bonus = 1", "late and"),
        ("points", "points.toml"),
    ],
)
def test_points_that_cannot_be_used_get_one_line(tmp_path, capsys, text, said):
    (tmp_path / "points.toml").write_text(text)
    with pytest.raises(SystemExit) as end:
        command.main([str(tmp_path), "--points", str(tmp_path / "points.toml")])
    error = capsys.readouterr().err
    assert end.value.code == 2 and said in error and error.count("\n") == 1


def test_a_deadline_needs_the_files(classroom, tmp_path, capsys):
    for options in ([], ["--folder", tmp_path]):
        with pytest.raises(SystemExit):
            classroom(CANVAS, {"a.ipynb": ALL}, "--deadline", "2026-03-02", *options)
        assert "folder" in capsys.readouterr().err


def test_grading_writes_the_gradebook_also_of_what_was_not_graded(
    tmp_path, monkeypatch, capsys
):
    (tmp_path / "roster.csv").write_text(MOODLE)
    (tmp_path / "in/A-7001").mkdir(parents=True)
    (tmp_path / "in/A-7001/a.ipynb").write_text("{}")
    monkeypatch.setattr(command.sandbox, "fault", lambda: None)
    monkeypatch.setattr(command, "Judges", lambda: None)
    monkeypatch.setattr(command.Grades, "fill", lambda *_: (130, "stopped"))
    options = ["--roster", str(tmp_path / "roster.csv")]
    out = ["--out", str(tmp_path / "grades.csv")]
    assert command.main([str(tmp_path / "in"), *out, *options]) == 130
    matches = pd.read_csv(tmp_path / "grades-matches.csv", dtype=str, na_filter=False)
    assert [*matches.iloc[0]] == [
        "A-7001/a.ipynb",
        "Anna Müller",
        "A-7001",
        "id",
        "",
        "",
    ]
    assert len(pd.read_csv(tmp_path / "grades-moodle.csv")) == 4
    assert "1 submissions have a student" in capsys.readouterr().out
