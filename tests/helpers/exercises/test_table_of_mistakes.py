"""A table of mistakes: one is named that fits all that was tried, or two, or none."""

import numpy as np
import pytest

from helpers.exercises.mistakes import Choices, Mistakes
from helpers.exercises.replies import NotYet

MEAN = Mistakes(
    right=np.mean,
    known={
        "the sum": np.sum,
        "the largest": max,
        "the middle, or the half": (np.median, lambda x: np.mean(x) / 2),
        "the last": lambda x: x[-1],
        "the fifth": lambda x: x[4],
    },
    what="The mean",
)


def said(answer, *inputs, table=MEAN):
    with pytest.raises(NotYet) as error:
        table.judge([((x,), answer(x)) for x in inputs])
    return str(error.value)


@pytest.mark.parametrize(
    ("answer", "inputs", "expected"),
    [
        (np.sum, ([1, 2], [3, 5]), "the sum"),
        (np.median, ([1, 2, 9], [3, 5, 8, 30]), "the middle, or the half"),
        (lambda x: np.mean(x) / 2, ([1, 2, 9], [3, 5]), "the middle, or the half"),
        (max, ([1, 2], [5, 3]), "the largest"),
        (lambda x: x[4], ([1, 2, 4, 3, 9], [0, 0, 9, 8, 7]), "the last Or: the fifth"),
    ],
)
def test_what_fits_all_trials_is_named(answer, inputs, expected):
    assert said(answer, *inputs) == expected


def test_a_mistake_that_fits_one_trial_or_explains_one_number_is_not_named():
    numbers = "The mean must be right to four decimals; yours is "
    assert said(lambda x: 7, [3, 4], [2, 5], [1, 2]) == f"{numbers}7."  # twice the sum
    assert said(np.sum, [1, 2], [5]) == f"{numbers}3."  # the mean of one is its sum


def test_a_choice_is_named_and_one_that_is_not_known_is_told():
    table = Choices({"a": 1, "b": 2}, {"b is no 3": {"b": 3}, "both": {"a": 0, "b": 0}})
    for given, expected in (
        ({"a": 9, "b": 3}, "b is no 3"),
        ({"a": 0, "b": 0}, "both"),
        ({"a": 0, "b": 2}, "a is not 0."),
    ):
        with pytest.raises(NotYet) as error:
            table.judge(given)
        assert str(error.value) == expected
    assert dict(table.answers()) == {
        "b is no 3": {"a": 1, "b": 3},
        "both": {"a": 0, "b": 0},
    }


def told(answer, *stages, table=MEAN, **options):
    with pytest.raises(NotYet) as error:
        table.ask("mean", answer, *stages, **options)
    return str(error.value)


def test_a_function_that_is_asked_is_told_its_input_and_what_was_expected():
    MEAN.ask("mean", np.mean, [([1, 2],)], [([3, 5],)])
    wrong = "For [1, 2] expected 1.5; yours is 9."
    assert told(lambda x: 9, [([1, 2],), ([0, 4],)]) == wrong
    assert told(np.sum, [([1, 2],), ([3, 5],)]) == "the sum"
    assert "itself, without brackets: mean" in told(1.5, [([1, 2],)])
    said = told(lambda x: "none", [([1, 2],)], hint="Return one number.")
    assert said.endswith("Return one number.")


def test_a_later_stage_is_not_tried_where_an_earlier_one_is_wrong():
    assert told(lambda x: x[1], [([1, 2],), ([3, 5],)], [([7],)]).startswith("the l")


def test_of_many_numbers_the_one_farthest_off_is_told():
    table = Mistakes(np.sqrt, {}, "Each root", digits=2)
    numbers = np.arange(12.0).reshape(3, 4)
    off = np.sqrt(numbers) + (numbers == 9)
    said = told(lambda x: off, [(numbers,)], table=table)
    assert said.endswith("expected 3 at [2][1]; yours has 4 there.")
    said = told(lambda x: [1, 2], [(numbers[0],)], table=table, read=lambda got, x: got)
    assert (
        said
        == "For [0.0, 1.0, 2.0, 3.0] expected [0, 1, 1.414, 1.732]; yours is [1, 2]."
    )
