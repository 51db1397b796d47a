"""The scripts of the live page, held to ESLint's rules and Prettier's format.

`python -m build_tools.upkeep.check_scripts` names what breaks them, with `--write` it
formats.
Both come from npm, and Node with them, where they are missing.
"""

import argparse
import subprocess
import sys
from pathlib import Path

from build_tools.book import assets

ROOT = Path(__file__).resolve().parents[2]


def check(root, write=False):
    """Return whether all scripts in `root/live` pass; the tools print what does not."""
    modules = root / "node_modules"
    prettier = ["prettier/bin/prettier.cjs", "--log-level=warn"]
    prettier.append("--write" if write else "--check")
    passed = True
    for program, *options in (prettier, ["eslint/bin/eslint.js"]):
        command = [*assets.node_command(), str(modules / program), *options, "."]
        passed &= subprocess.run(command, cwd=root / "live").returncode == 0
    return passed


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m build_tools.upkeep.check_scripts")
    parser.add_argument("--write", action="store_true", help="format the scripts")
    options = parser.parse_args(arguments)
    try:
        assets.install_tools(ROOT)
    except assets.AssetError as error:
        sys.exit(f"error: {error}")
    if not check(ROOT, options.write):
        sys.exit(f"error: {parser.prog} --write may mend this")


if __name__ == "__main__":
    main()
