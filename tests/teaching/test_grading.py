"""Grading: right answers pass, wrong ones do not, and only plain values cross."""

import contextlib
import io
import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.exercises.asking import came
from helpers.exercises.chapters import chapters
from helpers.exercises.passed import exercises
from helpers.exercises.replies import NotYet
from helpers.exercises.running import guarded
from teaching.grading import __main__ as command
from teaching.grading import grades_table, intake, running_submission, sandbox
from teaching.grading.answers_as_json import (
    Refused,
    Unknown,
    decode,
    encode,
    receive,
    send,
)
from teaching.grading.submitted_notebook import (
    checks_in,
    code_cells,
    mentions,
    needed,
)


def test_without_a_sandbox_it_refuses_and_names_the_command(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr(sandbox.shutil, "which", lambda name: None)
    (tmp_path / "right.ipynb").write_text("{}")
    out = tmp_path / "grades.csv"
    with pytest.raises(SystemExit) as end:
        command.main([str(tmp_path), "--out", str(out)])
    assert end.value.code == 2
    assert "apt-get install bubblewrap" in capsys.readouterr().err
    assert not out.exists()


def test_a_folder_without_notebooks_is_named(tmp_path, capsys):
    with pytest.raises(SystemExit):
        command.main([str(tmp_path / "nowhere")])
    assert "holds no notebooks" in capsys.readouterr().err


def crossed(value):
    functions = []
    message = json.loads(json.dumps(encode(value, functions)))
    return decode(message, lambda number: functions[number])


def test_kinds_and_errors_are_named_as_in_the_notebook():
    assert came(crossed(object())) == came(object()) == "an object"

    def stops(*_):
        raise running_submission._error({"error": "KeyError", "said": "2"})

    with pytest.raises(NotYet, match="stopped with KeyError: 2"):
        guarded(stops)()


def test_a_function_is_called_where_it_is():
    assert crossed({"f": lambda x: x + 1})["f"](2) == 3


def test_objects_do_not_cross():
    assert isinstance(crossed(object()), Unknown)
    assert isinstance(crossed(np.array([object()]))[0], Unknown)
    forged = {"kind": "ndarray", "dtype": "|O", "shape": [1], "data": "AAAAAAAAAAA="}
    with pytest.raises(Refused, match="objects"):
        decode(forged, None)


ARRAY = {"kind": "ndarray", "dtype": "<f4", "shape": [1], "data": "AAAAAA=="}


@pytest.mark.parametrize(
    "message",
    [
        [1],
        {"kind": "list"},
        {"kind": "list", "items": [[]]},
        {"kind": "dict", "items": [[{"kind": "list", "items": []}, 1]]},
        {"kind": "function", "number": float("inf")},
        {"kind": "range", "items": [0, 1, 0]},
        {"kind": "set", "items": list(range(20_000))},
        {"kind": "list", "items": [0] * 400_000},
        ARRAY | {"shape": [-1]},
        ARRAY | {"shape": [float("nan")]},
        ARRAY | {"shape": [10**12]},
        ARRAY | {"shape": [0, 10**12], "data": ""},
        ARRAY | {"dtype": "<U99999999"},
        ARRAY | {"dtype": "V4"},
        ARRAY | {"data": 7},
    ],
)
def test_a_message_made_by_hand_is_refused(message):
    with pytest.raises(Refused):
        decode(message, lambda number: number)


def test_a_config_brings_only_settings_that_there_are():
    items = encode({"hidden_size": 8, "to_dict": "x", "__class__": "y"}, [])
    config = decode({"kind": "config", "items": items}, None)
    assert config.hidden_size == 8 and callable(config.to_dict)


def test_messages_that_are_too_large_are_refused():
    stream = io.BytesIO()
    send(stream, list(range(100)))
    stream.seek(0)
    assert receive(stream) == list(range(100))
    stream.seek(0)
    with pytest.raises(Refused, match="at most 10"):
        receive(stream, largest=10)
    with pytest.raises(EOFError):
        receive(io.BytesIO(b"\1"))


@pytest.mark.parametrize("text", ["=1+1", "@x", "-2", "+3", " =1", "'=1"])
@pytest.mark.parametrize("before", ["", "a;", "a,", "a|", "a\t", "a\n", "a; "])
def test_no_cell_of_the_table_is_a_formula(before, text):
    cell = grades_table.harmless(before + text)
    for separator in ";,|\t\r\n":
        for part in cell.split(separator):
            assert part.strip(" '")[0] not in "=@+-" or part.strip()[0] == "'"
    assert not any(cell.split(x)[-1].startswith(tuple("=@+-")) for x in ";,|\t\n")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\0b\x1b[1m", "a\\x00b\\x1b[1m"),
        ("\ud800", "\\ud800"),
        ("a\u202eb", "a\\u202eb"),
        ("passed", "passed"),
        ("", ""),
        ("word-senses.1: é, expected 3-4", "word-senses.1: é, expected 3-4"),
    ],
)
def test_only_what_cannot_be_seen_is_changed(text, shown):
    assert grades_table.harmless(text) == shown


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="/\0")))
def test_a_name_is_read_back_from_the_table(name):
    assert grades_table.path_in(grades_table.harmless(Path(name))) == str(Path(name))


def test_two_names_of_files_stay_two():
    names = ["a\tb", "a\\tb", "a\\\tb", "a b", "a\u200cb", "a\\u200cb"]
    assert len({grades_table.harmless(Path(name)) for name in names}) == len(names)


@pytest.mark.parametrize(
    "source",
    [
        'check("word-senses.1", f)',
        'print(check("word-senses.1", f))',
        'x = check("word-senses.1", answer=f)',
        'check(answer=f, exercise="word-senses.1")',
        'exercises.check("word-senses.1", f)',
        'from helpers.exercises import check as own\nown("word-senses.1", f)',
        '%%time\ncheck("word-senses.1", f)',
        '%time check("word-senses.1", f)',
        'if True:\n    !ls\n    check("word-senses.1", f)',
    ],
)
def test_a_check_is_found_in_the_syntax(source):
    assert checks_in(["1", source], set(exercises())) == [(1, "word-senses.1")]


@pytest.mark.parametrize(
    "source",
    [
        '# check("word-senses.1", f)',
        '"""check("word-senses.1", f)"""',
        'check("99.9", f)',
        'test("word-senses.1", f)',
        "check(11.1, f)",
        "check()",
        'check("word-senses.1"',
        '%%bash\ncheck("word-senses.1", f)',
    ],
)
def test_what_is_no_check_is_not_taken_for_one(source):
    assert checks_in([source], set(exercises())) == []


def test_the_last_check_of_an_exercise_counts():
    cells = [
        'check("word-senses.1", f)',
        'check("word-senses.2", g)',
        'check("word-senses.1", h)',
        "# end",
    ]
    assert checks_in(cells, set(exercises())) == [
        (1, "word-senses.2"),
        (2, "word-senses.1"),
    ]


def test_cells_for_several_checks_come_in_their_order():
    cells = [
        "f = 1",
        "9",
        'check("word-senses.1", f)',
        "g = f",
        'check("word-senses.2", g)',
    ]
    assert needed(cells, [2, 4]) == [0, 2, 3, 4]


@pytest.mark.parametrize("slug", chapters())
def test_of_an_untouched_notebook_only_what_a_stub_needs_runs(slug):
    cells = code_cells(Path(f"notebooks/{slug}.ipynb").read_bytes())
    checks = checks_in(cells, set(exercises()))
    plan = needed(cells, [place for place, _ in checks])
    for place, exercise in checks:
        left_out = [i for i in range(place) if i not in plan]
        assert not mentions(cells, left_out, place), exercise


def test_what_stands_behind_the_stub_may_be_the_answer():
    stub, check = "def f(x):\n    ...", 'check("word-senses.1", f)'
    for later in ("from mine import *", "f.done = 1", "exec('f = 1')"):
        assert mentions([stub, later, check], [1], 2)
        assert not mentions([later, stub, check], [0], 2)


def test_what_cannot_be_looked_into_has_a_row_with_the_reason(tmp_path, monkeypatch):
    """A folder that an archive has closed, and one whose path is too long."""
    (tmp_path / "shut").mkdir()
    monkeypatch.setattr(intake.os, "access", lambda path, mode: "shut" not in str(path))
    assert intake.submissions(tmp_path) == [tmp_path / "shut"]
    monkeypatch.undo()
    (tmp_path / "shut").rmdir()
    with contextlib.chdir(tmp_path):
        for _ in range(24):
            os.mkdir("n" * 200)
            os.chdir("n" * 200)
    [long] = intake.submissions(tmp_path)
    assert len(str(long)) > 4095
    with pytest.raises((intake.Unusable, OSError), match="File name too long"):
        intake.take(long, tmp_path, tmp_path / "copy")
    subprocess.run(["rm", "-rf", tmp_path / ("n" * 200)], check=True)


def test_what_macos_adds_to_an_archive_is_not_handed_in(tmp_path):
    for name in ("hw.ipynb", "data.txt", "__MACOSX/._hw.ipynb", "._hw.ipynb"):
        path = tmp_path / "in/ann" / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text("")
    [own] = intake.submissions(tmp_path / "in")
    intake.take(own, tmp_path / "in", tmp_path / "copy")
    assert sorted(os.listdir(tmp_path / "copy")) == ["data.txt", "notebook.ipynb"]


def test_only_a_folder_of_its_own_goes_with_a_notebook(tmp_path):
    for name in ("a/hw.ipynb", "a/own.txt", "b/one.ipynb", "b/two.ipynb", "c.ipynb"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(name)
    taken = {}
    for number, path in enumerate(intake.submissions(tmp_path)):
        place = tmp_path / str(number)
        intake.take(path, tmp_path, place)
        taken[path.name] = {p.name: p.read_text() for p in place.iterdir()}
    assert taken == {
        "hw.ipynb": {"notebook.ipynb": "a/hw.ipynb", "own.txt": "a/own.txt"},
        "one.ipynb": {"notebook.ipynb": "b/one.ipynb"},
        "two.ipynb": {"notebook.ipynb": "b/two.ipynb"},
        "c.ipynb": {"notebook.ipynb": "c.ipynb"},
    }
