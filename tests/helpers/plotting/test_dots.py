"""Scores as dots: each mark at its place, in the legend what it means."""

import re

from helpers.plotting.pictures.dots import LEFT, WIDE, dots


def test_marks_stand_where_their_scores_are():
    rows = {"a <b>": ([0.5, 0.75], [1.0]), "c": ([], [])}
    picture = dots(rows, "two rows", [0.5, 1], ("one", "two"), (0.5, "a coin"))
    places = [float(x) for x in re.findall(r'cx="([\d.]+)"', picture)]
    marks, legend = places[:3], places[3:]
    assert marks == [LEFT, LEFT + WIDE / 2, LEFT + WIDE] and len(legend) == 2
    texts = re.findall(r">([^<>]+)</text>", picture)
    assert texts == ["50%", "100%", "a coin", "a &lt;b&gt;", "c", "one", "two"]
    assert 'aria-label="two rows"' in picture


def test_without_names_there_is_no_legend():
    picture = dots({"a": ([3], [])}, "one row", [0, 5], form=".0f")
    assert picture.count("<circle") == 1 and ">5</text>" in picture
