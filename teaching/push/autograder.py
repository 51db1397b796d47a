"""Classroom 50 grades with this file: it fetches the course and runs its grading.

The assignment's runtime: {"python": "3.11", "apt": ["bubblewrap"]}. An image that has
the course set up already names its folder in INSIDE_BERT_COURSE, which saves minutes.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE, TAG, COMMIT = "{url}", "{tag}", "{commit}"
CHAPTERS = "{chapters}"  # all there are: leave those of the assignment
NAMESPACES = "kernel.apparmor_restrict_unprivileged_userns=0"


def fetch(folder):
    """Clone the course into `folder`, verify it and install what it needs."""
    clone = ["git", "clone", "--quiet", "--depth", "1", "--branch", TAG, SOURCE]
    subprocess.run([*clone, str(folder)], check=True)
    head = subprocess.check_output(["git", "rev-parse", "HEAD"], cwd=folder, text=True)
    if head.strip() != COMMIT:
        sys.exit(f"{TAG} of {SOURCE} is not the course that this file was written for")
    subprocess.run(["make", ".venv/.requirements"], cwd=folder, check=True)
    subprocess.run(["sudo", "sysctl", "--write", NAMESPACES], check=False)
    return folder


def grade(course, submission):
    """Grade the notebooks of a folder; result.json and the page go beside them."""
    command = [course / ".venv/bin/python", "-m", "teaching.grading", submission]
    with tempfile.TemporaryDirectory() as folder:
        command += ["--out", Path(folder) / "grades.csv"]
        command += ["--result", submission / "result.json"]
        command += ["--summary", submission / "release-body.md"]
        command += ["--chapters", *CHAPTERS.split()]
        return subprocess.run(list(map(str, command)), cwd=course).returncode


if __name__ == "__main__":
    ready = os.environ.get("INSIDE_BERT_COURSE")
    with tempfile.TemporaryDirectory() as new:
        place = Path(ready) if ready else fetch(Path(new) / "course")
        sys.exit(grade(place, Path.cwd()))
