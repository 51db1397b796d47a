"""Which exercises a student has passed, kept across notebooks on one machine."""

import html
import json
import os
import re
import tempfile
from datetime import date
from pathlib import Path

CHECKS = Path(__file__).with_name("checks")


def progress():
    """Return a table of all exercises and how far this student is."""
    return Progress(read(), exercises())


def place():
    """The file that keeps it: INSIDE_BERT_PROGRESS, else one in the user's cache.

    With INSIDE_BERT_PROGRESS=off nothing is kept.
    """
    named = os.environ.get("INSIDE_BERT_PROGRESS")
    if named:
        return Path(named).expanduser()
    from pooch import os_cache

    return Path(os_cache("inside-bert")) / "progress.json"


def read():
    """Return {exercise: (status, date)}; what cannot be read counts as nothing."""
    try:
        kept = json.loads(place().read_text(encoding="utf-8"))
        return {
            str(key): (str(status), str(day)) for key, (status, day) in kept.items()
        }
    except (OSError, RuntimeError, ValueError, TypeError, AttributeError):
        return {}


def record(exercise, status):
    """Note the status of an exercise; one that was passed stays passed.

    Where nothing can be written, nothing is kept and the exercise goes on.
    """
    if os.environ.get("INSIDE_BERT_PROGRESS") == "off":
        return
    kept = read()
    if status == "not attempted yet" or kept.get(exercise, ("",))[0] == "passed":
        return
    kept[exercise] = (status, date.today().isoformat())
    try:
        _write(place(), json.dumps(kept, indent=1, sort_keys=True))
    except (OSError, RuntimeError):  # a full or read-only disk, or no home
        return


def _write(path, text):
    """Replace the file at once, so that no reader meets half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    try:
        with open(descriptor, "w", encoding="utf-8") as stream:
            stream.write(text)
        os.replace(name, path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise


def exercises():
    """Return the ids of all exercises, in their order."""
    found = []
    for path in sorted(CHECKS.glob("chapter_[0-9][0-9].py")):
        text = path.read_text(encoding="utf-8")
        numbers = sorted(re.findall(r"^def check_(\d)\(", text, re.M))
        found += [f"{path.stem[-2:]}.{number}" for number in numbers]
    return found


class Progress:
    """A table of exercises, in HTML or as text."""

    def __init__(self, kept, ids):
        self.rows = [(i, *kept.get(i, ("not attempted yet", ""))) for i in ids]
        self.passed = sum(status == "passed" for _, status, _ in self.rows)

    def __repr__(self):
        lines = [f"{i:6} {status:18} {day}".rstrip() for i, status, day in self.rows]
        return "\n".join([*lines, self._summary()])

    def _repr_html_(self):
        rows = "".join(
            "<tr>" + "".join(f"<td>{html.escape(x)}</td>" for x in row) + "</tr>"
            for row in self.rows
        )
        return (
            "<table class='dataframe'><thead><tr><th>exercise</th><th>status</th>"
            f"<th>since</th></tr></thead><tbody>{rows}</tbody></table>"
            f"<p>{self._summary()}</p>"
        )

    def _summary(self):
        return f"{self.passed} of {len(self.rows)} exercises passed"
