"""Each kept table says what made it, and that its weights are those that ship."""

import hashlib
import importlib.util
import re
import tomllib

import pytest

from helpers import DATA

RESULTS = DATA / "results"
MADE = tomllib.loads((RESULTS / "made-by.toml").read_text(encoding="utf-8"))
WEIGHTS = DATA / "course-model/weights.safetensors"
SHIPPED = hashlib.sha256(WEIGHTS.read_bytes()).hexdigest()
# Of an earlier training: their pages print times and counts, and no vector's number.
EARLIER = {"bfloat16.csv", "embedding-speed.csv", "engines.csv"}


def test_each_table_is_listed_with_what_made_it():
    assert set(MADE) == {path.name for path in RESULTS.glob("*.csv")}
    assert {name for name, of in MADE.items() if of["weights"] == "earlier"} == EARLIER


@pytest.mark.parametrize("name", MADE)
def test_a_table_was_made_with_the_weights_that_ship(name):
    if MADE[name]["weights"] not in ("none", "earlier"):
        assert MADE[name]["weights"] == SHIPPED, "make it again, or take it out"


@pytest.mark.parametrize(
    "path", [*(DATA.parent / "chapters").glob("*/*.csv")], ids=lambda path: path.name
)
def test_a_table_beside_a_page_was_made_with_the_weights_that_ship(path):
    text = path.read_text("utf-8")
    wanted = "none" if path.name == "control-rates.csv" else SHIPPED
    assert re.findall("^# weights: (.*)$", text, re.M) == [wanted]
    assert text.startswith("# made by: python -m experiments.")


@pytest.mark.parametrize("name", MADE)
def test_the_command_that_made_a_table_is_there(name):
    words = MADE[name]["command"].split()
    if words[:2] == ["python", "-m"]:
        assert importlib.util.find_spec(words[2]), words[2]
        text = importlib.util.find_spec(words[2]).loader.get_source(words[2])
        stem = name.removesuffix(".csv")
        assert stem in text or words[2].startswith("benchmarks.")
