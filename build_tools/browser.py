"""A headless Chromium, for printing and for the tests."""

import os
import shutil

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
