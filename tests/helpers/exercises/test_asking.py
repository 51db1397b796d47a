"""How checks ask for an answer: which forms are taken, what is said of the others."""

import numpy as np
import pandas as pd
import pytest
import torch

from helpers.exercises import NotYet
from helpers.exercises.asking import (
    a_dict,
    a_list,
    a_number,
    a_text,
    a_whole_number,
    an_array,
    name_rounding,
    right_to,
)

GRADED = torch.tensor([[1.0, 2.0]], requires_grad=True)


def refusal(function, *arguments, **options):
    """What is said: one line that ends in a full stop and holds no traceback."""
    with pytest.raises(NotYet) as caught:
        function(*arguments, **options)
    said = str(caught.value)
    assert said.endswith((".", "?")) and "\n" not in said and len(said) < 200
    return said


TABLE = {"shape": (None, 2), "what": "table"}
PLACES = {"what": "places", "length": 2, "each": a_whole_number}


@pytest.mark.parametrize(
    ("ask", "form", "options", "said"),
    [
        *(
            (ask, form, {"what": "n", "low": -np.inf}, said)
            for ask in (a_number, a_whole_number)
            for form, said in (
                ("half", " number; this is text: 'half'."),
                (True, "yours is True or False"),
                (1j, "yours is complex"),
                (float("nan"), "yours is nan"),
                (10**400, "yours is inf"),
                ([1, 2], "this is a list of length 2"),
                (GRADED, "this is a tensor of shape (1, 2)"),
                (None, "this is None"),
            )
        ),
        (
            an_array,
            [1, 2],
            TABLE,
            "shape (any, 2); yours has the shape (2,)",
        ),
        (an_array, [[1, 2], [3]], TABLE, "rows of unequal length"),
        (an_array, [["1", "two"]], TABLE, "this is text: 'two'"),
        (an_array, [[1, np.nan]], TABLE, "yours holds nan or infinity"),
        (a_list, "ab", PLACES, "must be a list of 2 entries; this is text: 'ab'."),
        (a_list, {1, 2}, PLACES, "this is a set of length 2"),
        (a_list, [1], PLACES, "yours has 1 entry"),
        (a_list, ["one", 2], PLACES, "places[0] must be a whole number, 0 or larger;"),
        (a_text, 5, {"what": "sentence"}, "this is 5"),
        (a_text, " ", {"what": "sentence"}, "empty"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_is_another_kind_is_told(ask, form, options, said):
    assert said in refusal(ask, form, **options)


def test_a_number_out_of_bounds_is_refused_and_a_whole_one_keeps_its_digits():
    assert a_whole_number(2**53 + 1, "count") == 2**53 + 1
    assert "yours is 2.5" in refusal(a_whole_number, 2.5, "count")
    assert "0 or larger; yours is -3" in refusal(a_whole_number, -3, "count")
    said = refusal(a_number, 87, "share", 0, 1, hint="Is it per cent?")
    assert said == "share must be a number from 0 to 1; yours is 87. Is it per cent?"


def test_a_dict_gives_its_values_or_is_told_which_key_is_missing_or_too_many():
    assert a_dict({np.int64(4): 1}, (4,), only=True) == [1]
    assert a_dict(pd.Series({"b": 1, "a": 2}), ("a", "b")) == [2, 1]
    keys = ("word", "sense", "row")
    assert refusal(a_dict, {"row": 1}, keys) == (
        "Pass a dict with the keys word, sense and row; yours lacks word and sense."
    )
    said = refusal(a_dict, {1: 0, 2: 0}, (1,), "accuracy", only=True)
    assert said == "accuracy must be a dict with the keys 1; yours also has 2."


@pytest.mark.parametrize("got", [0.64, 0.638, 0.6375, 0.6375004])
def test_a_number_may_be_rounded_as_the_page_prints_it(got):
    right_to(got, 0.6375, 2, "The share")
    right_to(0.64, 0.6351, 2, "The share")


@pytest.mark.parametrize(
    ("got", "truth", "said"),
    [
        (0.63, 0.6375, "The share must be right to two decimals; yours is 0.63."),
        (np.nan, 0.6375, "The share must be right to two decimals; yours is nan."),
        ([1.1, 1.6], [1.1, 1.54], "two decimals; yours[1] is 1.6."),
        ([1], 1, "two decimals; yours has the shape (1,)."),
    ],
)
def test_the_precision_that_is_asked_and_the_wrong_number_are_named(got, truth, said):
    assert refusal(right_to, got, truth, 2, "The share").endswith(said)


def test_what_is_only_rounded_too_far_is_told_how_many_decimals():
    truth = [0.6375, 0.2514]
    said = refusal(name_rounding, [0.64, 0.25], truth, 4, "Each share")
    assert said == "Each share must be right to four decimals; yours[0] is 0.64."
    for other in ([1, 0], [0.7, 0.3], truth):  # whole numbers may be choices
        name_rounding(other, truth, 4, "Each share")
