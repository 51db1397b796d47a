"""Points for the file that a gradebook imports, by exact ids and by nothing else."""

import csv
from pathlib import Path

# Of Canvas and Moodle; the last is that of a grading worksheet.
IDS = ("ID", "ID number", "SIS Login ID", "Email address", "Identifier")
COLUMN = "Inside BERT"


class Fault(ValueError):
    """A file that cannot be merged; the text says why."""


def read_rows(path):
    """Return the rows of a CSV with a header, as dicts; raises Fault."""
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
        dialect = csv.Sniffer().sniff(text.split("\n", 1)[0] + "\n", ",;\t")
        rows = list(csv.DictReader(text.splitlines(), dialect=dialect))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise Fault(f"{path} cannot be read as a table: {error}") from None
    if not rows:
        raise Fault(f"{path} has no row below its header")
    return rows


def whose(path, names):
    """Return {id: names of submissions} from a table with the columns file and id.

    A file may stand there for several ids, as the work of a group.
    """
    found = {}
    for row in read_rows(path):
        file, owner = (str(row.get(key) or "").strip() for key in ("file", "id"))
        if file not in names:
            raise Fault(f"{path}: no file {file!r} was handed in")
        found.setdefault(owner, []).append(file)
    return found


def named_by_ids(names):
    """Return {id: names of submissions}, of files that are named by an id."""
    found = {}
    for name in names:
        owner, *_ = name.rpartition("/")[2].partition(".ipynb")
        found.setdefault(owner, []).append(name)
    return found


def merged(export, grades, owners):
    """Return (rows of the export with the points in COLUMN, a line of ids it lacks).

    export: path of the gradebook's CSV. grades: {name: Grade}. owners: as from `whose`
    or `named_by_ids`; the column of IDS that has most of them is theirs. An exercise
    that any notebook of an id passes counts once.
    """
    rows = read_rows(export)
    ids = {name: [str(row[name] or "").strip() for row in rows]
           for name in IDS if name in rows[0]}  # fmt: skip
    if not ids:
        raise Fault(f"{export} has none of the columns {', '.join(IDS)}")
    column = max(ids, key=lambda name: len(owners.keys() & set(ids[name])))
    for row, owner in zip(rows, ids[column], strict=True):
        if own := [grades[name].passed for name in owners.get(owner, ()) if owner]:
            row[COLUMN] = len(set().union(*own))
    header = [*dict.fromkeys([*rows[0], COLUMN])]
    lines = [[row.get(name, "") for name in header] for row in rows]
    unknown = sorted(set(owners) - set(ids[column]))
    said = f"not in the column {column!r} of {export}: {', '.join(unknown)}"
    return [header, *lines], said if unknown else ""
