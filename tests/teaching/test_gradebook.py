"""The gradebook: nobody and nothing is lost, and what does not fit is said."""

import csv
import io
import os
from datetime import datetime
from types import SimpleNamespace

import pandas as pd
import pytest

from helpers.exercises.chapters import chapters
from helpers.whole_files import alone
from teaching.grading import __main__ as command
from teaching.grading import gradebook, rosters
from teaching.grading.owners import owner
from tests.teaching.conftest import IDS, MOODLE, SLUG

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


NOON = "2026-03-02T12:00+00:00"
ALL, ONE = ["passed"] * len(IDS), ["passed"] + ["not yet"] * (len(IDS) - 1)


def test_canvas_gets_its_own_columns_with_points_by_student(classroom, capsys):
    book, matches = classroom(
        CANVAS, {"mülleranna_10001_9_x.ipynb": ALL, "sam_10002_8_senses.ipynb": ONE}
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
    book, _ = classroom(
        MOODLE, {"1+1 Ng_12_assignsubmission_file_/a.ipynb": ONE}, form="moodle"
    )
    assert [*book] == ["First name", "Last name", "ID number", "Email address", COLUMN]
    assert [*book[COLUMN]] == ["", "1", "", ""]
    assert [*book["First name"]] == ["Anna", "'=1+1", "Ana", "Ana"]


FILE = "12_assignsubmission_file"
LEFT = """Student,ID,SIS Login ID,Section
"Lee, Anna",10001,lee,M
"Smith, Anna",10002,smith,M
"""


@pytest.mark.parametrize(
    ("roster", "path", "student"),
    [
        (MOODLE.replace("Anna", "सीता"), f"सीता Müller_{FILE}_a.ipynb", "A-7001"),
        (MOODLE.replace("Anna", "सीता"), f"सोती Müller_{FILE}_a.ipynb", ""),
    ],
)
def test_a_submission_belongs_to_whom_its_platform_names(
    tmp_path, roster, path, student
):
    (tmp_path / "roster.csv").write_text(roster)
    found, how = owner(path, rosters.read(tmp_path / "roster.csv"))
    assert (found.ids[0] if found else "") == student, how
    assert bool(found) == (how in ("id", "name", "name and id"))


def test_a_submission_without_a_student_is_said(classroom, capsys):
    twice = MOODLE + "Ana;Li;A-7005;again@example.org;1764000000\n"
    names = [f"Ana Li_{FILE}_/a.ipynb", f"No Body_{FILE}_/a.ipynb", "mine.ipynb"]
    classroom(twice, dict.fromkeys(names, ALL), form="moodle")
    said = capsys.readouterr().out
    assert "'Ana Li' fits several: Ana Li; Ana Li" in said
    assert "'No Body' fits nobody" in said
    assert "mine.ipynb: it is not named as Moodle exports it" in said
    classroom(LEFT, {"smithanna_10001_3_a.ipynb": ALL})
    said = capsys.readouterr().out
    assert "the name is that of Smith, Anna, the ID that of Lee, Anna" in said


def test_a_table_of_the_teacher_says_whose_a_file_is(classroom, tmp_path):
    table = tmp_path / "owners.csv"
    table.write_text("file,owner\nhw 1.ipynb,A-7002\ngroup/b.ipynb,Ana Li\n")
    names = {"hw 1.ipynb": ONE, "group/b.ipynb": ALL}
    book, matches = classroom(MOODLE, names, "--owners", table, form="moodle")
    assert [*book[COLUMN]] == ["", "1", "", str(len(IDS))]
    assert [*matches["found by"]][:2] == ["table", "table"]


def test_a_name_of_macos_is_the_one_that_the_teacher_types(classroom, tmp_path, capsys):
    (tmp_path / "owners.csv").write_text("file,owner\nZo\u00e9/a.ipynb,Ana Li\n")
    table = ["--owners", tmp_path / "owners.csv"]
    book, _ = classroom(MOODLE, {"Zoe\u0301/a.ipynb": ALL}, *table, form="moodle")
    assert [*book[COLUMN]] == ["", "", "", str(len(IDS))]
    assert "no such submission" not in capsys.readouterr().out


def test_a_file_of_the_table_that_is_not_there_is_said(classroom, tmp_path, capsys):
    (tmp_path / "owners.csv").write_text("file,owner\ngroup/a.ipynb,A-7001\n")
    table = ["--owners", tmp_path / "owners.csv"]
    classroom(MOODLE, {"group/A.ipynb": ALL}, *table, form="moodle")
    assert "group/a.ipynb stands in the table of owners" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("file,owner\na.ipynb,A-9\n", "line 2: 'A-9' fits nobody"),
        ("file,owner\na,A-7001\na,A-7002\n", "line 3: a has two owners"),
        ("name,mail\na,b\n", "line 2: needs the columns file and owner"),
    ],
)
def test_a_table_that_cannot_be_used_gets_one_line(
    classroom, tmp_path, capsys, text, said
):
    (tmp_path / "owners.csv").write_text(text)
    with pytest.raises(SystemExit):
        classroom(MOODLE, {"a.ipynb": ALL}, "--owners", tmp_path / "owners.csv")
    error = capsys.readouterr().err
    assert said in error and error.count("\n") == 1


def test_an_id_that_a_spreadsheet_would_compute_is_said(classroom, capsys):
    book, _ = classroom(CANVAS.replace("S-3", "=2+2"), {"a_10001_1_a.ipynb": ALL})
    assert book["SIS User ID"][3] == "=2+2"  # Canvas matches by it
    assert "=2+2 would be a formula in a spreadsheet" in capsys.readouterr().out


def test_who_deleted_the_checks_gets_0_and_who_handed_in_nothing_an_empty_cell(
    classroom,
):
    names = {"a_10001_1_a.ipynb": ALL, "a_10002_1_a.ipynb": ["missing"] * len(IDS)}
    book, _ = classroom(CANVAS, names)
    assert [*book.iloc[1:4, -1]] == [str(len(IDS)), "0", ""]


def test_points_are_those_of_the_file_and_late_ones_count_less(classroom, tmp_path):
    for name, day in {"10001": 3, "10002": 1}.items():
        notebook = tmp_path / f"in/a_{name}_1_a.ipynb"
        notebook.parent.mkdir(exist_ok=True)
        notebook.write_text("")
        os.utime(notebook, (datetime(2026, 3, day).timestamp(),) * 2)
    (tmp_path / "points.toml").write_text(f"late = 0.5\n[points]\n{SLUG} = 10\n")
    options = ["--points", tmp_path / "points.toml", "--deadline", NOON]
    names = ["a_10001_1_a.ipynb", "a_10002_1_a.ipynb"]
    book, matches = classroom(
        CANVAS, dict.fromkeys(names, ALL), *options, "--folder", tmp_path / "in"
    )
    assert [*book.iloc[:3, -1]] == ["10", "5", "10"]
    assert matches.late[0].startswith("changed 2026-03-03") and not matches.late[1]


@pytest.mark.parametrize(
    ("seconds", "said"), [(-1e12, ""), (1e12, "year 9999"), (1e300, "year 9999")]
)
def test_a_file_may_have_any_time(seconds, said):
    """Archives bring some that no calendar has."""
    status = SimpleNamespace(st_mtime=seconds)
    file = SimpleNamespace(lstat=lambda: status)
    late = gradebook._late("a.ipynb", [file], datetime.fromisoformat(NOON))
    assert bool(late) == bool(said) and said in late


def test_what_canvas_marks_late_is_late(classroom):
    _, matches = classroom(CANVAS, {"mulleranna_LATE_10001_5_a.ipynb": ALL})
    assert [*matches.late][:2] == ["marked LATE by Canvas", ""]
    own_words = [
        "a_10001_5_plates.ipynb",
        "a_10001_5_my_LATE_night.ipynb",
        "a_10001_5_b_LATE_10002_6_c.ipynb",
        f"Ana Li_{FILE}_/a_LATE_10001_5_b.ipynb",
    ]
    _, matches = classroom(CANVAS, dict.fromkeys(own_words, ALL))
    assert not any(matches.late)


ROSTERS = [
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
]
POINTS = [
    ("[points]\nnowhere = 1", "no chapter is named nowhere"),
    (f"[points]\n{SLUG} = -1", "-1, not a number from 0 on"),
    (f"[points]\n{SLUG} = true", "True, not a number"),
    ("late = 2", "at most 1"),
    ("bonus = 1", "late and"),
    ("points", "cannot-be-used"),
]
DEADLINES = ["2026-12-01", "2026-12-01T18:00", "soon"]


@pytest.mark.parametrize(
    ("option", "text", "said"),
    [
        *(("--roster", *row) for row in ROSTERS),
        *(("--points", *row) for row in POINTS),
        *(("--deadline", text, "2026-12-01T18:00+01:00") for text in DEADLINES),
    ],
)
def test_what_cannot_be_used_gets_one_line(tmp_path, capsys, option, text, said):
    given = tmp_path / "cannot-be-used"
    given.write_text(text)
    with pytest.raises(SystemExit) as end:
        value = text if option == "--deadline" else str(given)
        command.main([str(tmp_path), option, value])
    error = capsys.readouterr().err
    assert end.value.code == 2 and said in error
    assert option == "--deadline" or error.count("\n") == 1


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_roster_is_read_in_the_encodings_of_exports(tmp_path, encoding):
    path = tmp_path / "roster.csv"
    path.write_text(MOODLE.replace(";", "\t"), encoding=encoding)
    assert rosters.read(path).students[0].name == "Anna Müller"
    path.write_bytes(MOODLE.encode("latin-1"))
    with pytest.raises(rosters.RosterFault, match="not UTF-8"):
        rosters.read(path)


def test_the_deadline_that_was_understood_is_said(classroom, tmp_path, capsys):
    (tmp_path / "in").mkdir()
    (tmp_path / "in/a_10001_1_a.ipynb").write_text("")
    given = ["--deadline", "2126-03-02T12:00:59+01:00", "--folder", tmp_path / "in"]
    classroom(CANVAS, {"a_10001_1_a.ipynb": ALL}, *given)
    assert "Saturday, 02 March 2126, 12:00:59 UTC+0100" in capsys.readouterr().out


def test_a_deadline_needs_the_files(classroom, tmp_path, capsys):
    for options in ([], ["--folder", tmp_path]):
        with pytest.raises(SystemExit):
            classroom(CANVAS, {"a.ipynb": ALL}, "--deadline", NOON, *options)
        assert "folder" in capsys.readouterr().err


SPREADSHEETS = [
    lambda text: "\ufeff" + text,
    lambda text: text.replace(",", ";"),
    lambda text: text.replace("\n", "\r\n\r\n"),
]


def read_back(tmp_path, text):
    (tmp_path / "roster.csv").write_text(MOODLE)
    (tmp_path / "grades.csv").write_text(text, encoding="utf-8")
    gradebook.main([str(tmp_path / "grades.csv"), str(tmp_path / "roster.csv")])
    book = pd.read_csv(tmp_path / "grades-moodle.csv", dtype=str, na_filter=False)
    return [*book[COLUMN]]


TABLE = f"submission,passed,{IDS[0]},remarks\nAnna Müller_{FILE}_/a.ipynb,1,passed,\n"


@pytest.mark.parametrize("saved", SPREADSHEETS)
def test_a_table_that_a_spreadsheet_has_saved_is_read(tmp_path, saved):
    assert read_back(tmp_path, saved(TABLE)) == ["1", "", "", ""]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (TABLE.replace(",passed,\n", "\n"), "line 2 has 2 cells where the header"),
        (TABLE.replace(",passed,\n", ",Passed,\n"), f"{IDS[0]} is 'Passed', none of"),
        (TABLE.replace("remarks", IDS[0]), "two columns have one name"),
    ],
)
def test_a_table_with_a_damaged_row_gives_nobody_points(tmp_path, capsys, text, said):
    with pytest.raises(SystemExit) as end:
        read_back(tmp_path, text)
    error = capsys.readouterr().err
    assert end.value.code == 2 and said in error and error.count("\n") == 1


def test_what_students_write_into_their_profile_is_no_formula(classroom):
    roster = "First name,ID number,Institution,Department\nAnna,1,=1+1,@x\n"
    book, _ = classroom(roster, {f"Anna_{FILE}_/a.ipynb": ALL}, form="moodle")
    assert [*book.iloc[0]][2:4] == ["'=1+1", "'@x"]


@pytest.mark.parametrize("name", ["grades-moodle.csv", "grades-matches.csv"])
def test_what_lies_beside_the_table_is_left_alone_too(hand_in, tmp_path, capsys, name):
    (tmp_path / name).write_text("another homework")
    with pytest.raises(SystemExit) as end:
        hand_in({"a.ipynb": ALL})
    assert end.value.code == 2 and f"{name} is there already" in capsys.readouterr().err
    assert (tmp_path / name).read_text() == "another homework"


def test_the_roster_is_not_written_over(tmp_path, capsys):
    roster = tmp_path / "grades-moodle.csv"
    roster.write_text(MOODLE)
    (tmp_path / "grades.csv").write_text(TABLE)
    with pytest.raises(SystemExit):
        gradebook.main([str(tmp_path / "grades.csv"), str(roster)])
    assert "would be written over" in capsys.readouterr().err
    assert roster.read_text() == MOODLE


def test_a_name_that_the_console_does_not_have_is_said(classroom, monkeypatch):
    console = io.TextIOWrapper(io.BytesIO(), encoding="cp1252")
    monkeypatch.setattr("sys.stdout", console)
    classroom(MOODLE.replace("Anna", "सीता"), {"a.ipynb": ALL}, form="moodle")
    console.seek(0)
    assert "without a submission: \\u0938" in console.read()


def test_what_is_imported_are_the_points_that_were_given(
    hand_in, tmp_path, monkeypatch
):
    """Also where the table on the disk was changed meanwhile."""
    fill = command.Grades.fill

    def fill_and_change(*given):
        done = fill(*given)
        (tmp_path / "grades.csv").write_text("submission,passed\nx,0\n")
        return done

    monkeypatch.setattr(command.Grades, "fill", fill_and_change)
    assert hand_in({f"Anna Müller_{FILE}_/a.ipynb": ALL}) == 0
    book = pd.read_csv(tmp_path / "grades-moodle.csv", dtype=str, na_filter=False)
    assert [*book[COLUMN]] == [str(len(IDS)), "", "", ""]


def test_where_nothing_can_be_printed_all_is_written_first(
    hand_in, tmp_path, monkeypatch
):
    with open("/dev/full", "w") as full:
        monkeypatch.setattr("sys.stdout", full)
        with pytest.raises(SystemExit, match="cannot print"):
            hand_in({"Ana Li_7_assignsubmission_file_a.ipynb": ALL})
    assert (tmp_path / "grades-moodle.csv").exists()


def test_who_handed_in_no_notebook_is_said(hand_in, tmp_path, capsys):
    done, bare = "Ana Li_7_assignsubmission_file", "Anna Müller_8_assignsubmission_file"
    beside = [f"{done}/a/b.csv", f"{bare}/b.txt", f"{bare}/a.zip", "ann/b/c.txt", ".d"]
    for name in beside:
        (tmp_path / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / name).touch()
    assert not hand_in({f"{done}/a.ipynb": ALL, "ann/a/a.ipynb": ALL})
    said = capsys.readouterr().out.splitlines()
    not_graded = [line for line in said if "no notebook, so not graded" in line]
    assert not_graded == [f"{bare}/a.zip: no notebook, so not graded"]


def test_two_runs_do_not_write_one_table(hand_in, tmp_path, capsys):
    with alone(tmp_path / "grades.csv", kept=False), pytest.raises(SystemExit) as end:
        hand_in({"a.ipynb": ALL})
    assert end.value.code == 2 and "another run is writing" in capsys.readouterr().err
    assert not (tmp_path / "grades.csv").exists()


def test_grading_writes_the_gradebook_also_of_what_was_not_graded(
    hand_in, tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr(command.Grades, "fill", lambda *_: (130, "stopped"))
    name = f"Anna Müller_{FILE}_/a.ipynb"
    assert hand_in({name: ALL}) == 130
    matches = pd.read_csv(tmp_path / "grades-matches.csv", dtype=str, na_filter=False)
    assert [*matches.iloc[0]] == [name, "Anna Müller", "A-7001", "name", "", ""]
    assert len(pd.read_csv(tmp_path / "grades-moodle.csv")) == 4
    assert "1 submissions have a student" in capsys.readouterr().out
