"""Notebooks that were handed in, right ones and others, and their grades."""

import csv
import os
import subprocess
import sys
from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parents[2]
RIGHT = """import numpy as np

def majority_scores(labels):
    counts = np.unique(labels, return_counts=True)[1]
    accuracy = counts.max() / counts.sum()
    return accuracy, 2 * accuracy / (accuracy + 1) / len(counts)
"""
CHECK = 'from helpers.exercises import check\n\ncheck("word-senses.1", majority_scores)'


def write(path, *sources):
    """Write a notebook of these code cells."""
    path.parent.mkdir(parents=True, exist_ok=True)
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    return path


def command(folder, out, *options):
    run = [sys.executable, "-m", "teaching.grading", str(folder)]
    return [*run, "--out", str(out), *options]


def graded(folder, *options, before=(), **environment):
    """Grade a folder as `make grade` does; the rows by the names of submissions.

    before: words before the command. Raises where the command failed.
    """
    sample = {"COARSE_WSD_HOME": "sample", "SMS_SPAM_HOME": "sample"}
    environment = sample | environment
    out = folder.parent / f"grades of {folder.name}.csv"
    run = [*before, *command(folder, out, *options)]
    done = subprocess.run(
        run, cwd=ROOT, env=os.environ | environment, capture_output=True, text=True
    )
    assert done.returncode == 0, (done.returncode, done.stdout, done.stderr)
    return rows(out)


def rows(out):
    with out.open(newline="", encoding="utf-8") as stream:
        return {row["submission"]: row for row in csv.DictReader(stream)}
