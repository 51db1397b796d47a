"""The table of versions in CONTRIBUTING is what is pinned, asked for and tested."""

import re
from importlib.metadata import requires
from pathlib import Path

from helpers._support import transformers_library

ROOT = Path(__file__).resolve().parents[2]


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def table():
    """The table: {name: (oldest, newest)}."""
    rows = re.findall(
        r"^\| (\w+) \| ([\d.]+) \| ([\d.]+) \|", read("CONTRIBUTING.md"), re.M
    )
    return {name: (oldest, newest) for name, oldest, newest in rows}


def pins(name):
    return dict(re.findall(r"^([\w-]+)==(\S+)", read(name), re.M))


def test_newest_versions_are_those_that_are_pinned():
    pinned = pins("requirements.txt")
    assert table()["transformers"][1] == pinned["transformers"]
    assert table()["PyTorch"][1] == pinned["torch"]


def test_oldest_versions_are_those_that_are_tested_and_asked_for():
    oldest = pins("tests/oldest-versions.txt")
    assert table()["transformers"][0] == oldest["transformers"]
    assert table()["transformers"][0] == transformers_library.OLDEST_TRANSFORMERS
    [torch] = [r for r in requires("transformers") if re.match('torch.*"torch"', r)]
    assert torch.startswith(f"torch>={table()['PyTorch'][0]};")


def test_a_python_outside_of_the_table_is_refused():
    oldest, newest = (int(v.partition(".")[2]) for v in table()["Python"])
    asked = f'requires-python = ">=3.{oldest},<3.{newest + 1}"'
    assert asked in read("pyproject.toml")
    assert f"(3, {oldest}) <= sys.version_info < (3, {newest + 1})" in read("Makefile")
