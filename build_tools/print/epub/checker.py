"""epubcheck, the program by which publishers and shops judge an EPUB."""

import shutil
import subprocess
from pathlib import Path

JAR = Path("/usr/share/java/epubcheck.jar")  # its own command needs binfmt


def fault():
    """Say in one line why no EPUB can be checked, or return None."""
    if JAR.is_file() and shutil.which("java"):
        return None
    return "no epubcheck: install Debian's package"


def check(epub):
    """Return (whether epubcheck finds no error and no warning, what it says)."""
    command = ["java", "-jar", JAR, "--failonwarnings", epub]
    result = subprocess.run(command, capture_output=True, text=True)
    return result.returncode == 0, (result.stdout + result.stderr).strip()
