"""Runs a program by the environment's Python: `python -m build_tools.program NAME ...`.

The script of that name in `.venv/bin` starts the Python of the folder in which it was
installed: in a copy of the course that is the original's, and after a move none.
"""

import sys
from importlib.metadata import entry_points


def command(name, *arguments):
    """Return the words that run a program by the Python that runs here."""
    return [sys.executable, "-m", "build_tools.program", name, *map(str, arguments)]


def main():
    name, *arguments = sys.argv[1:]
    found = [*entry_points(group="console_scripts", name=name)]
    if not found:
        return f"error: {name} is not installed in {sys.prefix}"
    sys.argv = [name, *arguments]
    return found[0].load()()


if __name__ == "__main__":
    sys.exit(main())
