"""Whatever JSON is handed in as a notebook or as an answer, it is read or refused."""

import collections
import json

from hypothesis import given
from hypothesis import strategies as st

from helpers.exercises.checks import exercises
from helpers.exercises.plain_form import MOST, in_plain_form
from teaching.grading.answers_as_json import Refused, decode, encode
from teaching.grading.submitted_notebook import checks_in, code_cells, needed
from tests.strategies import many

ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(max_size=9), inner, max_size=4)
    ),
    max_leaves=12,
)
FRAGMENTS = [
    *(
        "check",
        "(",
        ")",
        '"word-senses.1"',
        ",",
        "x",
        "=",
        "\n",
        " ",
        "%",
        "!",
        "def f",
    ),
    *("(x):", "    ", "lambda", ":", "[", "]", "{", "}", "f'", "\\", "\0", "\ud800"),
    *("%%time\n", "?", "import", "from", "*", "as", "\t", "\r", "\f", "é", "0x", "#"),
]
SOURCES = st.lists(st.sampled_from(FRAGMENTS), max_size=25).map("".join)
CELLS = st.fixed_dictionaries(
    {"cell_type": st.sampled_from(["code", "markdown", "raw", ""]) | ANY},
    optional={
        "source": SOURCES | st.lists(SOURCES, max_size=3) | ANY,
        "metadata": ANY,
        "outputs": ANY,
        "execution_count": ANY,
        "id": ANY,
        "input": ANY,
    },
)
NOTEBOOKS = st.fixed_dictionaries(
    {"nbformat": st.sampled_from([4, 4, 3, 2, 1]) | ANY},
    optional={
        "cells": st.lists(CELLS, max_size=4) | ANY,
        "nbformat_minor": st.integers(0, 9) | ANY,
        "metadata": ANY,
        "worksheets": ANY | st.lists(st.fixed_dictionaries({"cells": st.lists(CELLS)})),
    },
)
KINDS = st.sampled_from(
    "list tuple set frozenset dict range function ellipsis tensor ndarray number "
    "frame series config unknown".split()
)
MESSAGES = st.recursive(
    ANY,
    lambda inner: st.fixed_dictionaries(
        {"kind": KINDS},
        optional={
            "items": st.lists(inner, max_size=4) | inner,
            "number": inner,
            "dtype": st.sampled_from(["<f4", "|b1", "<U3", "|O", "(9,)<f8", "<M8[s]"]),
            "shape": st.lists(st.integers(-1, 3) | inner, max_size=3) | inner,
            "data": st.sampled_from(["", "AAAAAA==", "AAAA"]) | inner,
            "name": inner,
        },
    ),
    max_leaves=6,
)


@many
@given(ANY | NOTEBOOKS | NOTEBOOKS)
def test_json_is_a_notebook_or_it_is_refused(value):
    try:
        cells = code_cells(json.dumps(value).encode())
    except ValueError:
        return
    known = set(exercises())
    places = [place for place, _ in checks_in(cells, known)]
    assert set(needed(cells, places)) <= set(range(len(cells)))


@many
@given(st.lists(SOURCES, max_size=4))
def test_any_code_is_searched_for_checks(cells):
    places = [place for place, _ in checks_in(cells, set(exercises()))]
    assert set(places) <= set(needed(cells, places)) <= set(range(len(cells)))


@many
@given(MESSAGES)
def test_a_message_is_an_answer_or_it_is_refused(message):
    try:
        decode(json.loads(json.dumps(message)), lambda number: number)
    except Refused:
        pass


FORMS = [list, tuple, iter, collections.deque, collections.UserList]
VALUES = st.recursive(
    st.integers() | st.text(max_size=5) | st.none() | st.floats(allow_nan=False),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(max_size=3), inner, max_size=3).map(
            collections.UserDict
        )
        | st.builds(lambda form, x: form(x), st.sampled_from(FORMS), st.lists(inner))
    ),
    max_leaves=8,
)


@many
@given(VALUES)
def test_what_crosses_is_the_plain_form(value):
    plain = in_plain_form(value)
    assert in_plain_form(plain) == plain
    message = json.loads(json.dumps(encode(plain, [])))
    assert decode(message, None) == plain


def test_a_range_without_end_is_cut_before_anyone_counts_it():
    assert len(in_plain_form(range(10**12))) == MOST + 1
