"""A class of each platform; two graders at once; a student who hands in much."""

import contextlib
import os
import subprocess
from pathlib import Path

import pandas as pd
import pytest

from teaching.grading import grades_table, turns

CANVAS = """\
Student,ID,SIS Login ID,Section
"Lee, Anna",101,lee1,M
"Lee, Anna",102,lee2,M
"Müller, Eva",103,muller1,M
"Muller, Eva",104,muller2,M
Madonna,105,madonna,M
"محمدی\u200cفر, نرگس",106,narges,M
"O'Brien, Bo",107,bo,M
"van der Berg, Jan",108,jan,M
"Li, Ana",109,li,M
"Li Chen, Ana",110,lichen,M
"Nobody, Handed",111,nobody,M
"""
# A file, which of its three exercises are right, and whose it is.
IN_CANVAS = """\
leeanna_101_9001_senses.ipynb|110|101
leeanna_101_9002_senses-1.ipynb|001|101
homework 1/leeanna_101_9031_a.ipynb|000|101
leeanna_102_9003_senses.ipynb|100|102
leeanna_LATE_102_9004_again.ipynb|010|102
leeanna_102_9005_101.ipynb|000|102
müllereva_103_9006_a.ipynb|111|103
mullereva_104_9007_a.ipynb|010|104
mullereva_104_9008_müllereva_103_9_a.ipynb|100|104
mullereva_103_9009_a.ipynb|111|
madonna_105_9010_a.ipynb|011|105
madonna_105_9011_leeanna_101_1_x.ipynb|010|105
محمدیفرنرگس_106_9012_a.ipynb|101|106
محمدیفرنرگس_LATE_106_9013_b.ipynb|001|106
obrienbo_107_9014_a.ipynb|100|107
obrienbo_107_9015_hw_106_9.ipynb|100|107
obrienbo_107_9016_2026.ipynb|100|107
vanderbergjan_108_9017_a.ipynb|110|108
vanderbergjan_108_9018_b/part 1/x.ipynb|001|108
vanderbergjan_108_9018_b/part 2/x.ipynb|000|108
liana_109_9019_a.ipynb|010|109
liana_109_9020_lichenana_110_9021_a.ipynb|001|109
lichenana_110_9022_a.ipynb|100|110
lichenana_110_9023_b.ipynb|111|110
gone_999_101_a.ipynb|111|
gone_998_9024_anna lee.ipynb|111|
102.ipynb|111|
leeanna.ipynb|111|
101/leeanna.ipynb|111|
a_107_b.ipynb|111|"""
MOODLE = """\
First name,Last name,Email address
Anna,Lee,101
Anna,Lee,102
Eva,Müller,103
Eva,Muller,104
Madonna,,105
نرگس,محمدی\u200cفر,106
Bo,O'Brien,107
Jan,van der Berg,108
Ana,Li,109
Ana,Li Chen,110
Handed,Nobody,111
"""
IN_MOODLE = """\
Anna Lee_11_@_/a.ipynb|111|101
Anna Lee_12_@_/a.ipynb|110|102
Anna Lee_11_@_/b.ipynb|111|
Eva Müller_13_@_/a.ipynb|110|103
Eva Mu\u0308ller_13_@_b.ipynb|001|103
Eva Muller_14_@_a.ipynb|010|104
Eva Muller_14_@_/Eva Müller.ipynb|100|104
Muller Eva_14_@_/c.ipynb|000|104
Madonna_15_@_/a.ipynb|011|105
Madonna_15_@_/Anna Lee_11_@_/x.ipynb|010|105
نرگس محمدی\u200cفر_16_@_/a.ipynb|101|106
نرگس محمدی\u200cفر_16_@_b.ipynb|001|106
Bo O'Brien_17_@_/a.ipynb|100|107
Bo O'Brien_17_@_/106.ipynb|100|107
Bo O'Brien_17_@_/110_9_.ipynb|000|107
Jan van der Berg_18_@_/part 1/x.ipynb|110|108
Jan van der Berg_18_@_/part 2/x.ipynb|001|108
Ana Li_19_@_/a.ipynb|010|109
Ana Li_19_@_/Ana Li Chen_20_@_/a.ipynb|001|109
homework 1/Ana Li_19_@_/c.ipynb|000|109
Ana Li Chen_20_@_/a.ipynb|100|110
Ana Chen Li_20_@_b.ipynb|111|110
Ana_21_@_/a.ipynb|111|
Left Student_22_@_/a.ipynb|111|
101/a.ipynb|111|
Anna Lee.ipynb|111|
109_23_@_/a.ipynb|111|
homework 1/Handed.ipynb|111|
Lee_24_@_/a.ipynb|111|
11.ipynb|111|""".replace("@", "assignsubmission_file")
TWINS = """\
file,owner
Anna Lee_11_@_/a.ipynb,101
Anna Lee_12_@_/a.ipynb,102
""".replace("@", "assignsubmission_file")
POINTS = [3, 2, 3, 2, 2, 2, 1, 3, 2, 3, ""]  # of students 101 to 111
DEEP = {"canvas": "liana_109_9040_deep", "moodle": "Ana Li_19_assignsubmission_file_"}


@pytest.fixture
def deep_folder(tmp_path):
    """Make 1,200 folders in one another, which no walk by recursion leaves again."""

    def made(name):
        (tmp_path / "in" / name).mkdir(parents=True, exist_ok=True)
        with contextlib.chdir(tmp_path / "in" / name):
            for _ in range(1200):
                os.mkdir("d")
                os.chdir("d")

    yield made
    subprocess.run(["rm", "-rf", tmp_path / "in"], check=True)


@pytest.mark.parametrize(
    ("form", "roster", "rows"),
    [("canvas", CANVAS, IN_CANVAS), ("moodle", MOODLE, IN_MOODLE)],
)
def test_the_points_of_a_class_are_those_counted_by_hand(
    hand_in, deep_folder, tmp_path, form, roster, rows
):
    rows = [row.split("|") for row in rows.splitlines()]
    bits = {"0": "not yet", "1": "passed"}
    deep_folder(DEEP[form])
    (tmp_path / "owners.csv").write_text(TWINS, encoding="utf-8")
    owners = ["--owners", tmp_path / "owners.csv"] if form == "moodle" else []
    assert len(rows) == 30
    passed = {name: [bits[bit] for bit in given] for name, given, _ in rows}
    assert hand_in(passed, *owners, roster=roster) == 0
    book, matches = (
        pd.read_csv(tmp_path / f"grades-{name}.csv", dtype=str, na_filter=False)
        for name in (form, "matches")
    )
    found = dict(zip(matches.submission, matches.id, strict=True))
    whose = {grades_table.harmless(Path(name)): owner for name, _, owner in rows}
    deep = {name: id for name, id in found.items() if name.endswith("/d/d")}
    assert found == whose | deep | {"": "111"} and [*deep.values()] == ["109"]
    assert [*book.iloc[-11:, -1]] == list(map(str, POINTS))


class Clock:
    """Time that goes on only where something is graded."""

    def __init__(self):
        self.now = 0.0

    def monotonic(self):
        return self.now


def test_who_hands_in_much_keeps_nobody_waiting(hand_in, tmp_path, monkeypatch):
    clock, order = Clock(), []
    monkeypatch.setattr(turns, "time", clock)
    names = [f"leeanna_101_{n}_a.ipynb" for n in range(40)]
    names += [f"leeanna_101_99_b/{n}/a.ipynb" for n in range(40)]
    names += ["madonna_105_1_a.ipynb", "obrienbo_107_1_a.ipynb", "own/a.ipynb"]

    def graded():
        clock.now += 7.0
        order.append(clock.now)

    passed = dict.fromkeys(names, ["passed"] * 3)
    options = ["--seconds", "7", "--workers", "1"]
    assert hand_in(passed, *options, then=graded, roster=CANVAS) == 0
    table = pd.read_csv(tmp_path / "grades.csv", dtype=str, na_filter=False)
    done = {n: row.passed for n, row in zip(table.submission, table.iloc, strict=True)}
    assert sum(done[name] == "3" for name in names[:80]) == turns.SHARE
    assert all(done[name] == "3" for name in names[80:])
    assert set(table.remarks) == {"", turns.OVER} and len(order) == turns.SHARE + 3


def test_the_first_notebook_of_each_is_graded_before_the_second_of_any():
    names = ["a_1_1_x.ipynb", "a_1_2_y.ipynb", "a_1_3_z.ipynb", "b/x.ipynb", "c.ipynb"]
    assert turns.Turns(names, 1).order() == [0, 3, 4, 1, 2]
