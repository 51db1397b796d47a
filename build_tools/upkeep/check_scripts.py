"""The scripts of the live page, held to ESLint's rules and Prettier's format.

`python -m build_tools.upkeep.check_scripts` names what breaks them, with `--write` it
formats. Both come from npm, and Node with them, where they are missing.
"""

import subprocess
import sys
from pathlib import Path

from build_tools.book import assets

ROOT = Path(__file__).resolve().parents[2]
PRETTIER, ESLINT = "prettier/bin/prettier.cjs", "eslint/bin/eslint.js"


def main(form="--check"):
    try:
        assets.install(ROOT, "devDependencies")
    except assets.AssetError as error:
        return f"error: {error}"
    failed = False
    for tool, *options in ([PRETTIER, "--log-level=warn", form], [ESLINT]):
        program = [*assets.node_command(), str(ROOT / "node_modules" / tool)]
        failed |= subprocess.run(
            [*program, *options, "."], cwd=ROOT / "live"
        ).returncode
    return "error: check_scripts --write may mend this" if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
