"""Which exercises a student has passed, kept across notebooks on one machine."""

import json
import os
from contextlib import suppress
from datetime import date
from pathlib import Path

from helpers.exercises.checks import exercises, shown
from helpers.exercises.html_table import html_table

SECONDS_FOR_OTHERS = 2


def progress():
    """Return a table of all exercises and whether this student has passed them.

    >>> table = progress()
    >>> 0 <= table.passed <= len(table.rows)
    True
    """
    return Progress(read(), exercises())


def place():
    """Return the path of the file that keeps the results.

    The environment variable INSIDE_BERT_PROGRESS names it; else it lies in the user's
    cache. With INSIDE_BERT_PROGRESS=off nothing is kept.
    """
    named = os.environ.get("INSIDE_BERT_PROGRESS")
    if named:
        return Path(named).expanduser()
    from pooch import os_cache

    cache = Path(os_cache("inside-bert"))
    if not cache.is_absolute():
        raise RuntimeError("there is no home folder")
    return cache / "progress.json"


def read():
    """Return {exercise: (status, date)}; empty where there is no readable file."""
    try:
        kept = json.loads(place().read_text(encoding="utf-8"))
        return {key: (str(status), str(day)) for key, (status, day) in kept.items()}
    except (OSError, RuntimeError, ValueError, TypeError, AttributeError):
        return {}


def record(exercise, status):
    """Note the status of an exercise; one that was passed stays passed.

    Where the file cannot be written, nothing is kept and nothing is raised. A file
    that cannot be understood is kept beside the new one, as `.unreadable`.
    """
    if os.environ.get("INSIDE_BERT_PROGRESS") == "off" or status == "not attempted yet":
        return
    from helpers.whole_files import alone, replace

    with suppress(OSError, RuntimeError):  # a full or read-only disk, or no home
        path = place().resolve()  # a link stays one, such as one into another disk
        with alone(path, SECONDS_FOR_OTHERS):  # else two notebooks lose one's result
            kept = read()
            if not kept and path.is_file():
                os.replace(path, f"{path}.unreadable")
            if kept.get(exercise, ("",))[0] != "passed":
                kept[exercise] = (status, date.today().isoformat())
                text = json.dumps(kept, indent=1, sort_keys=True)
                replace(path, text.encode())


def so_far(exercise):
    """Return how many exercises are passed, of this chapter and of all, in a line.

    Empty where nothing is kept.
    """
    if os.environ.get("INSIDE_BERT_PROGRESS") == "off":
        return ""
    ids, slug = exercises(), exercise.split(".")[0]
    of_chapter = [id for id in ids if id.split(".")[0] == slug]
    own, whole = (Progress(read(), some).passed for some in (of_chapter, ids))
    return (
        f"{own} of {len(of_chapter)} passed in this chapter, {whole} of {len(ids)} "
        "in the course."
    )


class Progress:
    """A table of exercises, in HTML or as text."""

    def __init__(self, kept, ids):
        self.rows = [(i, *kept.get(i, ("not attempted yet", ""))) for i in ids]
        self.passed = sum(status == "passed" for _, status, _ in self.rows)

    def __repr__(self):
        rows = [(shown(i), status, day) for i, status, day in self.rows]
        lines = [f"{i:6} {status:18} {day}".rstrip() for i, status, day in rows]
        return "\n".join([*lines, self._summary()])

    def _repr_html_(self):
        rows = [(shown(i), *rest) for i, *rest in self.rows]
        table = html_table(("exercise", "status", "since"), rows)
        return f"{table}<p>{self._summary()}</p>"

    def _summary(self):
        return f"{self.passed} of {len(self.rows)} exercises passed"
