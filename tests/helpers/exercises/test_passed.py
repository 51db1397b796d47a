"""What was passed stays known, whatever becomes of the file that keeps it."""

import json

import pytest

from helpers import exercises, whole_files
from helpers.exercises import NotYet, check, passed, progress


@pytest.fixture(autouse=True)
def own_file(tmp_path, monkeypatch):
    path = tmp_path / "kept" / "progress.json"
    monkeypatch.setenv("INSIDE_BERT_PROGRESS", str(path))
    return path


@pytest.fixture(autouse=True)
def an_easy_exercise(monkeypatch):
    def checker(answer):
        if answer != 42:
            raise NotYet("Expected another number.")

    monkeypatch.setattr(exercises, "checker_of", lambda exercise: checker)


def statuses():
    return {i: status for i, status, _ in progress().rows}


def test_a_passed_exercise_is_shown_as_passed_from_then_on():
    check("word-senses.1", ...)
    assert statuses() == dict.fromkeys(passed.exercises(), "not attempted yet")
    check("word-senses.1", 1)
    assert statuses()["word-senses.1"] == "not yet"
    check("word-senses.1", 42)
    check("word-senses.1", 1)  # a later slip does not undo it
    assert statuses()["word-senses.1"] == "passed"
    assert progress().passed == 1
    assert repr(progress()).endswith(f"1 of {len(passed.exercises())} exercises passed")


def test_after_each_check_a_line_says_how_far_one_is():
    whole, of_chapter = len(passed.exercises()), 3
    assert check("word-senses.1", ...).so_far == ""
    line = f"0 of {of_chapter} passed in this chapter, 0 of {whole} in the course."
    assert check("word-senses.1", 1).so_far == line
    check("attention.1", 42)
    outcome = check("word-senses.1", 42)
    line = f"1 of {of_chapter} passed in this chapter, 2 of {whole} in the course."
    assert outcome.so_far == line
    assert line in repr(outcome) and line in outcome._repr_html_()


def test_off_keeps_nothing(monkeypatch, tmp_path):
    monkeypatch.setenv("INSIDE_BERT_PROGRESS", "off")
    monkeypatch.chdir(tmp_path)
    assert check("word-senses.1", 42).passed
    assert check("word-senses.1", 42).so_far == ""
    assert statuses()["word-senses.1"] == "not attempted yet"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kept", ["[1]", "{", '{"word-senses.1": 3}'])
def test_whatever_the_file_holds_what_passes_now_is_kept(own_file, kept):
    own_file.parent.mkdir()
    own_file.write_text(kept)
    check("word-senses.1", 42)
    assert statuses()["word-senses.1"] == "passed"
    assert own_file.with_name("progress.json.unreadable").read_text() == kept


def test_a_link_stays_one_and_what_it_leads_to_is_written(own_file, tmp_path):
    own_file.parent.mkdir()
    own_file.symlink_to(tmp_path / "disk/progress.json")
    for exercise in ("word-senses.1", "word-senses.2"):
        check(exercise, 42)
    assert own_file.is_symlink()
    assert len(json.loads((tmp_path / "disk/progress.json").read_text())) == 2


def test_where_nothing_can_be_written_the_answer_still_counts(own_file, monkeypatch):
    own_file.parent.write_text("a file where a folder is needed")
    assert check("word-senses.1", 42).passed
    own_file.parent.unlink()

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(whole_files.os, "replace", full)
    assert check("word-senses.1", 42).passed
    left = [path.name for path in own_file.parent.iterdir()]
    assert left == ["progress.json.lock"]  # nothing half-written stays
