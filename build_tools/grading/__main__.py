"""Command line of the grading; see the package."""

import argparse
import csv
import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from build_tools import execution
from build_tools.grading import sandbox
from build_tools.grading.grade import grade

SECONDS = 300  # of a submission, all exercises together


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m build_tools.grading")
    parser.add_argument("folder", type=Path, help="of submitted notebooks (.ipynb)")
    parser.add_argument("--out", type=Path, default=Path("grades.csv"))
    parser.add_argument("--seconds", type=float, default=SECONDS, help="a submission")
    parser.add_argument("--workers", type=int, default=2, help="at a time")
    parser.add_argument(
        "--unsafe", action="store_true", help="run without a sandbox: trust them all"
    )
    options = parser.parse_args(arguments)
    paths = submissions(options.folder)
    if not paths:
        parser.exit(2, f"{options.folder} holds no notebooks (.ipynb) to grade\n")
    kind = None if options.unsafe else sandbox.how()
    if kind is None and not options.unsafe:
        parser.exit(
            2,
            "no sandbox works here: install bubblewrap (Debian: apt-get install "
            "bubblewrap), or pass --unsafe where you trust every submission\n",
        )
    os.environ |= {"INSIDE_BERT_PROGRESS": "off"}
    for name, default in execution.DEFAULTS.items():  # the same for all, no network
        os.environ.setdefault(name, default)
    with tempfile.TemporaryDirectory(prefix="grading-") as copies:
        hidden = [copies, str(options.folder.resolve())]
        with ThreadPoolExecutor(options.workers) as pool:
            jobs = [
                pool.submit(grade, path, hidden, kind, options.seconds)
                for path in paths
            ]
            grades = [job.result() for job in jobs]
    write(options.out, options.folder, paths, grades)
    print(f"graded {len(grades)} submissions: {options.out}")


def submissions(folder):
    """Return the notebooks in a folder and the folders in it, but no checkpoints."""
    found = Path(folder).rglob("*.ipynb")
    return sorted(p for p in found if ".ipynb_checkpoints" not in p.parts)


def write(out, folder, paths, grades):
    """Write one row a submission, a column an exercise; all or nothing."""
    exercises = sorted({exercise for g in grades for exercise in g.statuses})
    rows = [["submission", "passed", *exercises, "remarks"]]
    for path, own in zip(paths, grades, strict=True):
        statuses = [own.statuses.get(exercise, "missing") for exercise in exercises]
        name = path.relative_to(folder).as_posix()
        cells = [name, own.passed, *statuses, "; ".join(own.remarks)]
        rows.append([harmless(cell) for cell in cells])
    out.parent.mkdir(parents=True, exist_ok=True)
    unfinished = out.with_name(out.name + ".unfinished")
    with unfinished.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows(rows)
    unfinished.replace(out)


def harmless(cell):
    """Keep a spreadsheet from reading a student's text as a formula."""
    text = str(cell)
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else cell


if __name__ == "__main__":
    sys.exit(main())
