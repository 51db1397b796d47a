"""What the tests need and pip cannot bring: Chromium and bubblewrap.

    python -m build_tools.upkeep.system_tools

installs Debian's packages where one is missing and this user may. Without it the tests
that need it are skipped; where REQUIRE_TOOLS is set, that is an error.
"""

import os
import shutil
import subprocess
import sys

from build_tools import browser
from teaching.grading import sandbox


def chromium_fault():
    """Say in one line why no browser can be opened, or return None."""
    return None if browser.chromium_path() else browser.MISSING


# What is missing, which tests need it, and Debian's packages that bring it.
TOOLS = {
    "browser": (chromium_fault, ("chromium", "fonts-liberation")),
    "grading": (sandbox.fault, ("bubblewrap",)),
}


def install(packages):
    """Install Debian's packages, in silence; whether they help, others look."""
    fresh = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for command in (
        ["apt-get", "update"],
        ["apt-get", "install", "-y", "--no-install-recommends", *packages],
    ):
        subprocess.run(command, env=fresh, capture_output=True)


def main():
    missing = False
    for tests, (fault, packages) in TOOLS.items():
        if fault() and os.geteuid() == 0 and shutil.which("apt-get"):
            print(f"==> Installing {' '.join(packages)} for the {tests} tests")
            install(packages)
        if said := fault():
            print(f"**** THE {tests.upper()} TESTS WILL BE SKIPPED: {said} ****")
            missing = True
    if missing and os.environ.get("REQUIRE_TOOLS"):
        sys.exit("error: REQUIRE_TOOLS is set")


if __name__ == "__main__":
    main()
