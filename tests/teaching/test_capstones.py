"""The graded capstones: the note's own code finds the leak; its figures are true."""

import json
import re
from functools import cache

import numpy as np
import pytest
from capstone.report import check_report

from teaching.plans import TEACHING

NOTE = (TEACHING / "capstone.md").read_text(encoding="utf-8")
EXAMPLES = {
    name: text
    for name, text in re.findall(
        r"^### (capstone-\w+)\.json\n(.*?)(?=^### |\Z)", NOTE, re.M | re.S
    )
}


@cache
def report(name):
    return json.loads((TEACHING / f"{name}.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def note():
    """The functions that the note shows."""
    names = {}
    exec(re.search(r"```python\n(.*?)```", NOTE, re.S)[1], names)
    return names


def test_there_are_two_examples():
    assert sorted(EXAMPLES) == ["capstone-good", "capstone-leak"]


@pytest.mark.parametrize("name", EXAMPLES)
def test_both_reports_are_complete(name):
    assert check_report(report(name)).complete


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_note_counts_near_repeats_as_its_code_finds_them(name, note):
    near = [cosine > 0.8 for cosine, *_ in note["nearest"](report(name))]
    said = re.search(r"[Oo]f (\d+) test texts, (\d+) have", EXAMPLES[name]).groups()
    assert [len(near), sum(near)] == [int(number) for number in said]


def test_the_accuracies_of_the_note_are_those_of_the_report(note):
    leaky = report("capstone-leak")
    near = np.array([cosine > 0.8 for cosine, *_ in note["nearest"](leaky)])
    for row, side in (("counted words", "baseline"), ("frozen BERT", "model")):
        said = re.search(rf"\| {row} \| (.*) \| (.*) \|", EXAMPLES["capstone-leak"])
        found = [note["accuracy"](leaky, side, texts) for texts in (near, ~near)]
        assert [f"{share:.2f}" for share in found] == [*said.groups()]
