"""The table of faults in tests/README.md names tests that exist."""

import re
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
HEADS = {"fault", "input", "---"}


def rows():
    """The rows of all tables: (fault, what the user sees, test)."""
    lines = (TESTS / "README.md").read_text(encoding="utf-8").splitlines()
    cells = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in lines
        if line.startswith("|")
    ]
    return [row for row in cells if row[0] not in HEADS]


def test_every_fault_names_a_test_that_exists():
    sources = [path.read_text(encoding="utf-8") for path in TESTS.rglob("test_*.py")]
    existing = set(re.findall(r"^def (test_\w+)\(", "\n".join(sources), re.M))
    for row in rows():
        assert len(row) == 3 and all(row), row
        name = re.fullmatch(r"`(test_\w+)`", row[2])
        assert name and name[1] in existing, f"{row[0]}: there is no {row[2]}"


def test_the_table_has_60_faults_and_each_once():
    faults = [row[0] for row in rows()]
    assert len(faults) == len(set(faults)) >= 60
