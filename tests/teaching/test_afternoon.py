"""A teacher's first afternoon: its six commands print what the page says."""

import re

import nbformat
import pytest

from helpers import exercises
from helpers.exercises.chapters import ROOT
from helpers.exercises.checks import exercises as known_exercises

TEACHING = ROOT / "teaching"
PAGE = (TEACHING / "afternoon.md").read_text(encoding="utf-8")
SAMPLE = sorted((TEACHING / "sample").glob("*.ipynb"))
BOXES = re.findall(r"```console\n\$ (.*)\n((?:.*\n)*?)```", PAGE)
SAID = {command.split()[1]: said.splitlines() for command, said in BOXES}
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def told_of(exercise):
    """What the page quotes of the remarks on an exercise, as one line."""
    quoted = re.findall(r"^> (.*(?:\n> .*)*)", PAGE, re.M)
    lines = [" ".join(text.replace("\n> ", "\n").split()) for text in quoted]
    return [line for line in lines if line.startswith(f"{exercise}: ")]


def table():
    """The table of grades that the page shows: {submission: {column: cell}}."""
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in PAGE.splitlines()
        if line.startswith("|") and not line.startswith("|--")
    ]
    return {row[0]: dict(zip(rows[0], row, strict=True)) for row in rows[1:]}


def test_there_are_six_commands_and_make_knows_them_all():
    assert len(SAID) == 6
    targets = re.findall(r"^([a-z-]+):", MAKEFILE, re.M)
    assert set(SAID) <= set(targets)


@pytest.mark.parametrize("path", SAMPLE, ids=lambda path: path.name)
def test_the_sample_is_graded_as_the_page_shows(path):
    """Without the sandbox: the cells run here, and `check` is listened to."""
    found = {}

    def listening(exercise, answer):
        found[exercise] = exercises.check(exercise, answer)

    names = {"__name__": "submission"}
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "code":
            exec(cell.source, names)
            names["check"] = listening
    row = table()[path.name]
    columns = [column for column in row if column in known_exercises()]
    assert len(columns) == len(row) - 2
    for exercise in columns:
        status = found[exercise].status if exercise in found else "missing"
        assert row[exercise] == status
        if status == "not yet":
            assert f"{exercise}: {found[exercise].message}" in told_of(exercise)
    assert row["passed"] == str(list(row.values()).count("passed"))
