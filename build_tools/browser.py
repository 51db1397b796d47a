"""A headless Chromium, for printing, for the benchmarks and for the tests.

    python -m build_tools.browser

installs Debian's where there is none and this user may. Without one the browser tests
are skipped; where REQUIRE_BROWSER is set, it is an error.
"""

import os
import shutil
import subprocess
import sys

MISSING = "no chromium: install it, or set CHROMIUM to its path"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def chromium_path():
    """Return where Chromium is: what CHROMIUM names, else on the PATH; or None."""
    return shutil.which(os.environ.get("CHROMIUM", "chromium"))


def launch_chromium(playwright):
    """Return a headless Chromium; SystemExit where there is none."""
    path = chromium_path()
    if path is None:
        raise SystemExit(f"error: {MISSING}")
    return playwright.chromium.launch(executable_path=path, args=FLAGS)


def install_chromium():
    """Install Debian's chromium, in silence; whether it is there now, others look."""
    fresh = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for command in (
        "apt-get update",
        "apt-get install -y --no-install-recommends chromium fonts-liberation",
    ):
        subprocess.run(command.split(), env=fresh, capture_output=True)


def main():
    if chromium_path() is None and os.geteuid() == 0 and shutil.which("apt-get"):
        print("==> Installing Debian's chromium for the browser tests")
        install_chromium()
    if chromium_path() is None:
        print(f"**** THE BROWSER TESTS WILL BE SKIPPED: {MISSING} ****")
        if os.environ.get("REQUIRE_BROWSER"):
            sys.exit("error: REQUIRE_BROWSER is set")


if __name__ == "__main__":
    main()
