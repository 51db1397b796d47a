"""What a chapter needs on Google Colab or Kaggle, beside what they bring."""

import subprocess
import sys
from pathlib import Path

REQUIREMENTS = Path(__file__).resolve().parents[2] / "requirements.txt"
END = "# Not hosted"


def install_missing():
    """Install the packages that the chapters import and this Python does not have.

    They get the versions in requirements.txt. Installed packages keep theirs: another
    torch or numpy would break the packages there that were built with its own.
    """
    missing = [line for line in _needed() if not _is_installed(line.split("==")[0])]
    if missing:
        command = [sys.executable, "-m", "pip", "install", "--quiet", *missing]
        if subprocess.run(command).returncode:
            raise SystemExit(f"pip could not install {' '.join(missing)}")


def _needed():
    """The requirements above the line of requirements.txt that ends them."""
    lines = REQUIREMENTS.read_text(encoding="utf-8").splitlines()
    end = next(n for n, line in enumerate(lines) if line.startswith(END))
    return [line for line in lines[:end] if line and not line.startswith("#")]


def _is_installed(name):
    from importlib import metadata  # the slowest part of `import helpers`, else

    try:
        metadata.version(name)
    except metadata.PackageNotFoundError:
        return False
    return True
