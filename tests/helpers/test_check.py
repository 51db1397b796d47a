"""check() itself: never a traceback for an answer, never HTML from one."""

import numpy as np
import pytest

from helpers.exercises import Outcome, check


@pytest.mark.parametrize(
    "exercise", ["word-senses.9", "x.1", "word-senses", "", None, "../x.1", "11.1"]
)
def test_unknown_exercise_is_named(exercise):
    with pytest.raises(ValueError, match="there is no exercise"):
        check(exercise, 1)


def not_written(labels):
    raise NotImplementedError


@pytest.mark.parametrize(
    "answer", [None, ..., {"a": ...}, lambda labels: None, not_written]
)
def test_unfinished_answer_counts_as_not_attempted(answer):
    assert check("word-senses.1", answer).status == "not attempted yet"


@pytest.mark.parametrize("answer", [0.5, "text", [1, 2], np.zeros(3), {"a": 1}])
def test_answer_of_another_kind_is_not_yet(answer):
    assert check("word-senses.1", answer).status == "not yet"


def test_answer_that_no_check_foresaw_never_raises():
    own = {"word": "crane", "sentence": ["a"], "sense": {}, "nearest": [1, "a"]}
    assert check("word-senses.3", own).status == "not yet"
    assert check("word-senses.2", {"word": {}, "accuracy": {1: []}}).status == "not yet"
    assert check("word-senses.1", lambda labels: {"f1"}).status == "not yet"


def test_function_that_changes_its_input_is_judged_all_the_same():
    def spoils(labels):
        share = np.unique(labels, return_counts=True)[1].max() / len(labels)
        labels[:] = 0
        return share, 2 * share / (share + 1)  # the F1 of one sense, not the mean

    assert "commonest sense alone" in check("word-senses.1", spoils).message


def test_outcome_shows_words_and_escapes_what_a_student_wrote():
    shown = Outcome(
        "word-senses.1", "not yet", "<script>alert(1)</script>"
    )._repr_html_()
    assert "not yet" in shown
    assert "<script>" not in shown
