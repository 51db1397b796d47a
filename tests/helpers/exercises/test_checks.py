"""check() itself: never a traceback for an answer, never HTML from one."""

import json
import math

import numpy as np
import pytest

from helpers.exercises import check
from helpers.exercises.chapters import chapters
from helpers.exercises.checks import exercises
from tests.bad_input import one_line
from tests.strategies import STRANGE

FIRST = exercises()[0]
NUMBER = chapters()["attention"].number


@pytest.mark.parametrize("given", ["word-senses.9", "x.1", "", None, "../x.1", "11.1"])
def test_unknown_exercise_is_named(given):
    assert "there is no exercise" in one_line(ValueError, lambda: check(given, 1))


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        (f"0{NUMBER}.3", "attention.3"),
        (NUMBER + 0.1, "attention.1"),
        (lambda x: x, FIRST),
    ],
)
def test_a_number_for_an_id_gets_the_right_id(given, meant):
    said = one_line(ValueError, lambda: check(given, 1))
    assert f'write check("{meant}", answer)' in said and len(said) < 150


def not_written(labels):
    raise NotImplementedError


@pytest.mark.parametrize(
    ("answer", "status", "said"),
    [
        ({"a": 1, "b": 2, "c": ...}, "not yet", "c is still open."),
        ({"a": 1, "b": None}, "not attempted yet", "b is still open."),
        ({"a": 1, "b": 2, "c": {4: ...}}, "not yet", "c[4] is still open."),
    ],
)
def test_of_a_dict_the_open_keys_are_named(answer, status, said):
    outcome = check("word-senses.2", answer)
    assert (outcome.status, outcome.message) == (status, said)


def test_an_open_key_that_nobody_asks_for_is_no_gap():
    sizes = {"hidden_size": 256, "num_attention_heads": 4, "intermediate_size": 512}
    answer = {**sizes, "num_hidden_layers": 41, "parameters": 29_622_784, "dtype": None}
    assert check("architecture.3", answer).status == "passed"
    answer["parameters"] += 1
    assert check("architecture.3", answer).message == "dtype is still open."


@pytest.mark.parametrize(
    "answer", [None, ..., {"a": ...}, lambda labels: None, not_written]
)
def test_unfinished_answer_counts_as_not_attempted(answer):
    assert check("word-senses.1", answer).status == "not attempted yet"


def test_a_function_that_changes_its_input_is_still_judged():
    def spoils(labels):
        share = np.unique(labels, return_counts=True)[1].max() / len(labels)
        labels[:] = 0
        return share, 2 * share / (share + 1)  # the F1 of one sense, not the mean

    assert "commonest sense alone" in check("word-senses.1", spoils).message


class Hostile:
    """An answer that breaks whatever looks at it."""

    def _refuse(self, *_):
        raise RuntimeError("<script>alert(1)</script>\nsecond line")

    __len__ = __iter__ = __float__ = __array__ = __getitem__ = __lt__ = _refuse
    __call__ = keys = items = values = _refuse


ENDLESS = {}
ENDLESS["a"] = ENDLESS
JUNK = [
    True, 3, -1, 10**30, 2.5, math.inf, "words", b"bytes", [], {}, [None], {"a": 1},
    np.zeros(0), np.full((2, 3), np.nan), object(), lambda *_: "x", Exception("e"),
    [[1], [2, 3]], *STRANGE, Hostile(), [Hostile()] * 3, ENDLESS,
]  # fmt: skip


@pytest.mark.parametrize("exercise", [f"{slug}.1" for slug in list(chapters())[::4]])
def test_no_answer_makes_a_check_raise(exercise):
    for junk in JUNK:
        outcome = check(exercise, junk)
        assert outcome.status in ("not yet", "not attempted yet"), junk
        assert "<script>alert" not in outcome._repr_html_()
    json.dumps(check(exercise, math.nan).message)
