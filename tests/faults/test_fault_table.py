"""The table of faults beside this file names tests that exist."""

import re
from pathlib import Path

HERE = Path(__file__).resolve().parent
HEADS = {"fault", "input", "---"}


def rows():
    """The rows of all tables: (fault, what the user sees, test)."""
    lines = (HERE / "README.md").read_text(encoding="utf-8").splitlines()
    cells = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in lines
        if line.startswith("|")
    ]
    return [row for row in cells if row[0] not in HEADS]


def test_every_fault_stands_once_and_names_a_test_that_exists():
    root = HERE.parents[1]
    paths = [*root.glob("tests/**/test_*.py"), *root.glob("chapters/*/test_*.py")]
    sources = "\n".join(path.read_text(encoding="utf-8") for path in paths)
    existing = set(re.findall(r"^def (test_\w+)\(", sources, re.M))
    found = rows()
    assert found and len({row[0] for row in found}) == len(found)
    for fault, _, test in found:
        name = re.fullmatch(r"`(test_\w+)`", test)
        assert name and name[1] in existing, f"{fault}: there is no {test}"
