"""What a chapter needs on Google Colab, beside what Colab brings."""

import subprocess
import sys
from importlib import metadata
from pathlib import Path

REQUIREMENTS = Path(__file__).resolve().parents[1] / "requirements.txt"
FIRST, LAST = "# Models and data", "# Chapters, their execution and their pages"
FOR_PLOTS = ("bokeh", "bertviz")


def install_missing():
    """Install the packages that the chapters import and this Python does not have.

    They get the versions in requirements.txt. Installed packages keep theirs: another
    torch or numpy would break the packages of Colab that were built with its own.
    """
    missing = [line for line in _needed() if not _is_installed(line.split("==")[0])]
    if missing:
        command = [sys.executable, "-m", "pip", "install", "--quiet", *missing]
        if subprocess.run(command).returncode:
            raise SystemExit(f"pip could not install {' '.join(missing)}")


def _needed():
    """The first part of requirements.txt, and the packages that draw plots."""
    text = REQUIREMENTS.read_text(encoding="utf-8")
    models, rest = text.split(FIRST)[1].split(LAST)
    plots = [line for line in rest.split("\n") if line.startswith(FOR_PLOTS)]
    return [line for line in [*models.split(), *plots] if "==" in line]


def _is_installed(name):
    try:
        metadata.version(name)
    except metadata.PackageNotFoundError:
        return False
    return True
