"""Builds the book, one process at a time.

    python -m build_tools.book PROGRAM build . -W --keep-going

runs that command and notes in `_build/.book` what the book was made of: BOOK_SETTINGS
of the Makefile. A change of these, or a build that failed, starts afresh, but nothing
is deleted before model and data are known to be there. With `--as-it-is` before the
command the pages are only written in another form.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from build_tools.book import findings
from build_tools.book.assets import AssetError, fetch_assets
from build_tools.book.execution import DEFAULTS, set_environment
from build_tools.book.fresh_pages import choices_and_tools
from build_tools.book.site import Site
from helpers.whole_files import alone, replace

BUILD = Path("_build")
BOOK, TOOLS = BUILD / ".book", BUILD / ".tools"


def build(command):
    """Run the command that builds the book; returns its exit status."""
    settings = os.environ.get("BOOK_SETTINGS", "")
    set_environment(Path.cwd())
    Site.read(Path.cwd())  # an address that is none is told at once
    require_model_and_data()
    fetch_assets(Path.cwd())
    model = os.environ["BERT_COURSE_MODEL"]
    cached = "unchanged chapters come from a cache"
    print(f"==> Building the book with the model {model!r} ({cached})", flush=True)
    if not BOOK.is_file() or BOOK.read_text(encoding="utf-8") != settings:
        for name in (".doctrees", "html"):
            shutil.rmtree(BUILD / name, ignore_errors=True)
    BOOK.unlink(missing_ok=True)  # a build that fails has used up its warnings
    status = subprocess.run(command).returncode
    if not status:
        replace(BOOK, settings.encode())
        replace(TOOLS, choices_and_tools(Path.cwd()).encode())
        print(f"==> {findings.summary(Path.cwd())}", flush=True)
    return status


def require_model_and_data():
    """Raise in one line where a model or data that was chosen cannot be loaded."""
    chosen = {name for name, usual in DEFAULTS.items() if os.environ[name] != usual}
    if "BERT_COURSE_MODEL" in chosen:
        from helpers.models import load_bert

        load_bert()
    if chosen - {"BERT_COURSE_MODEL"}:
        from helpers.datasets import coarse_wsd_words, load_coarse_wsd, load_sms_spam

        for word in coarse_wsd_words():
            load_coarse_wsd(word)
        load_sms_spam()


def main(arguments=None):
    command = list(sys.argv[1:] if arguments is None else arguments)
    try:
        with alone(BOOK):
            if command[0] == "--as-it-is":
                return subprocess.run(command[1:]).returncode
            return build(command)
    except (AssetError, ImportError, OSError, ValueError) as error:
        return f"error: {error}"


if __name__ == "__main__":
    sys.exit(main())
